/** Runs one of the system's own small programs to its end, within a time, as a chosen user. */
import { spawn } from "node:child_process";

export interface Owner {
  uid: number;
  gid: number;
}

export interface ProgramRun {
  program: string;
  args: readonly string[];
  /** As whom; as the control plane's own user where absent. */
  owner?: Owner;
  cwd?: string;
  input?: string;
  timeoutMs: number;
}

/** Resolves when the program ends with 0; rejects with what it wrote to standard error otherwise. */
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
    });
    let trouble = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (trouble = (trouble + text).slice(-2_000)));
    // A program that ends without reading its input closes the pipe; how it ended is what counts.
    child.stdin.on("error", () => undefined);
    child.stdin.end(run.input ?? "");
    child.on("error", reject);
    child.on("close", (code, signal) =>
      code === 0 ? resolve() : reject(new Error(trouble.trim() || `${run.program} ended with ${signal ?? code}`)),
    );
  });
}
