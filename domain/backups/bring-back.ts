/** The workspace of an account that nothing holds any more: no suspension, and no closing. */
import { setDesiredState } from "#domain/workspaces/desired/set-desired-state.ts";
import { releaseWorkspace } from "#domain/workspaces/desired/hold-workspace.ts";
import { findWorkspace, type JournalLine, type WorkspaceRow } from "#domain/workspaces/workspace-store.ts";
import type { Connection } from "#platform/database.ts";
import { holdLastBackup, restoreLastBackup } from "./last-backup.ts";

/**
 * It becomes what it was before, or what was paid for meanwhile; one that was deleted comes back with its last backup. Returns it as it was
 * held; null: there is none.
 */
export async function bringBack(
  tx: Connection,
  accountId: string,
  line: JournalLine,
  { actor, lastBackupDays, now }: { actor: string; lastBackupDays: number; now: Date },
): Promise<WorkspaceRow | null> {
  const held = await releaseWorkspace(tx, accountId);
  if (held?.resumesAs !== "running") return held;
  const last = held.desiredState === "deleted" ? await holdLastBackup(tx, { accountId, life: held.life }, now) : null;
  await setDesiredState(tx, accountId, "running", line, now);
  // Not removed yet: it continues with everything.
  if (!last || (await findWorkspace(tx, accountId))!.life === held.life) return held;
  await restoreLastBackup(tx, last, { actor, days: lastBackupDays, now });
  return held;
}
