import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../root.mjs";
import { readCounts, sumOf } from "./counts.mjs";

const files = {
  "fine.test.mjs": 'test("a", () => {}); test("b", () => {}); test.skip("c", () => {}); test.todo("d");',
  "fails.test.mjs": 'test("a", () => { throw new Error("no"); });',
  "unloadable.test.mjs": 'throw new Error("no");',
  "hook.test.mjs": 'beforeAll(() => { throw new Error("no"); }); test("a", () => {});',
  "unhandled.test.mjs": 'test("a", async () => { void Promise.reject(new Error("nobody looks")); await new Promise(setImmediate); });',
};

test("every kind of failure counts: a test, a file that cannot be loaded, a hook, an uncaught error", () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-test-counts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  writeFileSync(join(folder, "vitest.config.mjs"), "export default {};");
  const counts = join(folder, "counts.json");
  const args = [
    join(root, "node_modules", "vitest", "vitest.mjs"),
    "run",
    "--globals",
    "--root",
    folder,
    `--reporter=${join(root, "tools", "tests", "run-reporter.mjs")}`,
  ];
  // A nested runner must not take itself for a worker of the outer one.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST")));
  spawnSync(process.execPath, args, { cwd: folder, env: { ...env, SLIPWAY_TEST_COUNTS: counts } });
  const { files: counted, failures, outside } = readCounts(counts);
  expect(sumOf(counted)).toEqual({ passed: 3, failed: 3, skipped: 3 });
  expect(outside).toBe(1);
  expect(counted["fine.test.mjs"]).toEqual({ passed: 2, failed: 0, skipped: 2, seconds: expect.any(Number) });
  expect(failures.toSorted()).toEqual([
    "fails.test.mjs > a: no",
    "hook.test.mjs: no",
    "outside a test: nobody looks",
    "unloadable.test.mjs: no",
  ]);
});

test("a run that ended before the first test file counts nothing", () => {
  expect(readCounts("/nowhere/counts.json")).toEqual({ files: {}, outside: 0, failures: [] });
});
