/** Backups for reconcile steps: made and restored immediately, by the process that holds the workspace. */
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { asBackupFailure, BackupFailure } from "#domain/backups/backup-failure.ts";
import { backupLeaseSeconds, insertRunningBackup, renewBackups } from "#domain/backups/backup-queue.ts";
import { readBackup, type BackupKind, type BackupRow } from "#domain/backups/backup-store.ts";
import { storedBackup } from "#domain/backups/stored-backup.ts";
import { isNewer } from "#domain/workspaces/newer-version.ts";
import { findOpenUpdate } from "#domain/updates/update-store.ts";
import { minuteMs, secondMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import type { BackupTools, BackupWorkspace } from "./backup-tools.ts";
import { giveUpBackup, makeBackup } from "./make-backup.ts";
import { openBackup } from "./open-backup.ts";

export interface Backups {
  /**
   * Makes a backup of a running or stopped workspace and resolves with it after it was opened and counted. Throws BackupFailure (`reason`
   * is for the owner) and leaves a failed row with the reason. If the caller dies, a sweep marks its row as failed.
   */
  make(workspace: BackupWorkspace, kind: BackupKind): Promise<BackupRow>;
  /**
   * Replaces the files of a stopped workspace with a successful backup, except the files in which the tool counts usage. Nothing is touched
   * until all of it has arrived and is authentic. Can be repeated after any crash. Throws BackupFailure. The caller resets the workspace
   * row's markers of what the tool was told: see forget-what-was-told.ts.
   */
  restore(workspace: Pick<BackupWorkspace, "id" | "number">, backupId: string): Promise<void>;
}

/** 10 GB at 4 MB a second, within the time that a step allows for a restore, including moving files before and after. */
const unpackLimitMs = 40 * minuteMs;

/** `unpackMs` is for tests. */
export function createBackups(tools: BackupTools, unpackMs = unpackLimitMs): Backups {
  const worker = randomUUID();
  const forStep: BackupTools = { ...tools, slots: { ...tools.slots, pack: tools.slots.packForStep } };
  return {
    async make(workspace, kind) {
      const { accountId, engine, generation } = workspace;
      const wanted = {
        accountId,
        workspaceId: workspace.id,
        kind,
        engine,
        engineVersion: await versionOfFiles(tools.db, workspace),
        generation,
      };
      const row = await insertRunningBackup(tools.db, wanted, worker, tools.clock.now());
      const renewal = keepLease(tools, worker, row.id);
      try {
        return await makeBackup(forStep, workspace, row, worker);
      } catch (error) {
        const failure = asBackupFailure(error);
        await giveUpBackup(tools, row, worker, failure);
        throw failure;
      } finally {
        clearInterval(renewal);
      }
    },
    async restore(workspace, backupId) {
      const { db, driver, engine } = tools;
      if (!engine.backups) throw new BackupFailure("unsupported", `workspaces of ${engine.displayName} cannot be restored`);
      const row = await readBackup(db, backupId);
      if (row?.state !== "successful" || row.workspaceId !== workspace.id)
        throw new BackupFailure("missing", `there is no successful backup ${backupId} of this workspace`);
      let archive: Readable | undefined;
      try {
        archive = await openBackup(tools, storedBackup(row));
        // Without a listener, an error before the driver reads it, or after, would end this process.
        archive.on("error", () => undefined);
        // If only the waiting caller gave up, the files would be put in place later, underneath a running workspace.
        const late = setTimeout(
          () => archive?.destroy(new BackupFailure("again", `the backup was not read within ${unpackMs} ms`)),
          unpackMs,
        );
        const place = { workspaceId: workspace.id, workspaceNumber: workspace.number };
        await driver
          .replaceStorage(place, engine.backups.contents, archive, row.unpackedSize ?? undefined)
          .finally(() => clearTimeout(late));
      } catch (error) {
        // If the archive breaks before the driver reads it, the driver sees only that it ended.
        const own = [archive?.errored, (error as Error).cause].find((each) => each instanceof BackupFailure);
        throw own ?? asBackupFailure(error);
      }
    },
  };
}

/** A version change that has its snapshot may have migrated the files: a restore must not pair them with the older version. */
async function versionOfFiles(db: Connection, { id, observedVersion, desiredVersion }: BackupWorkspace): Promise<string> {
  const version = observedVersion ?? desiredVersion;
  const update = await findOpenUpdate(db, id);
  return update?.snapshotAt && isNewer(update.toVersion, version) ? update.toVersion : version;
}

/** Renews the lease on the row while the work continues. */
export function keepLease({ db, log }: Pick<BackupTools, "db" | "log">, worker: string, id: string): NodeJS.Timeout {
  return setInterval(
    () => {
      renewBackups(db, worker, [id]).catch((err: unknown) => log.warn({ err, backup: id }, "the lease of a backup could not be renewed"));
    },
    (backupLeaseSeconds * secondMs) / 3,
  );
}
