/**
 * One install of a release at a time on a host. The lock is SQLite's own on an empty file: the kernel frees it as soon as its process dies,
 * so no stale locks remain.
 */
import { setTimeout as delay } from "node:timers/promises";
import { DatabaseSync } from "node:sqlite";

const retryMs = 250;

/**
 * Waits until the lock is ours and returns what frees it. `onWait` is called before each further try.
 * Rejects when `signal` aborts.
 */
export async function holdInstallLock(path: string, onWait: () => void, signal?: AbortSignal): Promise<() => void> {
  for (;;) {
    signal?.throwIfAborted();
    const free = tryLock(path);
    if (free !== undefined) return free;
    onWait();
    await delay(retryMs, undefined, { signal });
  }
}

function tryLock(path: string): (() => void) | undefined {
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec("BEGIN EXCLUSIVE");
    return () => file.close();
  } catch (error) {
    file.close();
    if (error instanceof Error && "errcode" in error && error.errcode === sqliteBusy) return undefined;
    throw error;
  }
}

const sqliteBusy = 5;
