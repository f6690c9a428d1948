/**
 * The database for work on the data folder and on the host's workspaces: it waits while this process does not hold their locks, so that two
 * programs never do that work together. A restart of PostgreSQL ends both locks; they are taken again within a second of its return.
 */
import type { Pool } from "pg";
import { fenceDatabase, type Database } from "#platform/database.ts";
import type { HeldLock } from "#platform/postgres/server/data-folder-lock.ts";

interface Fence {
  db: Database;
  /** From now on work that would have to wait fails: the process ends. */
  end(): void;
}

export function fenceWriting(pool: Pool, locks: readonly Pick<HeldLock, "held">[]): Fence {
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  let isEnding = false;
  const allHeld = async (): Promise<void> => {
    for (const lock of locks) await lock.held();
  };
  const held = (): Promise<void> => {
    if (!isEnding) return Promise.race([allHeld(), ended.promise]);
    // Locks that are held say so before this: what stops the work, such as returning leases, needs the database.
    return Promise.race([allHeld(), new Promise<never>((_resolve, reject) => setImmediate(() => reject(notHeld())))]);
  };
  return {
    db: fenceDatabase(pool, held),
    end() {
      isEnding = true;
      ended.reject(notHeld());
    },
  };
}

const notHeld = (): Error => new Error("the process is ending, and its locks are not held");
