/** Shapes rows of backups, restores and exports for the contract. */
import type { Backup, Restore, WorkspaceExport } from "#contract/workspaces/backup.ts";
import type { BackupRow } from "#domain/backups/backup-store.ts";
import type { RestoreRow } from "#domain/backups/restores/restore-store.ts";
import { isNewer } from "#domain/workspaces/newer-version.ts";
import type { ExportRow } from "#domain/exports/export-store.ts";

const text = (at: Date | null): string | null => at?.toISOString() ?? null;

/** `workspace`: the current one, with its requested version. */
export function backupView(row: BackupRow, workspace: { id: string; desiredVersion: string } | null): Backup {
  const { id, kind, engineVersion, size, workflows, credentials, executions, leftOut, reason } = row;
  // A backup that is being removed is no longer listed.
  const state = row.state === "removed" ? "failed" : row.state;
  const isOfThisWorkspace = workspace?.id === row.workspaceId;
  const isRestorable =
    state === "successful" && workspace !== null && isOfThisWorkspace && !isNewer(engineVersion, workspace.desiredVersion);
  const times = {
    createdAt: row.createdAt.toISOString(),
    finishedAt: text(row.finishedAt),
    verifiedAt: text(row.verifiedAt),
    keptUntil: text(row.keptUntil),
  };
  return {
    id,
    kind,
    state,
    versionName: engineVersion,
    ...times,
    size,
    workflows,
    credentials,
    executions,
    leftOut,
    reason,
    isOfThisWorkspace,
    isRestorable,
  };
}

/** The cursor where a page of backups ends, as the contract writes it. */
export const markOf = ({ createdAt, id }: Pick<BackupRow, "createdAt" | "id">): string => `${createdAt.getTime()}_${id}`;

export function readMark(mark: string): Pick<BackupRow, "createdAt" | "id"> {
  const [at, id] = mark.split("_") as [string, string];
  return { createdAt: new Date(Number(at)), id };
}

export function restoreView({ id, backupId, state, createdAt, finishedAt, reason, placedAt }: RestoreRow): Restore {
  return { id, backupId, state, createdAt: createdAt.toISOString(), finishedAt: text(finishedAt), reason, isInPlace: placedAt !== null };
}

export function exportView(row: ExportRow): WorkspaceExport {
  const { id, state, withCredentials, createdAt, finishedAt, keptUntil, size, workflows, credentials, reason } = row;
  return {
    id,
    state,
    withCredentials,
    createdAt: createdAt.toISOString(),
    finishedAt: text(finishedAt),
    keptUntil: keptUntil.toISOString(),
    size,
    workflows,
    credentials,
    reason,
  };
}
