import { expect, test, vi } from "vitest";
import { runTests } from "./run-tests.mjs";

const file = (failed, passed = 1) => ({ passed, failed, skipped: 0, seconds: 1 });
const options = { repeats: true, keepTimes: false, args: [], limitMs: 60_000 };

/** Runs that end one after the other as given; the first is of all files. */
function runs(...endings) {
  const asked = [];
  const run = async ({ args }) => {
    asked.push(args);
    return { outside: 0, failures: [], ending: 0, ...endings.shift() };
  };
  return { run, asked };
}

test("a file that fails is run again, alone; if it passes then, it is named as flaky and counts as passed", async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  const { run, asked } = runs(
    { files: { "a.test.ts": file(0), "b.test.ts": file(1) }, failures: ["b.test.ts > x: no"], ending: 1 },
    { files: { "b.test.ts": file(0, 2) } },
  );
  const { total, lines } = await runTests(options, run);
  expect(asked).toEqual([[], ["b.test.ts"]]);
  expect(total).toEqual({ passed: 3, failed: 0, skipped: 0 });
  expect(lines).toEqual(["FLAKY b.test.ts"]);
});

test("a file that fails again stays failed", async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  const failed = { files: { "b.test.ts": file(1) }, failures: ["b.test.ts > x: no"], ending: 1 };
  const { total, lines } = await runTests(options, runs(failed, failed).run);
  expect(total.failed).toBe(1);
  expect(lines).toEqual(["FAILED b.test.ts > x: no"]);
});

test.each([
  ["without repeats", { repeats: false }, { files: { "b.test.ts": file(1) }, ending: 1 }],
  ["after a time-out", {}, { files: { "b.test.ts": file(1) }, ending: "The tests were ended: they took longer than 75 minutes." }],
  ["after an error outside of a test", {}, { files: { "b.test.ts": file(1) }, outside: 1, ending: 1 }],
  ["if many files failed", {}, { files: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`${n}.test.ts`, file(1)])), ending: 1 }],
])("nothing is run again %s", async (_when, changes, ending) => {
  const { run, asked } = runs(ending);
  const { total } = await runTests({ ...options, ...changes }, run);
  expect(asked).toHaveLength(1);
  expect(total.failed).toBeGreaterThan(0);
});

test("Ctrl-C while a file is run again ends the run", async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  const failed = { files: { "a.test.ts": file(1), "b.test.ts": file(1) }, failures: [], ending: 1 };
  const { run, asked } = runs(failed, { files: {}, ending: "The tests were ended by SIGINT." });
  expect((await runTests(options, run)).total.failed).toBe(2);
  expect(asked).toEqual([[], ["a.test.ts"]]);
});

test("a run that ends badly has failed, even if every file that ended passed", async () => {
  for (const ending of [1, "The tests were ended by SIGTERM."]) {
    const { total } = await runTests(options, runs({ files: { "a.test.ts": file(0) }, ending }).run);
    expect(total.failed).toBe(1);
  }
});
