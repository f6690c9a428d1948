import { spawn } from "node:child_process";

/** Runs a command without showing its output; the result contains it, to be shown after a failure. */
export function runQuietly(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
    child
      .once("error", reject)
      .once("close", (code, signal) => resolve({ ok: code === 0, output: signal ? `${output}\nended by ${signal}` : output }));
  });
}
