import { expect, test } from "vitest";
import { storedValues, type StoredValues } from "../../lib/browser/stored-value.ts";
import { readOverrides, recordExposure, writeOverride } from "./experiment-choices.ts";

const experiment = "026_easy_ai_workflow";

function memory(): StoredValues {
  const kept = new Map<string, string>();
  return {
    read: (key) => kept.get(key) ?? null,
    write: (key, value) => (kept.set(key, value), true),
    remove: (key) => void kept.delete(key),
  };
}
const nowhere = storedValues(
  () => {
    throw new Error("SecurityError");
  },
  () => undefined,
);

test("an exposure is recorded once per variant", () => {
  const values = memory();
  let told = 0;
  const track = () => (told += 1) > 0;
  for (let visit = 0; visit < 3; visit += 1) recordExposure(values, experiment, "control", track);
  expect(told).toBe(1);
  recordExposure(values, experiment, "variant", track);
  expect(told).toBe(2);
});

test("an exposure that was not recorded is tried again", () => {
  const values = memory();
  let tries = 0;
  recordExposure(values, experiment, "control", () => (tries += 1) > 1);
  recordExposure(values, experiment, "control", () => (tries += 1) > 1);
  recordExposure(values, experiment, "control", () => (tries += 1) > 1);
  expect(tries).toBe(2);
});

test("a tester's choice is kept and can be reset", () => {
  const values = memory();
  expect(writeOverride(values, experiment, "variant")).toBe(true);
  writeOverride(values, "other", "control");
  expect(readOverrides(values)).toEqual({ [experiment]: "variant", other: "control" });
  writeOverride(values, experiment, null);
  expect(readOverrides(values)).toEqual({ other: "control" });
});

test.each(["", "null", "[1]", "{", '{"a":1}', '"text"'])("kept text that makes no sense (%j) counts as nothing", (text) => {
  expect(readOverrides({ read: () => text, write: () => true, remove: () => undefined })).toEqual({});
});

test("without storage there are no overrides, and the result says that the choice was not kept", () => {
  expect(readOverrides(nowhere)).toEqual({});
  expect(writeOverride(nowhere, experiment, "variant")).toBe(false);
});
