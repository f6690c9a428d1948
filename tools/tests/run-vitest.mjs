/** Runs Vitest once, in a separate process group, so that all of it can be ended. It also ends if this process is killed. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../root.mjs";
import { readCounts } from "./counts.mjs";

/** The time tests get to stop what they started. */
const endGraceMs = 15_000;
const supervisor = join(root, "platform", "host", "end-with-parent.mjs");

/**
 * Resolves with the counts by file, the errors outside of tests, a line for each failure, and what ended the run: Vitest's exit code, or a
 * sentence. `kinds` is `quick` or `all`.
 */
export async function runVitest({ node, env, kinds, args, limitMs }) {
  const folder = mkdtempSync(join(tmpdir(), "slipway-test-counts-"));
  const countsFile = join(folder, "counts.json");
  try {
    const reporter = `--reporter=${join(root, "tools", "tests", "run-reporter.mjs")}`;
    const command = [join(root, "node_modules", "vitest", "vitest.mjs"), "run", reporter, ...args];
    const ending = await runWithin(limitMs, node, command, {
      cwd: root,
      env: { ...env, SLIPWAY_TEST_KINDS: kinds, SLIPWAY_TEST_COUNTS: countsFile },
    });
    return { ...readCounts(countsFile), ending };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the exit code or what ended it. */
function runWithin(timeoutMs, command, args, options) {
  const supervised = ["--no-warnings", supervisor, command, ...args];
  const child = spawn(process.execPath, supervised, { ...options, stdio: ["pipe", "inherit", "inherit"], detached: true });
  let reason;
  const end = (why) => {
    reason ??= why;
    killGroup(child, "SIGTERM");
    setTimeout(() => killGroup(child, "SIGKILL"), endGraceMs).unref();
  };
  const minutes = Math.round(timeoutMs / 60_000);
  const timer = setTimeout(() => end(`The tests were ended: they took longer than ${minutes} minutes.`), timeoutMs);
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => [signal, () => end(`The tests were ended by ${signal}.`)]);
  for (const [signal, listener] of signals) process.on(signal, listener);
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("exit", (code, signal) => {
      clearTimeout(timer);
      for (const [name, listener] of signals) process.off(name, listener);
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
