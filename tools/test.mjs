/** `npm test [-- filters]`: set-up, types, lint, format, then the tests. The last line printed is `N passed, N failed, N skipped`. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildWeb } from "./set-up/build-web.mjs";
import { root } from "./root.mjs";
import { runQuietly } from "./process/run-quietly.mjs";
import { setUp } from "./set-up/set-up.mjs";
import { step } from "./process/step.mjs";
import { readCounts } from "./test-counts.mjs";
import { readFilters } from "./test-filters.mjs";
import { runMain, Trouble } from "./process/trouble.mjs";

/** On two quiet cores a run takes about a third of this; one that takes longer hangs. On busy or slow ones it takes twice as long. */
const limitMs = 75 * 60_000;
/** The time tests get to stop what they started. */
const endGraceMs = 15_000;

await runMain(async () => {
  const { filters, mayBeNone } = readFilters(process.argv.slice(2));
  const { node, env } = await setUp({ development: true });
  const total = { passed: 0, failed: 0, skipped: 0 };
  if (filters.length === 0) await runChecks(node, env, total);
  try {
    await buildWeb(node);
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    console.error(error.message);
    total.failed += 1;
  }
  await runTests(node, env, filters, total);
  if (total.passed === 0) console.error("No test ran.");
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  return total.failed === 0 && (total.passed > 0 || mayBeNone) ? 0 : 1;
});

async function runChecks(node, env, total) {
  const checks = [
    ["Checking types", [join(root, "node_modules", "typescript", "bin", "tsc"), "--noEmit", "-p", root]],
    ["Checking style", [join(root, "node_modules", "oxlint", "bin", "oxlint"), "--type-aware", "--quiet"]],
    ["Checking the format", [join(root, "node_modules", "oxfmt", "bin", "oxfmt"), "--list-different"]],
  ];
  for (const [label, args] of checks) {
    const { ok, output } = await step(label, () => runQuietly(node, args, { cwd: root, env }));
    if (!ok) console.error(output.trim());
    total[ok ? "passed" : "failed"] += 1;
  }
}

async function runTests(node, env, filters, total) {
  const folder = mkdtempSync(join(tmpdir(), "slipway-test-counts-"));
  const countsFile = join(folder, "counts.json");
  try {
    const reporters = ["--reporter=default", `--reporter=${join(root, "tools", "test-counts.mjs")}`];
    const all = [join(root, "node_modules", "vitest", "vitest.mjs"), "run", ...reporters, ...filters];
    const ending = await runWithin(limitMs, node, all, { cwd: root, env: { ...env, SLIPWAY_TEST_COUNTS: countsFile } });
    const counts = readCounts(countsFile);
    for (const key of ["passed", "failed", "skipped"]) total[key] += counts[key];
    for (const failure of counts.failures) console.error(`FAILED ${failure}`);
    // Any error outside a test (an uncaught error, a failed set-up, a time-out) is a failure too.
    if (ending !== 0 && counts.failed === 0) total.failed += 1;
    if (typeof ending === "string") console.error(ending);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the tests in a separate process group, so that all of it can be ended; returns the exit code or what ended it. */
function runWithin(timeoutMs, command, args, options) {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "inherit", "inherit"], detached: true });
  let reason;
  const end = (why) => {
    reason ??= why;
    killGroup(child, "SIGTERM");
    setTimeout(() => killGroup(child, "SIGKILL"), endGraceMs).unref();
  };
  const timer = setTimeout(() => end(`The tests were ended: they took longer than ${timeoutMs / 60_000} minutes.`), timeoutMs);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => end(`The tests were ended by ${signal}.`));
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("exit", (code, signal) => {
      clearTimeout(timer);
      resolve(reason ?? code ?? `The tests were ended by ${signal}.`);
    });
  });
}

function killGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}
