import { spawn } from "node:child_process";
import { constants } from "node:os";

/** One press of Ctrl-C or one stop by a supervisor may reach us twice: by itself, and handed on by npm. */
const sameSignalMs = 1000;

/**
 * Runs a command in our place: same terminal, same signals, its exit code as the answer. We never end before it does.
 * Ctrl-C in a terminal reaches both of us by itself; a signal sent to us alone is handed on.
 */
export function runChild(command, args, options) {
  const child = spawn(command, args, { ...options, stdio: "inherit" });
  const handedOnAt = {};
  const handOn = (signal) => {
    if (performance.now() - (handedOnAt[signal] ?? -Infinity) < sameSignalMs) return;
    handedOnAt[signal] = performance.now();
    child.kill(signal);
  };
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => handOn(signal));
  process.on("SIGINT", () => process.stdin.isTTY || handOn("SIGINT"));
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("exit", (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}
