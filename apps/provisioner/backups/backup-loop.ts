/**
 * Makes backups and exports that were requested (domain/backups/request-backup.ts, domain/exports/request-export.ts) or are due. PostgreSQL
 * notifications wake the loop; periodic sweeps find whatever a notification missed.
 */
import { randomUUID } from "node:crypto";
import { backupLeaseSeconds, claimBackups } from "#domain/backups/backup-queue.ts";
import { minuteMs, secondMs } from "#platform/clock.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";
import type { BackupTools } from "./backup-tools.ts";
import { sweepAbandoned, sweepBackups } from "./sweep-backups.ts";
import { workOnBackup } from "./work-on-backup.ts";

export interface BackupLoop {
  /** Something may be due: look now. */
  wake(): void;
  /** Takes no new work and waits for the work in progress. */
  stop(): Promise<void>;
}

/** Copies that wait to be packed take up space on their workspaces' disks. */
const mostWaiting = 32;
/** As long as an unresponsive workspace keeps its slot. */
const lookEveryMs = 2 * secondMs;
const sweepEveryMs = minuteMs;
/** A worker's lease: what a dead worker left is removed soon after it ends. */
const abandonedEveryMs = backupLeaseSeconds * secondMs;

/** Similar work done in the same loop. */
export interface MoreWork {
  /** Claims as much work as there are slots for and returns the running work, which never rejects. */
  claim(worker: string): Promise<Promise<void>[]>;
  sweep(): Promise<void>;
}

/** Starts the loop; it runs until `stop`. */
export function startBackupLoop(tools: BackupTools, more: readonly MoreWork[] = [], rounds?: Rounds): BackupLoop {
  const { db, clock, log, slots } = tools;
  const worker = randomUUID();
  const underWay = new Set<Promise<void>>();
  const inHand = new Set<string>();
  let sweeping: Promise<void> = Promise.resolve();

  function track(work: Promise<void>): void {
    const followed = work
      .catch((err: unknown) => log.error({ err }, "a backup ended with an unexpected error"))
      .finally(() => {
        underWay.delete(followed);
        loop.wake();
      });
    underWay.add(followed);
  }

  const loop = createWakeLoop({
    async work() {
      const room = Math.min(slots.freeze.free(), mostWaiting - slots.pack.waiting());
      if (room > 0)
        for (const row of await claimBackups(db, worker, clock.now(), room, [...inHand], tools.host)) {
          inHand.add(row.id);
          track(workOnBackup(tools, row, worker).finally(() => inHand.delete(row.id)));
        }
      for (const each of more) for (const work of await each.claim(worker)) track(work);
    },
    followed: { by: rounds, name: "backups" },
    onError: (err) => log.warn({ err }, "the backup loop could not look for due backups"),
  });

  function sweep(): void {
    sweeping = sweeping
      .then(() => sweepBackups(tools))
      .then(() => Promise.all(more.map((each) => each.sweep())))
      .then(loop.wake, (err: unknown) => log.warn({ err }, "the backups could not be swept"));
  }

  function sweepAfterDeaths(): void {
    sweeping = sweeping
      .then(() => sweepAbandoned(tools))
      .catch((err: unknown) => log.warn({ err }, "leftovers of dead workers could not be swept"));
  }

  const timers = [setInterval(sweep, sweepEveryMs), setInterval(sweepAfterDeaths, abandonedEveryMs)];
  sweep();
  loop.start(lookEveryMs);
  return {
    wake: loop.wake,
    async stop() {
      const ended = loop.stop();
      timers.forEach(clearInterval);
      await sweeping;
      await ended;
      await Promise.all(underWay);
    },
  };
}
