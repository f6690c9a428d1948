import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "../root.mjs";

const supervisor = join(root, "platform", "host", "end-with-parent.mjs");

/** Runs a command without showing its output; the result contains it, to be shown after a failure. */
export function runQuietly(command, args, options = {}) {
  return collectOutput(spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] }));
}

/**
 * Like `runQuietly`, for a command that writes into this clone: it ends, with everything it started, when we do, however that happens. The
 * next start of a killed one then does not find it still at work.
 */
export function runWithUs(command, args, options = {}) {
  return collectOutput(
    spawn(process.execPath, ["--no-warnings", supervisor, command, ...args], {
      ...options,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    }),
  );
}

function collectOutput(child) {
  return new Promise((resolve, reject) => {
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
    child
      .once("error", reject)
      .once("close", (code, signal) => resolve({ ok: code === 0, output: signal ? `${output}\nended by ${signal}` : output }));
  });
}
