/**
 * The loop that makes backups and exports that somebody asked for (domain/backups/request-backup.ts, domain/exports/request-export.ts) or
 * that fell due: woken by PostgreSQL for speed, sweeping for truth.
 */
import { randomUUID } from "node:crypto";
import { backupLeaseSeconds, claimBackups } from "#domain/backups/backup-store.ts";
import { minuteMs, secondMs } from "#platform/clock.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";
import type { BackupTools } from "./backup-tools.ts";
import { sweepAbandoned, sweepBackups } from "./sweep-backups.ts";
import { workOnBackup } from "./work-on-backup.ts";

export interface BackupLoop {
  /** Something may be due: look now. */
  wake(): void;
  /** Takes nothing new and waits for what is under way. */
  stop(): Promise<void>;
}

/** Copies that wait to be packed lie on their workspaces' disks. */
const mostWaiting = 32;
/** As long as a workspace that does not answer keeps its slot. */
const lookEveryMs = 2 * secondMs;
const sweepEveryMs = minuteMs;
/** As long as the lease of a worker that died: what it was at is over soon after. */
const abandonedEveryMs = backupLeaseSeconds * secondMs;

/** Work of the same kind that is due beside backups. */
export interface MoreWork {
  /** Takes as much as it has slots for and returns the work under way; never rejects later. */
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

  function follow(work: Promise<void>): void {
    const followed = work
      .catch((err: unknown) => log.error({ err }, "a backup ended in a way that was not foreseen"))
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
        for (const row of await claimBackups(db, worker, clock.now(), room, [...inHand])) {
          inHand.add(row.id);
          follow(workOnBackup(tools, row, worker).finally(() => inHand.delete(row.id)));
        }
      for (const each of more) for (const work of await each.claim(worker)) follow(work);
    },
    followed: { by: rounds, name: "backups" },
    onError: (err) => log.warn({ err }, "the backup loop could not look for what is due"),
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
      .catch((err: unknown) => log.warn({ err }, "what dead workers left could not be swept"));
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
