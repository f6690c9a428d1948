/** What `npm test -- …` and `npm run test:all -- …` were asked to run. */
import { spawnSync } from "node:child_process";
import { root } from "../root.mjs";

/**
 * The kinds of tests, `quick` or `all`, Vitest's filters, and whether it is acceptable that no test runs: only if nothing but `--changed` was
 * given, because a change may touch no test. With another filter, which may be misspelt, it is a failure. A name selects tests of every
 * kind: whoever names a test wants it run.
 */
export function readFilters(args) {
  const own = new Set(["--all", "--keep-times"]);
  const filters = args.filter((arg) => !own.has(arg));
  const names = filters.filter((filter) => !filter.startsWith("--"));
  return {
    kinds: args.includes("--all") || names.length > 0 ? "all" : "quick",
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
