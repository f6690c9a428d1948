/**
 * Keeps used workspaces awake. A workspace falls asleep only if the database has no recent use of it, so a use is recorded before its
 * request is passed on, and again while requests or connections are open. Recording a use of a sleeping workspace also requests that it be
 * woken.
 */
import { secondMs } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import { within } from "#platform/loops/within.ts";

/** Records that these workspaces are used now, and requests that sleeping ones be woken. Returns the ids of those asleep. */
export type RecordUse = (workspaceIds: readonly string[]) => Promise<string[]>;

export interface Uses {
  /**
   * Records a use. Resolves with `awake` immediately if one was recorded recently, because then it cannot fall asleep now. Rejects if that
   * cannot be found out: after at most 2 s, and immediately for 2 s after the database failed to answer.
   */
  note(workspaceId: string): "awake" | Promise<"awake" | "asleep">;
  /**
   * Requests once that a sleeping workspace be woken, however many requests ask for it. Resolves when that is recorded; retries until
   * `signal` aborts.
   */
  wake(workspaceId: string, signal: AbortSignal): Promise<void>;
  stop(): void;
}

interface UsesOptions {
  record: RecordUse;
  /** Ids of the workspaces with open requests or connections. */
  used(): string[];
  log: Log;
  everyMs?: number;
}

/** One write a minute for each used workspace. A fifth of the shortest time after which a plan lets one sleep. */
const recentMs = 60 * secondMs;
/** Well within `recentMs`, so that a use that lasts is never missed. */
const keepEveryMs = 20 * secondMs;
const retryMs = secondMs;
/** A slower database counts as hanging, as for routes: visitors of an open workspace need not wait for it. */
const recordMs = 2 * secondMs;
/** Rows per statement. */
const mostAtOnce = 1000;

export function createUses({ record, used, log, everyMs = keepEveryMs }: UsesOptions): Uses {
  /** By `performance.now`, so that changing the clock has no effect. */
  const notedAt = new Map<string, number>();
  const pending = new Map<string, Promise<"awake" | "asleep">>();
  let isStopped = false;
  let unknownUntil = 0;

  const ask = (workspaceId: string): Promise<"awake" | "asleep"> => {
    const known = pending.get(workspaceId);
    if (known) return known;
    const askedAt = performance.now();
    const asking = record([workspaceId])
      .then((asleep) => {
        if (asleep.length > 0) return "asleep" as const;
        notedAt.set(workspaceId, askedAt);
        return "awake" as const;
      })
      .finally(() => pending.delete(workspaceId));
    pending.set(workspaceId, asking);
    return asking;
  };

  const noteWithin = async (asking: Promise<"awake" | "asleep">): Promise<"awake" | "asleep"> => {
    try {
      return await within(recordMs, "recording a use", asking);
    } catch (error) {
      unknownUntil = performance.now() + recordMs;
      throw error;
    }
  };

  const keep = async (): Promise<void> => {
    const now = performance.now();
    for (const [id, at] of notedAt) if (now - at > recentMs) notedAt.delete(id);
    const open = used();
    for (let from = 0; from < open.length; from += mostAtOnce) {
      const some = open.slice(from, from + mostAtOnce);
      const asleep = new Set(await record(some));
      for (const id of some) if (!asleep.has(id)) notedAt.set(id, now);
    }
  };
  const timer = setInterval(
    () => void keep().catch((err: unknown) => log.warn({ err }, "workspace usage could not be recorded; it will be retried")),
    everyMs,
  );
  timer.unref();

  return {
    note(workspaceId) {
      const at = notedAt.get(workspaceId);
      if (at !== undefined && performance.now() - at < recentMs) return "awake";
      const asking = ask(workspaceId);
      if (performance.now() >= unknownUntil) return noteWithin(asking);
      // Recorded all the same, if the database is back.
      asking.catch(() => undefined);
      return Promise.reject(new Error("the database did not answer a moment ago"));
    },
    async wake(workspaceId, signal) {
      while (!signal.aborted && !isStopped) {
        try {
          return void (await ask(workspaceId));
        } catch (err) {
          log.warn({ err, workspaceId }, "a workspace could not be woken; it will be retried");
          await new Promise((resolve) => setTimeout(resolve, retryMs).unref());
        }
      }
    },
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
