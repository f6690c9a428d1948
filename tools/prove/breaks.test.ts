/** Holds the list of `npm run prove` against docs/coverage.md and the sources, quickly: without running a broken product. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { nameOf } from "./break.ts";
import { breaks, unproved } from "./breaks.ts";
import { judgeRun } from "./judge-run.ts";
import { readRows, rowOf } from "./read-rows.ts";
import { replaceOnce } from "./scratch-copy.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const page = read("docs/coverage.md");
const rows = readRows(page);

test("every break finds its line in its source once, and changes it", () => {
  for (const { file, line, by } of breaks) {
    expect(replaceOnce(read(file), line, by, file)).not.toBe(read(file));
    expect(line, file).not.toContain("\n");
  }
  expect(new Set(breaks.map(nameOf)).size).toBe(breaks.length);
});

test("the test that must notice a break is one that its row names", () => {
  for (const { row, test: file, title } of breaks) {
    const named = rowOf(rows, row).tests.filter((each) => each.file === file);
    expect(named, `${row}: ${file}`).not.toEqual([]);
    if (title === undefined) continue;
    const titles = named.flatMap((each) => each.titles);
    // A row that names the file alone means all of its tests.
    if (titles.length > 0) expect(titles, row).toContain(title);
    else expect(read(file).includes(title), `${file}: ${title}`).toBe(true);
  }
});

test("every row of the coverage is broken somewhere, or says why it is not", () => {
  const broken = new Set(breaks.map(({ row }) => rowOf(rows, row).promise));
  const excused = new Set(unproved.map(({ row }) => rowOf(rows, row).promise));
  expect(rows.filter(({ promise }) => !broken.has(promise) && !excused.has(promise)).map(({ promise }) => promise)).toEqual([]);
  expect([...excused].filter((promise) => broken.has(promise))).toEqual([]);
});

test("the page says how many rows can be broken", () => {
  const broken = new Set(breaks.map(({ row }) => rowOf(rows, row).promise));
  expect(page).toContain(`${broken.size} of ${rows.length} rows`);
});

const title = "%s is refused";
const verdictOf = (result: Partial<Parameters<typeof judgeRun>[0]["tests"][number]>, outside: string[] = []) =>
  judgeRun(
    { tests: [{ name: "ada is refused", state: "failed", inHook: false, errors: [], ...result }], outside },
    { test: "a.test.ts", title },
  ).isProved;
const assertion = { name: "AssertionError", message: "expected 1 to be 2" };

test("only a failed assertion of the named test proves a row", () => {
  expect(verdictOf({ errors: [assertion] })).toBe(true);
  expect(verdictOf({ state: "passed" })).toBe(false);
  expect(verdictOf({ errors: [assertion], name: "ada is welcome" })).toBe(false);
  expect(verdictOf({ errors: [{ name: "TypeError", message: "x is not a function" }] })).toBe(false);
  expect(verdictOf({ errors: [assertion], inHook: true })).toBe(false);
  expect(verdictOf({ errors: [assertion] }, ["the file cannot be loaded"])).toBe(false);
});
