/**
 * Notes which workspaces have visitors, so that workers look at those within a minute and leave quiet ones alone. Kept in memory, without a
 * query or an object per request, and saved periodically.
 */
import { secondMs } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";

export interface Visits {
  /** A visitor's request is passed on to this workspace. */
  note(workspaceId: string): void;
  /** Saves the remaining notes and stops. */
  stop(): Promise<void>;
}

interface VisitsOptions {
  save(workspaceIds: readonly string[]): Promise<void>;
  log: Log;
  saveEveryMs?: number;
  rounds?: Rounds | undefined;
}

/** Added to the wait after a saved visit (domain/workspaces/observed/due-store.ts), this brings a look within a minute. */
const saveEveryMs = 10 * secondMs;
/** Rows per statement. */
const mostAtOnce = 1000;

export function startVisits({ save, log, rounds, saveEveryMs: everyMs = saveEveryMs }: VisitsOptions): Visits {
  let visited = new Set<string>();
  let isFailing = false;

  const saveAll = async (): Promise<void> => {
    const ids = [...visited];
    visited = new Set();
    try {
      for (let from = 0; from < ids.length; from += mostAtOnce) await save(ids.slice(from, from + mostAtOnce));
      isFailing = false;
    } catch (error) {
      ids.forEach((id) => visited.add(id));
      throw error;
    }
  };
  const onError = (err: unknown): void => {
    if (!isFailing) log.warn({ err }, "visits to workspaces could not be saved; saving is retried");
    isFailing = true;
  };
  const loop = createWakeLoop({ work: saveAll, onError, followed: { by: rounds, name: "gateway visits" } });
  loop.start(everyMs);

  return {
    note: (workspaceId) => void visited.add(workspaceId),
    async stop() {
      await loop.stop();
      await saveAll().catch(onError);
    },
  };
}
