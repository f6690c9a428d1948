/**
 * `npm test [-- filters]`: set-up, types, style, format, then the tests that need no luck. `npm run test:all`: all tests, with real engines,
 * containers, clusters, chaos and attacks; a file that fails is run once more. The last line printed is `N passed, N failed, N skipped`.
 */
import { join } from "node:path";
import { buildWeb } from "./set-up/build-web.mjs";
import { root } from "./root.mjs";
import { runWithUs } from "./process/run-quietly.mjs";
import { setUp } from "./set-up/set-up.mjs";
import { step } from "./process/step.mjs";
import { readFilters } from "./tests/read-filters.mjs";
import { runTests } from "./tests/run-tests.mjs";
import { runMain, Trouble } from "./process/trouble.mjs";

/** On two quiet cores a run takes less than half of this; one that takes longer hangs. On busy or slow ones it takes twice as long. */
const limitMs = 75 * 60_000;

const checks = [
  ["Checking types", [join(root, "node_modules", "typescript", "bin", "tsc"), "--noEmit", "-p", root]],
  ["Checking style", [join(root, "node_modules", "oxlint", "bin", "oxlint"), "--type-aware", "--quiet"]],
  ["Checking the format", [join(root, "node_modules", "oxfmt", "bin", "oxfmt"), "--list-different"]],
];

await runMain(async () => {
  const { kinds, filters, mayBeNone, keepTimes } = readFilters(process.argv.slice(2));
  const { node, env } = await setUp({ development: true });
  const total = { passed: 0, failed: 0, skipped: 0 };
  const add = (counts) => Object.keys(total).forEach((key) => (total[key] += counts[key]));
  if (filters.length === 0) for (const check of checks) add(await runCheck(check, node, env));
  try {
    await buildWeb(node);
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    // Without the panel, hundreds of tests would fail by what this sentence says.
    console.error(`\n${error.message}`);
    total.failed += 1;
    return tell(total);
  }
  const tests = await runTests({ node, env, kinds, args: filters, limitMs, repeats: kinds === "all" && filters.length === 0, keepTimes });
  add(tests.total);
  for (const line of tests.lines) console.log(line);
  if (total.passed === 0) console.error("No test ran.");
  return tell(total) || (total.passed === 0 && !mayBeNone ? 1 : 0);
});

/** Prints the last line, and returns the exit code for it. */
function tell({ passed, failed, skipped }) {
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0 ? 0 : 1;
}

async function runCheck([label, args], node, env) {
  const { ok, output } = await step(label, () => runWithUs(node, args, { cwd: root, env }));
  if (!ok) console.error(output.trim());
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
}
