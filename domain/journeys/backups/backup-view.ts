/** Shapes rows of backups, restores and exports for the contract. */
import type { Backup, Restore, WorkspaceExport } from "#contract/backup.ts";
import type { BackupRow } from "#domain/backups/backup-store.ts";
import type { RestoreRow } from "#domain/backups/restore-store.ts";
import type { ExportRow } from "#domain/exports/export-store.ts";

const text = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Whether the database would have to go back: a restore into an older release than the one it was made on half-works at best. */
export function isNewer(version: string, than: string): boolean {
  const [one, other] = [version, than].map((each) => each.split(/[.-]/).map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (one![index] ?? 0) - (other![index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** `workspace`: the one that is there now, with the version asked for. */
export function backupView(row: BackupRow, workspace: { id: string; desiredVersion: string } | null): Backup {
  const { id, kind, state, engineVersion, size, workflows, credentials, executions, reason } = row;
  const isOfThisWorkspace = workspace?.id === row.workspaceId;
  const isRestorable = state === "successful" && workspace !== null && isOfThisWorkspace && !isNewer(engineVersion, workspace.desiredVersion);
  const times = { createdAt: row.createdAt.toISOString(), finishedAt: text(row.finishedAt), verifiedAt: text(row.verifiedAt), keptUntil: text(row.keptUntil) };
  return { id, kind, state, versionName: engineVersion, ...times, size, workflows, credentials, executions, reason, isOfThisWorkspace, isRestorable };
}

export function restoreView({ id, backupId, state, createdAt, finishedAt, reason }: RestoreRow): Restore {
  return { id, backupId, state, createdAt: createdAt.toISOString(), finishedAt: text(finishedAt), reason };
}

export function exportView(row: ExportRow): WorkspaceExport {
  const { id, state, withCredentials, createdAt, finishedAt, keptUntil, size, workflows, credentials, reason } = row;
  return { id, state, withCredentials, createdAt: createdAt.toISOString(), finishedAt: text(finishedAt), keptUntil: keptUntil.toISOString(), size, workflows, credentials, reason };
}
