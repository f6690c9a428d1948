/**
 * Limits the memory of n8n's code runner below the workspace's own limit. At the workspace's limit the kernel kills the runner first, but
 * a process that is ending no longer counts as killed, while its memory takes some tens of milliseconds to be freed: if n8n asks for
 * memory in that moment, it is killed as well, with everything that runs in it. Below its own limit, the runner is refused memory instead.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Limits what this process may still take, in MB, for good: a process may lower its own limit, but not raise it again. JavaScript is
 * refused a buffer that does not fit, after a collection; if the heap itself cannot grow, V8 ends the process. Processes it starts have the
 * same limit each. Returns why if this system cannot do it; then only the workspace's limit applies.
 */
export function limitMemory(moreMb: number): string | undefined {
  try {
    // V8 reserves much more than it uses, and the kernel counts that: so the limit is relative to what is reserved now.
    const reservedKb = Number(/^VmData:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
    if (!Number.isSafeInteger(reservedKb)) return "the kernel does not tell how much memory the process has reserved";
    const bytes = (reservedKb + moreMb * 1024) * 1024;
    execFileSync("prlimit", [`--pid=${process.pid}`, `--data=${bytes}:${bytes}`], { stdio: ["ignore", "ignore", "pipe"] });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
