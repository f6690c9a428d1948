/**
 * `npm run prove [-- words…] [--again]`: for each row of docs/coverage.md, breaks the product in one line and expects the row's test to
 * fail. Words select rows, files or titles that contain them; what is proved since its files changed is not repeated without `--again`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { nameOf, reasons } from "./break.ts";
import { breaks, unproved } from "./breaks.ts";
import { isPanelTest } from "./judge-run.ts";
import { createProver } from "./prove-break.ts";
import { readRows, rowOf } from "./read-rows.ts";
import { openResults } from "./results.ts";
import { makeScratchCopy } from "./scratch-copy.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { positionals: words, values } = parseArgs({ allowPositionals: true, options: { again: { type: "boolean", default: false } } });
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const rows = readRows(readFileSync(join(root, "docs/coverage.md"), "utf8"));
// Those with a browser last: each takes a minute, the others a few seconds.
const chosen = breaks
  .filter((each) => words.length === 0 || words.some((word) => JSON.stringify(each).includes(word)))
  .toSorted((one, other) => Number(isPanelTest(one.test)) - Number(isPanelTest(other.test)));
using copy = makeScratchCopy(root);
const results = openResults(root, copy.folder);
await using prover = createProver(copy);
// Vitest ends itself when this process does; the results are kept after each row.
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    copy[Symbol.dispose]();
    process.exit(1);
  });
const proved = new Set<string>();
const failed = new Map<string, string>();
for (const [at, each] of chosen.entries()) {
  const { promise } = rowOf(rows, each.row);
  const known = values.again ? undefined : results.find(each);
  const startedAtMs = performance.now();
  const verdict = known?.isProved ? known : await prover.prove(each);
  results.keep(each, verdict);
  if (verdict.isProved) proved.add(promise);
  else failed.set(promise, `${nameOf(each)}\n      ${each.test}: ${verdict.says}`);
  const seconds = known?.isProved ? "known" : `${((performance.now() - startedAtMs) / 1000).toFixed(0)} s`;
  print(
    `${at + 1}/${chosen.length} ${verdict.isProved ? "proved    " : "NOT PROVED"} ${seconds.padStart(5)}  ${promise.slice(0, 70)}: ${verdict.says}`,
  );
}
for (const promise of failed.keys()) proved.delete(promise);
print("");
for (const [promise, why] of failed) print(`  not proved: ${promise}\n      ${why}`);
if (words.length === 0)
  for (const { row, why } of unproved) print(`  not mechanical: ${rowOf(rows, row).promise.slice(0, 100)}: ${reasons[why]}`);
const left = words.length === 0 ? unproved.length : 0;
print(`${proved.size} rows proved, ${failed.size} not proved, ${left} not mechanical`);
process.exitCode = failed.size === 0 ? 0 : 1;
