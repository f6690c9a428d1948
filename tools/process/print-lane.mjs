/** Prints what one of several test runs prints, line by line, so that two of them do not mix within a line. */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";

/** Vitest's report at the end of a run: a rule with a title such as "Failed Tests 1", or the first of the sums. */
const reportBegins = /⎯{3}|^\s*Test Files\s/;

/** Something that the tests left running may hold the output open; it must not hold the whole run open. */
const closeTimeoutMs = 5000;

/** Passes on the output of `child`; its report is kept back until it has ended, and printed as a whole. Resolves then. */
export async function printLane(child, { waitMs = closeTimeoutMs } = {}) {
  const report = [];
  const sources = [child.stdout, child.stderr];
  for (const source of sources) {
    createInterface({ input: source }).on("line", (line) => {
      if (report.length > 0 || reportBegins.test(stripVTControlCharacters(line))) report.push(line);
      else process.stdout.write(`${line}\n`);
    });
  }
  const closed = once(child, "close");
  await once(child, "exit");
  await Promise.race([closed, sleep(waitMs, undefined, { ref: false })]);
  for (const source of sources) source.destroy();
  process.stdout.write(report.map((line) => `${line}\n`).join(""));
}
