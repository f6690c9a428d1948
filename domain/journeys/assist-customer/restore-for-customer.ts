/** An operator restores a backup for a customer: into the workspace that runs, or as a new one in place of a deleted one. */
import { and, desc, eq, sql } from "drizzle-orm";
import { say } from "#contract/sentences/say.ts";
import { backups, workspaces } from "#database/tables.ts";
import { isOfThisLife, type BackupRow } from "#domain/backups/backup-store.ts";
import { holdBackup } from "#domain/backups/expired-backup-store.ts";
import { restoreLastBackup } from "#domain/backups/last-backup.ts";
import { requestRestore } from "#domain/backups/restores/request-restore.ts";
import { lockLostHost, refuseFound, type LostAs } from "#domain/backups/restores/restore-elsewhere.ts";
import { allowsWorkspace } from "#domain/billing/subscription/allows-workspace.ts";
import { lockSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { readPlanSpec } from "#domain/plans/plan-store.ts";
import { renewWorkspace } from "#domain/workspaces/desired/renew-workspace.ts";
import { isNewer } from "#domain/workspaces/newer-version.ts";
import { lockWorkspace } from "#domain/workspaces/settings/settings-store.ts";
import { announceWorkspace, writeJournal, type WorkspaceRow } from "#domain/workspaces/workspace-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { Connection, Database } from "#platform/database.ts";
import type { Services } from "../services.ts";
import { record, type AssistedAccount, type Assistant } from "./assist-workspace.ts";

type Restorable = Pick<BackupRow, "id" | "kind" | "createdAt" | "engineVersion" | "workflows" | "size" | "keptUntil"> & {
  /** Of the workspace that the account has or had last; false: of an earlier one. */
  isOfThisLife: boolean;
};

/** The account's successful backups, the newest first, including those of deleted workspaces; at most `most`. */
export function listRestorable(db: Connection, accountId: string, most: number): Promise<Restorable[]> {
  return db
    .select({
      id: backups.id,
      kind: backups.kind,
      createdAt: backups.createdAt,
      engineVersion: backups.engineVersion,
      workflows: backups.workflows,
      size: backups.size,
      keptUntil: backups.keptUntil,
      isOfThisLife: sql<boolean>`coalesce(${isOfThisLife(sql`backups`)}, false)`,
    })
    .from(backups)
    .leftJoin(workspaces, eq(workspaces.id, backups.workspaceId))
    .where(and(eq(backups.accountId, accountId), eq(backups.state, "successful")))
    .orderBy(desc(backups.createdAt), desc(backups.id))
    .limit(most);
}

/** What the restore does. `replaced`: the contents of the workspace that runs. `returned`: a new workspace, in place of the deleted one. */
export interface PlannedRestore {
  kind: "replaced" | "returned";
  backup: BackupRow;
  workspace: WorkspaceRow;
}

interface Wish {
  backupId: string;
  /** How long the backup of a deleted workspace is kept from now on, at least. */
  lastBackupDays: number;
  /** Checks everything and changes nothing. */
  isTrial: boolean;
  /** Only if the workspace is still lost like this. */
  lostAs?: LostAs;
}

/** Undoes the transaction of a trial, which has done everything. */
class Undone extends Error {}

/**
 * In one transaction, with its line in the journal and the audit log. Throws AppError: `backup_not_usable` for another account's backup or
 * one that is gone, `workspace_exists` until the old one is gone completely, `subscription_required` if nothing allows a workspace,
 * and what requestRestore refuses. Throws NotLost if it is not lost as the wish says.
 */
export async function restoreForCustomer(
  { db, clock }: Pick<Services, "clock"> & { db: Database },
  account: AssistedAccount,
  by: Assistant,
  wish: Wish,
): Promise<PlannedRestore> {
  let planned: PlannedRestore | undefined;
  try {
    await db.transaction(async (tx) => {
      planned = await restore(tx, account, wish, clock.now());
      await record(tx, account, by, "backup.restored", { backup: wish.backupId }, clock.now());
      if (wish.isTrial) throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return planned!;
}

async function restore(tx: Connection, account: AssistedAccount, wish: Wish, now: Date): Promise<PlannedRestore> {
  const { accountId } = account;
  if (wish.lostAs) await lockLostHost(tx, wish.lostAs);
  // In the order in which payments lock them.
  const subscription = await lockSubscription(tx, accountId);
  const before = await lockWorkspace(tx, accountId);
  if (wish.lostAs) await refuseFound(tx, accountId, wish.lostAs);
  const backup = await holdBackup(tx, wish.backupId);
  if (!before || backup?.accountId !== accountId || backup.workspaceId !== before.id || backup.engine !== before.engine)
    throw new AppError("backup_not_usable");
  if (before.desiredState !== "deleted") {
    await requestRestore(tx, { ...account, backupId: backup.id, actor: "Support" }, now);
    return { kind: "replaced", backup, workspace: before };
  }
  if (!allowsWorkspace(subscription, now)) throw new AppError("subscription_required");
  const { memoryMb = before.memoryMb } = (await readPlanSpec(tx, subscription.specId)) ?? {};
  // A release opens the data of an earlier one, but not of a later one.
  const desiredVersion = isNewer(backup.engineVersion, before.desiredVersion) ? backup.engineVersion : before.desiredVersion;
  const workspace = await renewWorkspace(tx, accountId, { desiredVersion, timezone: before.timezone, memoryMb }, now);
  if (!workspace) throw new AppError("workspace_exists");
  await restoreLastBackup(tx, backup, { actor: "Support", days: wish.lastBackupDays, now });
  await writeJournal(tx, workspace.id, { event: "requested", message: say("requestedAnew"), actor: "Support" }, now);
  await announceWorkspace(tx, workspace.id, account.accountName);
  return { kind: "returned", backup, workspace };
}
