/** What the reporter (run-reporter.mjs) keeps. Apart from it, because a new clone has no Vitest to load it with. */
import { readFileSync } from "node:fs";

/** The totals of files, by path. */
export function sumOf(files) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const counts of Object.values(files)) for (const key of Object.keys(total)) total[key] += counts[key];
  return total;
}

/** What the reporter wrote: `files` by path, errors `outside` a test, a line for each error in `failures`; nothing if no file finished. */
export function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { files: {}, outside: 0, failures: [] };
  }
}
