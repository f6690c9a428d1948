/** Kills a process in the middle of its work, for tests of what is left behind. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { quickModules } from "../../tools/process/server-flags.mjs";

/**
 * Starts `program` with `given` as its one argument, lets it begin once it reports that it is ready, and kills it with -9 `afterMs`
 * later; resolves once it is dead. True if it had already finished.
 */
export async function killMidway(program: URL, given: object, afterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [quickModules, fileURLToPath(program), JSON.stringify(given)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const exited = once(child, "exit");
    await Promise.race([
      once(child.stdout, "data"),
      exited.then(([code]) => Promise.reject(new Error(`the process ended with ${code} before it began`))),
    ]);
    child.stdin.write("go\n");
    await Promise.race([delay(afterMs), exited]);
    child.kill("SIGKILL");
    const [code] = await exited;
    return code === 0;
  } finally {
    child.kill("SIGKILL");
  }
}
