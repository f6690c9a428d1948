/** One due backup, from the claim to its end or to the next try. */
import { asBackupFailure, BackupFailure } from "#domain/backups/backup-failure.ts";
import { endBackup, type BackupRow } from "#domain/backups/backup-store.ts";
import { readForBackup } from "#domain/backups/workspace-for-backup.ts";
import { after, minuteMs, secondMs } from "#platform/clock.ts";
import type { BackupTools } from "./backup-tools.ts";
import { keepLease } from "./create-backups.ts";
import { holdWorkspace } from "./hold-workspace.ts";
import { giveUpBackup, makeBackup } from "./make-backup.ts";

/** Some ten minutes in all: a workspace that restarts is back by then. */
const mostTries = 6;
const pauseMs = (tries: number): number => Math.min(10 * secondMs * 2 ** (tries - 1), 5 * minuteMs);
/** What another try cannot better. */
const hopeless = new Set<BackupFailure["code"]>(["damaged", "too_large", "missing", "unsupported", "no_room", "disk_full"]);

/** Never rejects: what went wrong stands in the row. `worker` has claimed it. */
export async function workOnBackup(tools: BackupTools, row: BackupRow, worker: string): Promise<void> {
  const { db, clock } = tools;
  const renewal = keepLease(tools, worker, row.id);
  try {
    if (row.attempts > mostTries) throw new BackupFailure("failed", "it was tried several times, and the worker died each time");
    const workspace = await readForBackup(db, row.workspaceId);
    if (!workspace) throw new BackupFailure("missing", "the workspace is gone");
    if (workspace.isMigrating) throw new BackupFailure("again", "the workspace is changing its version");
    const engineVersion = workspace.observedVersion ?? workspace.desiredVersion;
    // What was copied is of the version that ran from before the copy until after it.
    const isStill = async (): Promise<boolean> => {
      const now = await readForBackup(db, row.workspaceId);
      return now !== null && !now.isMigrating && (now.observedVersion ?? now.desiredVersion) === engineVersion;
    };
    // A running one freezes itself; its restart meanwhile costs another try at most.
    await makeBackup(tools, workspace, { ...row, engineVersion }, worker, {
      isStill,
      hold: (copy) => holdWorkspace(db, workspace.id, copy),
    });
  } catch (error) {
    const failure = asBackupFailure(error);
    if (hopeless.has(failure.code) || row.attempts >= mostTries) return void (await giveUpBackup(tools, row, worker, failure));
    await endBackup(db, row.id, worker, {
      state: "waiting",
      reason: failure.reason,
      detail: failure.message.slice(0, 2_000),
      dueAt: after(clock.now(), pauseMs(row.attempts)),
    });
  } finally {
    clearInterval(renewal);
  }
}
