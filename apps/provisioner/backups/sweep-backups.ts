/** What time brings: nightly backups fall due, old ones go, and what a dead worker left is called what it is. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { BackupFailure } from "#domain/backups/backup-failure.ts";
import {
  beginNightlyBackup,
  endBackup,
  listAbandonedBackups,
  listBackupsInHand,
  listExpiredBackups,
  listNightlyCandidates,
} from "#domain/backups/backup-store.ts";
import { beginRemoval, finishRemoval } from "#domain/backups/remove-backup.ts";
import { failedUntil } from "#domain/backups/retention.ts";
import { storedByAnyTry } from "#domain/backups/stored-backup.ts";
import { after } from "#platform/clock.ts";
import type { BackupTools } from "./backup-tools.ts";
import { isNightlyDue, leastPauseMs } from "./nightly-backups.ts";

/** May be run by several workers at once, and broken off anywhere. */
export async function sweepBackups(tools: BackupTools): Promise<void> {
  await sweepAbandoned(tools);
  await expire(tools);
  await beginNightly(tools);
}

/** What a worker that died was at: a row that says it is still made, and what was opened to look into it. May be run as above. */
export async function sweepAbandoned(tools: BackupTools): Promise<void> {
  await abandon(tools);
  await clearStaging(tools);
}

/** Of a UUID: the folder of a try is named by the backup and the try. */
const idLength = 36;

/** Opened, a backup is what a customer stored, in clear: nobody goes on with it, and it must not stay. */
async function clearStaging({ db, stagingDir, log }: BackupTools): Promise<void> {
  const staged = await readdir(stagingDir).catch(() => []);
  const idOf = (name: string): string => name.slice(0, idLength);
  const inHand = new Set(staged.length > 0 ? await listBackupsInHand(db, staged.map(idOf)) : []);
  for (const name of staged.filter((each) => !inHand.has(idOf(each)))) {
    await rm(join(stagingDir, name), { recursive: true, force: true }).catch((err: unknown) =>
      log.warn({ err, name }, "an opened backup that nobody goes on with could not be removed"),
    );
  }
}

async function abandon({ db, storage, clock, log }: BackupTools): Promise<void> {
  for (const row of await listAbandonedBackups(db)) {
    const { reason, message } = new BackupFailure("failed", "the worker that made it died");
    const now = clock.now();
    // First the row: a worker that lives after all, and has just called it successful, keeps its file.
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
      await storage.remove(name).catch((err: unknown) => log.warn({ err, name }, "what a dead worker left could not be removed"));
  }
}

async function expire({ db, storage, clock, log }: BackupTools): Promise<void> {
  for (const { id } of await listExpiredBackups(db, clock.now())) {
    try {
      const kept = await db.transaction((tx) => beginRemoval(tx, id, clock.now()));
      // What is gone from the lists already may have lost its way to the storage.
      if (kept === null || kept === "gone") await finishRemoval({ db, storage }, id);
    } catch (err) {
      log.warn({ err, backup: id }, "an expired backup could not be removed; the next sweep tries again");
    }
  }
}

async function beginNightly({ db, clock }: BackupTools): Promise<void> {
  const now = clock.now();
  const since = after(now, -leastPauseMs);
  for (const { timezone, lastAt, ...workspace } of await listNightlyCandidates(db, since)) {
    if (isNightlyDue({ accountId: workspace.accountId, timezone, lastAt }, now)) await beginNightlyBackup(db, workspace, since, now);
  }
}
