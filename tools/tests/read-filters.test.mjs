import { expect, test } from "vitest";
import { readFilters } from "./read-filters.mjs";

test("a run of what changed may have no tests; beside a name that matches nothing, and in a whole run, that is a failure", () => {
  expect(readFilters(["--changed"]).mayBeNone).toBe(true);
  expect(readFilters(["--changed=main"]).mayBeNone).toBe(true);
  expect(readFilters(["--changed", "no-such-file"]).mayBeNone).toBe(false);
  expect(readFilters(["no-such-file"]).mayBeNone).toBe(false);
  expect(readFilters([]).mayBeNone).toBe(false);
});

test("names reach the runner as they were given", () => {
  expect(readFilters(["gateway", "--changed"]).filters).toEqual(["gateway", expect.stringMatching(/^--changed(=(origin\/)?main)?$/)]);
});

test("only a whole run without names leaves out the slow kinds", () => {
  expect(readFilters([])).toMatchObject({ kinds: "quick", filters: [], keepTimes: false });
  expect(readFilters(["--changed"]).kinds).toBe("quick");
  expect(readFilters(["gateway"]).kinds).toBe("all");
  expect(readFilters(["--all", "--keep-times"])).toMatchObject({ kinds: "all", filters: [], keepTimes: true });
  expect(readFilters(["--all", "--changed=main"])).toMatchObject({ kinds: "all", filters: ["--changed=main"], mayBeNone: true });
});

test("a project selects from all kinds, and a part of a title is no name of a file", () => {
  expect(readFilters(["--project=slow"]).kinds).toBe("all");
  expect(readFilters(["-t", "a workspace"])).toMatchObject({ kinds: "quick", filters: ["-t", "a workspace"], mayBeNone: false });
});

test.each([
  ["an empty name", ["gateway", ""], /is empty/],
  ["the value of an option, apart from it", ["--bail", "1"], /Write --bail=1 for a value/],
])("%s is refused instead of running every test", (_what, args, words) => {
  expect(() => readFilters(args)).toThrow(words);
  expect(() => readFilters(["--bail=1", "gateway"])).not.toThrow();
});
