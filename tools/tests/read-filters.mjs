/** What `npm test -- …` and `npm run test:all -- …` were asked to run. */
import { spawnSync } from "node:child_process";
import { Trouble } from "../process/trouble.mjs";
import { root } from "../root.mjs";

const own = new Set(["--all", "--keep-times"]);
/** Options whose next word is their value: a part of a title. */
const ofTitles = new Set(["-t", "--testNamePattern"]);

/** An empty name and an option's own value would each select every test. Throws Trouble. */
function refuseUnclear(filters) {
  if (filters.includes("")) throw new Trouble("A name of a test is empty. Leave it out, or say which tests to run.");
  for (const [at, word] of filters.entries()) {
    const before = filters[at - 1] ?? "";
    if (word.startsWith("-") || !before.startsWith("-") || before.includes("=")) continue;
    if (before === "--changed" || ofTitles.has(before)) continue;
    throw new Trouble(`Is ${word} a test or the value of ${before}? Write ${before}=${word} for a value, and tests first.`);
  }
}

/**
 * The kinds of tests, `quick` or `all`, Vitest's filters, and whether it is acceptable that no test runs: only if nothing but `--changed` was
 * given, because a change may touch no test. With another filter, which may be misspelt, it is a failure. A name selects tests of every
 * kind: whoever names a test wants it run.
 */
export function readFilters(args) {
  const filters = args.filter((arg) => !own.has(arg));
  refuseUnclear(filters);
  const names = filters.filter((filter, at) => !filter.startsWith("-") && !ofTitles.has(filters[at - 1]));
  return {
    kinds: args.includes("--all") || names.length > 0 || filters.some((filter) => filter.startsWith("--project")) ? "all" : "quick",
    keepTimes: args.includes("--keep-times"),
    filters: filters.map((filter) => (filter === "--changed" ? changedSinceMain() : filter)),
    mayBeNone: filters.length > 0 && filters.every((filter) => filter.startsWith("--changed")),
  };
}

/** `--changed`: what differs from the branch `main`, committed or not; without such a branch, what is not committed. */
function changedSinceMain() {
  const branch = ["main", "origin/main"].find(
    (name) => spawnSync("git", ["rev-parse", "--verify", "--quiet", name], { cwd: root }).status === 0,
  );
  return branch ? `--changed=${branch}` : "--changed";
}
