/** The tests of a run, and once more what failed. */
import { keepSeconds } from "./file-seconds.mjs";
import { sumOf } from "./counts.mjs";
import { runVitest } from "./run-vitest.mjs";

/** More failed files than this are no chance, and are not run again. */
const mostRepeated = 10;
const slowestShown = 10;

/**
 * Runs the tests that `args` select; returns their totals and the lines to print above the last one. With `repeats`, a file that fails is
 * run once more, alone: one that passes then is named as flaky and counts as passed.
 */
export async function runTests({ repeats, keepTimes, ...options }, run = runVitest) {
  const deadline = performance.now() + options.limitMs;
  const { files, outside, failures, ending } = await run(options);
  const failed = Object.keys(files).filter((path) => files[path].failed > 0);
  const lines = [];
  if (keepTimes && ending === 0) keepSeconds(files);
  // What the run as a whole failed by cannot be repeated file by file.
  const mayRepeat = repeats && typeof ending === "number" && outside === 0 && failed.length <= mostRepeated;
  for (const path of mayRepeat ? failed : []) {
    console.log(`Again, alone: ${path}`);
    const again = await run({ ...options, args: [path], limitMs: Math.max(0, deadline - performance.now()) });
    // Ctrl-C ends all of it, not this file alone.
    if (typeof again.ending === "string") break;
    const counts = again.files[path];
    if (again.ending !== 0 || !counts || counts.failed > 0) continue;
    files[path] = { ...counts, seconds: files[path].seconds };
    lines.push(`FLAKY ${path}`);
  }
  const total = sumOf(files);
  total.failed += outside;
  const stillFailed = failures.filter((failure) => !lines.some((line) => failure.startsWith(line.slice("FLAKY ".length))));
  // An error outside a test or a time-out is a failure, too, also if each file that has ended passed.
  if (ending !== 0 && failed.length === 0 && total.failed === 0) total.failed += 1;
  if (typeof ending === "string") stillFailed.push(ending);
  return { total, lines: [...slowest(files), ...stillFailed.map((failure) => `FAILED ${failure}`), ...lines] };
}

/** What to look at first to make the run quicker. */
function slowest(files) {
  const all = Object.entries(files).toSorted(([, one], [, other]) => other.seconds - one.seconds);
  if (all.length <= slowestShown) return [];
  return [
    "The slowest files:",
    ...all.slice(0, slowestShown).map(([path, { seconds }]) => `  ${seconds.toFixed(0).padStart(4)} s  ${path}`),
  ];
}
