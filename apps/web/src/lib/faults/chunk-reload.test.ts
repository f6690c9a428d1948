import { expect, test, vi } from "vitest";
import { isChunkError, isServiceThere, reloadOnce } from "./chunk-reload.ts";
import { storedValues, type StoredValues } from "../browser/stored-value.ts";

function memory(): StoredValues {
  const values = new Map<string, string>();
  return {
    read: (key) => values.get(key) ?? null,
    write: (key, value) => Boolean(values.set(key, value)),
    remove: (key) => void values.delete(key),
  };
}

test("a missing chunk reloads the page", () => {
  let reloads = 0;
  expect(reloadOnce(memory(), 1_000, () => reloads++)).toBe(true);
  expect(reloads).toBe(1);
});

test("a second one within a minute does not; a later one does", () => {
  const values = memory();
  let reloads = 0;
  const at = (nowMs: number) => reloadOnce(values, nowMs, () => reloads++);
  expect([at(0), at(1), at(59_999), at(60_000), at(60_001)]).toEqual([true, false, false, true, false]);
  expect(reloads).toBe(2);
});

test("without storage nothing is reloaded, which prevents a loop", () => {
  const warnings: string[] = [];
  const values = storedValues(
    () => {
      throw new Error("forbidden");
    },
    (message) => warnings.push(message),
  );
  expect(reloadOnce(values, 0, () => expect.unreachable())).toBe(false);
  expect(warnings.length).toBeGreaterThan(0);
});

test.each([
  "Failed to fetch dynamically imported module: https://panel.test/assets/help-page.js",
  "error loading dynamically imported module: https://panel.test/assets/help-page.js",
  "Importing a module script failed.",
  "Unable to preload CSS for /assets/help-page.css",
])("%j is a missing chunk", (message) => expect(isChunkError(new TypeError(message))).toBe(true));

test("other errors are not", () => {
  expect(isChunkError(new TypeError("x is undefined"))).toBe(false);
  expect(isChunkError("Failed to fetch dynamically imported module")).toBe(false);
});

test.each([
  ["the service answers", () => Promise.resolve(new Response(null)), true],
  ["a proxy answers for a service that restarts", () => Promise.resolve(new Response(null, { status: 502 })), false],
  ["there is no network", () => Promise.reject(new TypeError("Failed to fetch")), false],
])("whether a page may reload when %s", async (_title, answer, helps) => {
  vi.stubGlobal("fetch", answer);
  expect(await isServiceThere()).toBe(helps);
  vi.unstubAllGlobals();
});
