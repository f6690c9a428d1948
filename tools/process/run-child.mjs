import { spawn } from "node:child_process";
import { constants } from "node:os";

/** One Ctrl-C, or one stop by a supervisor, may reach us twice: directly, and passed on by npm. */
const sameSignalMs = 1000;

/**
 * Runs a command in our place: same terminal, same signals, and its exit code as the result. We never end before it does.
 * Ctrl-C in a terminal reaches both processes; a signal sent only to us is passed on.
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
