/** Runs a small system program to its end, with a time limit, as a given user. */
import { spawn } from "node:child_process";

export interface Owner {
  uid: number;
  gid: number;
}

interface ProgramRun {
  program: string;
  args: readonly string[];
  /** The user to run as; by default the control plane's. */
  owner?: Owner;
  cwd?: string;
  input?: string;
  timeoutMs: number;
  /** Kills the program, which then counts as failed. */
  signal?: AbortSignal;
}

/** Resolves when the program ends with 0; otherwise rejects with its standard error. */
export function runProgram(run: ProgramRun): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(run.program, run.args, {
      // With a user given, Node drops the control plane's groups as well.
      ...run.owner,
      cwd: run.cwd ?? "/",
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
      stdio: ["pipe", "ignore", "pipe"],
      timeout: run.timeoutMs,
      killSignal: "SIGKILL",
      ...(run.signal && { signal: run.signal }),
    });
    let trouble = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (trouble = (trouble + text).slice(-2_000)));
    // A program that ends without reading its input closes the pipe; only its exit code counts.
    child.stdin.on("error", () => undefined);
    child.stdin.end(run.input ?? "");
    child.on("error", reject);
    child.on("close", (code, signal) =>
      code === 0 ? resolve() : reject(new Error(trouble.trim() || `${run.program} ended with ${signal ?? code}`)),
    );
  });
}
