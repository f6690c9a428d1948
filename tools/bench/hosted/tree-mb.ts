/** How much memory a process and all its descendants use. */
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** Anonymous and shared memory of a process and all below it. Linux only. */
export async function treeMb(root: number): Promise<number> {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), Number(/^PPid:\s+(\d+)/m.exec(statusOf(name))?.[1] ?? 0)]),
  );
  const isBelow = (pid: number): boolean => pid === root || (parents.has(pid) && isBelow(parents.get(pid)!));
  let kb = 0;
  for (const pid of parents.keys()) {
    if (!isBelow(pid)) continue;
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    kb += Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) + Number(/^RssShmem:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }
  return Math.round(kb / 1024);
}

function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
