import { spawn } from "node:child_process";
import { constants } from "node:os";

/**
 * Runs a command in our place: same terminal, same signals, its exit code as the answer. We never end before it does.
 * Ctrl-C in a terminal reaches both of us by itself; a signal sent to us alone is handed on.
 */
export function runChild(command, args, options) {
  const child = spawn(command, args, { ...options, stdio: "inherit" });
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("exit", (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}
