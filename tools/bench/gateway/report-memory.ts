/** Reports a measured server's memory to the measuring process on request. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** In the server: answers each `"memory"` with its resident memory in bytes, after a collection if `--expose-gc` allows one. */
export function reportMemory(): void {
  process.on("message", (message) => {
    if (message !== "memory") return;
    globalThis.gc?.();
    process.send!({ rss: process.memoryUsage.rss() });
  });
}

/** In the measuring process: the server's resident memory in bytes. */
export async function memoryOf(server: ChildProcess): Promise<number> {
  server.send("memory");
  const [{ rss }] = (await once(server, "message")) as [{ rss: number }];
  return rss;
}
