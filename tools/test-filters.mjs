/** What `npm test -- …` was asked to run. */
import { spawnSync } from "node:child_process";
import { root } from "./root.mjs";

/**
 * Vitest's filters for the arguments, and whether it is acceptable that no test runs: only if nothing but `--changed` was given, because a
 * change may touch no test. With another filter, which may be misspelt, it is a failure.
 */
export function readFilters(args) {
  return {
    filters: args.map((filter) => (filter === "--changed" ? changedSinceMain() : filter)),
    mayBeNone: args.length > 0 && args.every((filter) => filter.startsWith("--changed")),
  };
}

/** `--changed`: what differs from the branch `main`, committed or not; without such a branch, what is not committed. */
function changedSinceMain() {
  const branch = ["main", "origin/main"].find(
    (name) => spawnSync("git", ["rev-parse", "--verify", "--quiet", name], { cwd: root }).status === 0,
  );
  return branch ? `--changed=${branch}` : "--changed";
}
