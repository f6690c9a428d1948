/**
 * Allows one installation of a release at a time on a host. The lock is SQLite's own on an empty file: the kernel frees it as soon as its
 * process dies, so no stale locks remain.
 */
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { DatabaseSync } from "node:sqlite";

const retryMs = 250;

/**
 * Waits until we have the lock and returns a function that frees it. `onWait` is called before each further attempt. Rejects when `signal`
 * aborts.
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

/** Workspaces can read the folder. One that could read the file could hold a reader's lock, and keep ours out for as long as it likes. */
function closeToOthers(path: string): void {
  // An existing file is never opened here: closing it would end this process's own lock.
  if (!existsSync(path)) writeFileSync(path, "", { flag: "a", mode: 0o600 });
  chmodSync(path, 0o600);
}

function tryLock(path: string): (() => void) | undefined {
  closeToOthers(path);
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
