/**
 * How long test files take on two cores, as the last kept run measured: for their order (testing/longest-first.ts) and for the time that a
 * run still takes. `npm run test:all -- --keep-times` writes them anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { root } from "../root.mjs";

const file = join(root, "testing", "file-seconds.json");
/** Shorter files are left out: their order is of no consequence, and the list would change with each run. */
const shortestSeconds = 4;
/** Of a file that is not in the list. */
export const usualSeconds = 1;

let known;
/** By path from the root. */
export const knownSeconds = () => (known ??= JSON.parse(readFileSync(file, "utf8")));

/** Seconds that the file at this absolute path takes. */
export const fileSeconds = (path) => knownSeconds()[relative(root, path).split(sep).join("/")] ?? usualSeconds;

/** Keeps what a run has measured, the longest first. Files that it did not run keep their time. */
export function keepSeconds(counts) {
  const measured = Object.entries(counts).map(([path, { seconds }]) => [path, Math.round(seconds)]);
  const all = Object.entries({ ...knownSeconds(), ...Object.fromEntries(measured) });
  const long = all.filter(([, seconds]) => seconds >= shortestSeconds).toSorted(([, one], [, other]) => other - one);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(long), null, 2)}\n`);
}
