/**
 * Runs a program for at most so many milliseconds, and then ends it with everything it started: a program that fetches credentials and
 * hangs would block every call to the cluster. Its output is passed on instead of inherited, so that no leftover process keeps ours open.
 */
import { spawn } from "node:child_process";

const [mostMs, program, ...args] = process.argv.slice(2);
// The leader of its process group.
const child = spawn(program!, args, { stdio: ["ignore", "pipe", "pipe"], detached: true });
child.stdout.pipe(process.stdout);
child.stderr.pipe(process.stderr);
child.on("error", (error) => end(127, error.message));
const late = setTimeout(() => {
  try {
    process.kill(-child.pid!, "SIGKILL");
  } finally {
    end(1, `${program} took longer than ${mostMs} ms`);
  }
}, Number(mostMs));
child.on("close", (code) => {
  clearTimeout(late);
  process.exitCode ??= code ?? 1;
});

function end(code: number, reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(code);
}
