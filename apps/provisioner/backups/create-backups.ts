/** Backups as reconcile steps use them: made and restored at once, in the hands of whoever holds the workspace. */
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { asBackupFailure, BackupFailure } from "#domain/backups/backup-failure.ts";
import {
  backupLeaseSeconds,
  insertRunningBackup,
  readBackup,
  renewBackups,
  type BackupKind,
  type BackupRow,
} from "#domain/backups/backup-store.ts";
import { storedBackup } from "#domain/backups/stored-backup.ts";
import { isNewer } from "#domain/backups/newer-version.ts";
import { findOpenUpdate } from "#domain/updates/update-store.ts";
import { minuteMs, secondMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import type { BackupTools, BackupWorkspace } from "./backup-tools.ts";
import { giveUpBackup, makeBackup } from "./make-backup.ts";
import { openBackup } from "./open-backup.ts";

export interface Backups {
  /**
   * Makes a backup of a running or stopped workspace and resolves with it once it was opened and counted. Throws BackupFailure (`reason`
   * is for the owner) and leaves a failed row that says why. A caller that dies leaves a row that is swept as failed.
   */
  make(workspace: BackupWorkspace, kind: BackupKind): Promise<BackupRow>;
  /**
   * Puts a successful backup in place of what a stopped workspace holds; the files the tool counts in stay. Nothing is touched before
   * all of it is there and authentic. May be repeated after any crash. Throws BackupFailure. Markers in the row of the workspace
   * (what it was told) are the caller's: see forget-what-was-told.ts.
   */
  restore(workspace: Pick<BackupWorkspace, "id" | "number">, backupId: string): Promise<void>;
}

/** 10 GB at 4 MB a second. Within the time that a step gives a restore, with what is moved before and after. */
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
        // Given up by whoever waits for it alone, it would put its files in place later, below a workspace that runs.
        const late = setTimeout(
          () => archive?.destroy(new BackupFailure("again", `the backup was not read within ${unpackMs} ms`)),
          unpackMs,
        );
        const place = { workspaceId: workspace.id, workspaceNumber: workspace.number };
        await driver
          .replaceStorage(place, engine.backups.contents, archive, row.unpackedSize ?? undefined)
          .finally(() => clearTimeout(late));
      } catch (error) {
        // Where it breaks before the driver reads from it, the driver only hears that it has ended.
        const own = [archive?.errored, (error as Error).cause].find((each) => each instanceof BackupFailure);
        throw own ?? asBackupFailure(error);
      }
    },
  };
}

/** A change of version that has its snapshot may have migrated the files: a restore must not put them under the older of the two. */
async function versionOfFiles(db: Connection, { id, observedVersion, desiredVersion }: BackupWorkspace): Promise<string> {
  const version = observedVersion ?? desiredVersion;
  const update = await findOpenUpdate(db, id);
  return update?.snapshotAt && isNewer(update.toVersion, version) ? update.toVersion : version;
}

/** Keeps the row ours while the work lasts. */
export function keepLease({ db, log }: Pick<BackupTools, "db" | "log">, worker: string, id: string): NodeJS.Timeout {
  return setInterval(
    () => {
      renewBackups(db, worker, [id]).catch((err: unknown) => log.warn({ err, backup: id }, "the lease of a backup could not be renewed"));
    },
    (backupLeaseSeconds * secondMs) / 3,
  );
}
