/** The last version change as its owner sees it. */
import type { WorkspaceUpdate } from "#contract/workspaces/update.ts";
import type { UpdateRow } from "#domain/updates/update-store.ts";

interface Newest {
  update: UpdateRow;
  /** Until when the backup before the update is kept; null if there is none. */
  keptUntil: Date | null;
}

/** Whether the owner can roll it back: it succeeded, nothing came after it, it was no rollback itself, and its backup exists. */
export function canRollBack(
  { update, keptUntil }: Newest,
  workspace: { desiredVersion: string; desiredState: string },
  now: Date,
): boolean {
  const isLast = update.state === "successful" && update.toVersion === workspace.desiredVersion && workspace.desiredState === "running";
  return isLast && update.restoreBackupId === null && update.backupId !== null && keptUntil !== null && keptUntil > now;
}

export function updateView(newest: Newest, workspace: { desiredVersion: string; desiredState: string }, now: Date): WorkspaceUpdate {
  const { fromVersion, toVersion, askedBy, state, reason, startedAt, finishedAt, restoreBackupId, restoredAt } = newest.update;
  return {
    fromVersion,
    toVersion,
    askedBy,
    state,
    isRollBack: restoreBackupId !== null || restoredAt !== null,
    reason,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    canRollBackUntil: canRollBack(newest, workspace, now) ? newest.keptUntil!.toISOString() : null,
  };
}
