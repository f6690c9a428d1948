/** What running workspaces use: from their control groups if they have them, otherwise from /proc in one pass for all. */
import { readdirSync, readFileSync } from "node:fs";
import type { RunUsage } from "../../driver.ts";
import { compressedShare, listSwaps } from "../freezing/swap.ts";
import type { ProcessHost } from "../host/process-host.ts";
import { storedMb } from "../storage/workspace-storage.ts";
import { isAlive, readRecord } from "./process-record.ts";

/** Usage of those that run here; empty on a system without /proc. */
export async function measureUsage(host: ProcessHost, workspaceIds: readonly string[]): Promise<Map<string, RunUsage>> {
  const usage = new Map<string, RunUsage>();
  const byUid = new Map<number, string>();
  const bySession = new Map<number, string>();
  let share: number | undefined;
  for (const id of workspaceIds) {
    const record = await readRecord(host.paths(id));
    if (!record || !(await isAlive(record))) continue;
    const { pid, uid, sandboxed } = record;
    const memoryMb = sandboxed && uid !== undefined ? host.sandbox?.memoryMb({ uid }) : undefined;
    if (memoryMb !== undefined) {
      const swappedMb = host.sandbox?.swappedMb({ uid: uid! }) ?? 0;
      if (swappedMb > 0) share ??= compressedShare(listSwaps());
      const cpuSeconds = host.sandbox?.processorSeconds({ uid: uid! });
      const diskMb = await storedMb(host.paths(id)).catch(() => undefined);
      usage.set(id, {
        memoryMb,
        ...(cpuSeconds !== undefined && { cpuSeconds }),
        ...(diskMb !== undefined && { diskMb }),
        ...(swappedMb > 0 && { swappedMb }),
        ...(swappedMb > 0 && share && { compressedMb: Math.round(swappedMb * share) }),
      });
      continue;
    }
    bySession.set(pid, id);
    if (uid !== undefined) byUid.set(uid, id);
  }
  const kilobytes = new Map<string, number>();
  if (bySession.size > 0) {
    for (const status of readStatuses()) {
      const id = byUid.get(status.uid) ?? bySession.get(status.session);
      if (id !== undefined) kilobytes.set(id, (kilobytes.get(id) ?? 0) + status.memoryKb);
    }
  }
  for (const [id, kb] of kilobytes) usage.set(id, { memoryMb: Math.round(kb / 1024) });
  return usage;
}

interface Status {
  uid: number;
  session: number;
  memoryKb: number;
}

/** /proc needs no disk: read synchronously, a host's 500 processes take about 10 ms. */
function readStatuses(): Status[] {
  return listPids().flatMap((pid) => {
    const text = readStatus(pid);
    // Without mapped file pages, which belong to the page cache.
    const [uid, session, own, shared] = [/^Uid:\t(\d+)/m, /^NSsid:\t(\d+)/m, /^RssAnon:\s+(\d+)/m, /^RssShmem:\s+(\d+)/m].map((field) =>
      Number(field.exec(text)?.[1] ?? 0),
    );
    const memoryKb = own! + shared!;
    // Kernel threads have no memory, and a process that has just ended has no status.
    return memoryKb ? [{ uid: uid!, session: session!, memoryKb }] : [];
  });
}

function listPids(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function readStatus(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
