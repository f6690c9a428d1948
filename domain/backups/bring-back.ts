/** The workspace of an account that nothing holds any more: no suspension, and no closing. */
import { say } from "#contract/sentences/say.ts";
import { setDesiredState } from "#domain/workspaces/desired/set-desired-state.ts";
import { releaseWorkspace } from "#domain/workspaces/desired/hold-workspace.ts";
import { findWorkspace, readJournal, writeJournal, type JournalLine, type WorkspaceRow } from "#domain/workspaces/workspace-store.ts";
import type { Connection } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { holdLastBackup, restoreLastBackup } from "./last-backup.ts";

/**
 * It becomes what it was before, or what was paid for meanwhile; one that was deleted comes back with its last backup. Returns it as it was
 * held; null: there is none. Its journal and the log say if nothing is left of one that was used.
 */
export async function bringBack(
  tx: Connection,
  accountId: string,
  line: JournalLine,
  { actor, lastBackupDays, now, log }: { actor: string; lastBackupDays: number; now: Date; log: Log },
): Promise<WorkspaceRow | null> {
  const held = await releaseWorkspace(tx, accountId);
  if (held?.resumesAs !== "running") return held;
  const last = held.desiredState === "deleted" ? await holdLastBackup(tx, { accountId, life: held.life }, now) : null;
  await setDesiredState(tx, accountId, "running", line, now);
  // Not removed yet: it continues with everything.
  if ((await findWorkspace(tx, accountId))!.life === held.life) return held;
  if (last) await restoreLastBackup(tx, last, { actor, days: lastBackupDays, now });
  else if (await wasUsed(tx, held)) {
    log.error({ accountId, workspaceId: held.id }, "a deleted workspace comes back empty: none of its backups is kept any more");
    await writeJournal(tx, held.id, { event: "no-last-backup", message: say("noLastBackup") }, now);
  }
  return held;
}

/** From the journal, because removing a workspace resets the columns of its row. */
async function wasUsed(tx: Connection, { id, renewedAt }: WorkspaceRow): Promise<boolean> {
  const [online] = await readJournal(tx, id, { most: 1, events: ["online"] });
  return online !== undefined && (renewedAt === null || online.at >= renewedAt);
}
