import { expect, test } from "vitest";
import { createLog } from "#platform/log.ts";
import { assignVariant } from "./flags.ts";
import { experiments, type Experiment } from "./experiments.ts";
import { createFlags } from "./flags.ts";

const log = createLog("silent");
const people = Array.from({ length: 10_000 }, (_, index) => `person-${index}`);
const share = (experiment: Experiment, variant: string, name = "any") =>
  people.filter((person) => assignVariant(name, experiment, person) === variant).length / people.length;

test("the experiment has two variants, each for half of the people", () => {
  expect(experiments).toEqual({ "026_easy_ai_workflow": { variants: ["control", "variant"], percent: 50 } });
  expect(share(experiments["026_easy_ai_workflow"]!, "variant")).toBeCloseTo(0.5, 1);
});

test("a person keeps their variant when the percentage grows", () => {
  const treated = (percent: number) =>
    people.filter((person) => assignVariant("x", { variants: ["control", "variant"], percent }, person) === "variant");
  expect(treated(20)).toEqual(treated(20));
  const later = new Set(treated(60));
  expect(treated(20).filter((person) => !later.has(person))).toEqual([]);
});

test("two experiments assign variants independently", () => {
  const experiment: Experiment = { variants: ["control", "variant"], percent: 50 };
  const both = people.filter(
    (person) => assignVariant("one", experiment, person) === "variant" && assignVariant("two", experiment, person) === "variant",
  );
  expect(both.length / people.length).toBeCloseTo(0.25, 1);
});

test.each([
  [0, 0, 0],
  [90, 0.45, 0.45],
  [100, 0.5, 0.5],
])("at %i percent the other variants get equal shares", (percent, first, second) => {
  const experiment: Experiment = { variants: ["control", "a", "b"], percent };
  expect(share(experiment, "a")).toBeCloseTo(first, 1);
  expect(share(experiment, "b")).toBeCloseTo(second, 1);
});

test("flags are evaluated through OpenFeature and stay the same", async () => {
  const evaluate = await createFlags(log);
  const flags = await evaluate("somebody");
  expect(Object.keys(flags)).toEqual(["026_easy_ai_workflow"]);
  expect(await evaluate("somebody")).toEqual(flags);
  expect(await evaluate(null)).toEqual({});
});

test("with a failing provider the flags are empty", async () => {
  const failing = () => Promise.reject(new Error("the flag service is away"));
  const provider = {
    metadata: { name: "failing" },
    resolveBooleanEvaluation: failing,
    resolveStringEvaluation: failing,
    resolveNumberEvaluation: failing,
    resolveObjectEvaluation: failing,
  };
  expect(await (await createFlags(log, { provider }))("somebody")).toEqual({});
});

test("a variant unknown to the panel is left out", async () => {
  const provider = new (await import("@openfeature/server-sdk")).InMemoryProvider({
    "026_easy_ai_workflow": { disabled: false, variants: { surprise: "surprise" }, defaultVariant: "surprise" },
  });
  expect(await (await createFlags(log, { provider }))("somebody")).toEqual({});
});
