/** A worker on the simulated host that is killed after a number of steps: from then on, nothing it does has any effect. */
import type { Readable } from "node:stream";
import type pg from "pg";
import { drizzle } from "drizzle-orm/node-postgres";
import type { BackupTools } from "#apps/provisioner/backups/backup-tools.ts";
import type { Driver } from "#apps/provisioner/drivers/driver.ts";
import * as tables from "#database/tables.ts";
import type { BackupStorage } from "#domain/backups/storage/backup-storage.ts";
import type { Database } from "#platform/database.ts";

class Killed extends Error {
  override readonly name = "Killed";
}

export interface Mortal {
  /** Counts one step and runs it, unless the process is dead; it may die before or after the step. False for `changes`: it only reads. */
  step<T>(work: () => Promise<T>, changes?: boolean): Promise<T>;
  isDead(): boolean;
}

/** Dies at its `lifetime`th step. `diesBefore`: before running it. */
export function createMortal(lifetime: number, diesBefore: boolean): Mortal {
  let steps = 0;
  const isDead = () => steps > lifetime;
  return {
    isDead,
    async step(work) {
      if (isDead()) throw new Killed();
      steps += 1;
      if (isDead() && diesBefore) throw new Killed();
      const done = await work();
      if (isDead()) throw new Killed();
      return done;
    },
  };
}

/**
 * Never dies. Before its `at`th step that changes something, counted from 0, it waits for `interrupt`, which may end while statements of
 * it still wait for this process's locks.
 */
export function createInterrupted(at: number, interrupt: () => Promise<void>): Mortal & { wasInterrupted(): boolean } {
  let changes = 0;
  return {
    isDead: () => false,
    wasInterrupted: () => changes > at,
    async step(work, isChange = true) {
      if (isChange && (changes += 1) === at + 1) await interrupt();
      return work();
    },
  };
}

/** The pool for this process. A dead process's open transactions are rolled back, as the server does when the connection is gone. */
export function mortalDatabase(pool: pg.Pool, mortal: Mortal): Database {
  const textOf = (query: unknown): string => (typeof query === "string" ? query : ((query as { text?: string } | null)?.text ?? ""));
  const guard = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(on, name) {
        const value = Reflect.get(on, name, on) as unknown;
        if (typeof value !== "function") return value;
        const call = (...args: unknown[]) => (value as (...all: unknown[]) => unknown).apply(on, args);
        if (name === "connect") return async () => guard((await call()) as object);
        if (name === "query")
          return (...args: unknown[]) =>
            /^(begin|rollback)/i.test(textOf(args[0]))
              ? call(...args)
              : mortal.step(async () => call(...args), /^(insert|update|delete|with)/i.test(textOf(args[0])));
        return call;
      },
    });
  return drizzle(guard(pool), { schema: tables });
}

/** Every call is a step. */
export function mortalDriver(driver: Driver, mortal: Mortal): Driver {
  return {
    ...driver,
    ensure: (spec) => mortal.step(() => driver.ensure(spec)),
    ...(driver.freeze && { freeze: (id) => mortal.step(() => driver.freeze!(id)) }),
    ...(driver.thaw && { thaw: (id) => mortal.step(() => driver.thaw!(id)) }),
    ...(driver.reassign && { reassign: (spec) => mortal.step(() => driver.reassign!(spec)) }),
    observe: (id) => mortal.step(() => driver.observe(id), false),
    remove: (id) => mortal.step(() => driver.remove(id)),
    readStorage: (...args) => mortal.step(() => driver.readStorage(...args)),
    replaceStorage: (...args) => mortal.step(() => driver.replaceStorage(...args)),
    logs: (...args) => mortal.step(() => driver.logs(...args), false),
  };
}

/** Every call is a step. */
function mortalStorage(storage: BackupStorage, mortal: Mortal): BackupStorage {
  return {
    place: storage.place,
    write: (name, content: Readable) =>
      mortal
        .step(() => storage.write(name, content))
        .catch((error: unknown) => {
          content.destroy();
          throw error;
        }),
    read: (name) => mortal.step(() => storage.read(name)),
    remove: (name) => mortal.step(() => storage.remove(name)),
    list: (kind) => mortal.step(() => storage.list(kind), false),
    check: () => storage.check(),
  };
}

/** The tools of a process that may die. */
export const mortalTools = (tools: BackupTools, pool: pg.Pool, mortal: Mortal): BackupTools => ({
  ...tools,
  db: mortalDatabase(pool, mortal),
  driver: mortalDriver(tools.driver, mortal),
  storage: mortalStorage(tools.storage, mortal),
});
