/** Periodic work: starts due nightly backups, removes old ones, and marks those of dead workers as failed. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { BackupFailure } from "#domain/backups/backup-failure.ts";
import { beginNightlyBackup, dropFutureChecks, listNightlyCandidates, putOffNightly } from "#domain/backups/nightly-store.ts";
import { endBackup, listAbandonedBackups, listBackupsInHand } from "#domain/backups/backup-queue.ts";
import { claimExpiredBackups, expireOfClosed, noteBackupStays, putOffStaying } from "#domain/backups/expired-backup-store.ts";
import { beginRemoval, finishRemoval } from "#domain/backups/remove-backup.ts";
import { failedUntil } from "#domain/backups/retention.ts";
import { storedByAnyTry } from "#domain/backups/stored-backup.ts";
import { isGapOpen } from "#domain/memory-gap/memory-gap-store.ts";
import { after, hourMs, minuteMs, systemClock } from "#platform/clock.ts";
import { readClockApart } from "#platform/postgres/clock-apart.ts";
import type { BackupTools } from "./backup-tools.ts";
import { isNightlyDue, leastPauseMs, nextNightlyCheck } from "#domain/backups/nightly-schedule.ts";

/** Several workers may run it at the same time, and it may be interrupted anywhere. */
export async function sweepBackups(tools: BackupTools): Promise<void> {
  await sweepAbandoned(tools);
  await expire(tools);
  await beginNightly(tools);
}

/**
 * Cleans up after dead workers: rows that are still marked as being made, and backups opened for inspection. As safe to repeat and
 * interrupt as the above.
 */
export async function sweepAbandoned(tools: BackupTools): Promise<void> {
  await abandon(tools);
  await clearStaging(tools);
}

/** Per sweep: 100,000 workspaces are checked three times a day each, mostly in the nights of a few timezones. */
const nightlyAtOnce = 2_000;
/** How long to wait if another process was about to begin it, or an earlier one has not ended. */
const againMs = 15 * minuteMs;

/** Length of a UUID. The folder of an attempt is named after the backup and the attempt. */
const idLength = 36;

/** An opened backup contains a customer's data in plain text, so one whose worker has died must not stay. */
async function clearStaging({ db, stagingDir, log }: BackupTools): Promise<void> {
  const staged = await readdir(stagingDir).catch(() => []);
  const idOf = (name: string): string => name.slice(0, idLength);
  const inHand = new Set(staged.length > 0 ? await listBackupsInHand(db, staged.map(idOf)) : []);
  for (const name of staged.filter((each) => !inHand.has(idOf(each)))) {
    await rm(join(stagingDir, name), { recursive: true, force: true }).catch((err: unknown) =>
      log.warn({ err, name }, "an opened backup of a dead worker could not be removed"),
    );
  }
}

async function abandon({ db, storage, clock, log }: BackupTools): Promise<void> {
  for (const row of await listAbandonedBackups(db)) {
    const { reason, message } = new BackupFailure("failed", "the worker that made it died");
    const now = clock.now();
    // The row is marked first: a worker that is alive after all and has just marked it successful keeps its file.
    if (
      !(await endBackup(db, row.id, row.leaseOwner!, {
        state: "failed",
        reason,
        detail: message,
        finishedAt: now,
        keptUntil: failedUntil(now),
      }))
    )
      continue;
    for (const name of storedByAnyTry(row))
      await storage
        .remove(name)
        .catch((err: unknown) => log.warn({ err, name }, "a dead worker's copy could not be removed from the storage"));
  }
}

/** Clocks of hosts differ by seconds. One of those that differ by more is wrong, and nothing says which. */
const mostApartMs = hourMs;

async function expire({ db, storage, clock, machineClock = systemClock, log }: BackupTools): Promise<void> {
  const now = clock.now();
  const apartMs = await readClockApart(db, machineClock);
  if (Math.abs(apartMs) > mostApartMs) {
    log.error({ apartMs }, "no expired backup is removed: this host's clock and the database's are more than an hour apart");
    return;
  }
  // A restored database may not know that an account was reopened.
  const isOpen = await db.transaction(async (tx) => {
    if (await isGapOpen(tx)) return true;
    await expireOfClosed(tx, now);
    return false;
  });
  if (isOpen) return;
  for (const { id } of await claimExpiredBackups(db, now)) {
    try {
      // A restored database may not know that the backup is kept for longer.
      const kept = await db.transaction(async (tx) => ((await isGapOpen(tx)) ? "needed" : beginRemoval(tx, id, clock.now())));
      // A row that was already deleted may no longer lead to its object in the storage.
      if (kept === null || kept === "gone") await finishRemoval({ db, storage }, id);
    } catch (err) {
      log.warn({ err, backup: id }, "an expired backup could not be removed; it is tried again later");
      await noteBackupStays(db, id, String(err));
    }
  }
  await putOffStaying(db, now);
}

async function beginNightly({ db, clock, host }: BackupTools): Promise<void> {
  const now = clock.now();
  const since = after(now, -leastPauseMs);
  await dropFutureChecks(db, now, host);
  for (const { timezone, lastAt, ...workspace } of await listNightlyCandidates(db, now, nightlyAtOnce, host)) {
    const candidate = { accountId: workspace.accountId, timezone, lastAt };
    const isDue = isNightlyDue(candidate, now);
    const hasBegun = isDue && (await beginNightlyBackup(db, workspace, since, now));
    const until = isDue ? after(now, hasBegun ? leastPauseMs : againMs) : nextNightlyCheck(candidate, now);
    await putOffNightly(db, workspace.workspaceId, until);
  }
}
