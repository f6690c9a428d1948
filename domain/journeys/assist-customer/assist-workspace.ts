/** What an operator does to a customer's workspace, each in one transaction with its line in the journal and the audit log. */
import { eq } from "drizzle-orm";
import { say } from "#contract/sentences/say.ts";
import { workspaces } from "#database/tables.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import type { AuditAction } from "#domain/audit/audit-actions.ts";
import { setWorkspaceMemory } from "#domain/workspaces/desired/set-desired-state.ts";
import { nothingLeft } from "#domain/workspaces/hosts/host-names.ts";
import { dueNow } from "#domain/workspaces/observed/due-store.ts";
import { lockLivingWorkspace } from "#domain/workspaces/settings/settings-store.ts";
import { announceWorkspace, requestRestart, writeJournal } from "#domain/workspaces/workspace-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { Connection } from "#platform/database.ts";
import type { Services } from "../services.ts";

type Parts = Pick<Services, "db" | "clock">;

export interface AssistedAccount {
  accountId: string;
  accountName: string;
}

/** For the audit log. */
export interface Assistant {
  operator: string;
  reason?: string | undefined;
}

/**
 * Starts the workspace again, now. False if an earlier restart is still under way, which serves this request too. Throws AppError
 * `workspace_not_found` without a workspace that should run.
 */
export function restartForCustomer({ db, clock }: Parts, account: AssistedAccount, by: Assistant): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockRunning(tx, account.accountId);
    return restart(tx, account, by, "workspace.restarted", {}, clock.now());
  });
}

/**
 * Gives the workspace this much memory, in MB, and starts it again; the next change of plan replaces it by the plan's. `next-start`: a
 * restart requested moments ago is under way, and may have begun with the memory from before.
 */
export function giveMemory(
  { db, clock }: Parts,
  account: AssistedAccount,
  by: Assistant,
  memoryMb: number,
): Promise<"restarting" | "next-start" | "same"> {
  return db.transaction(async (tx) => {
    const workspace = await lockRunning(tx, account.accountId);
    if (workspace.memoryMb === memoryMb) return "same";
    await setWorkspaceMemory(tx, account.accountId, memoryMb);
    const after = { from: workspace.memoryMb, memoryMb };
    return (await restart(tx, account, by, "workspace.memory-given", after, clock.now())) ? "restarting" : "next-start";
  });
}

/**
 * The files of a workspace that waits for a restore, because they were missing and the last restore failed, are in place again: it starts
 * with them. False if it does not wait for files.
 */
export function acceptFiles({ db, clock }: Parts, account: AssistedAccount, by: Assistant): Promise<boolean> {
  return db.transaction(async (tx) => {
    const workspace = await lockRunning(tx, account.accountId);
    if (workspace.arriving !== nothingLeft) return false;
    await tx
      .update(workspaces)
      .set({ arriving: null, failures: 0, ...dueNow(clock.now()) })
      .where(eq(workspaces.id, workspace.id));
    await record(tx, account, by, "workspace.files-back", { workspaceId: workspace.id }, clock.now());
    await announceWorkspace(tx, workspace.id, account.accountName);
    return true;
  });
}

async function lockRunning(tx: Connection, accountId: string) {
  const workspace = await lockLivingWorkspace(tx, accountId);
  if (workspace.desiredState !== "running") throw new AppError("workspace_not_online");
  return workspace;
}

async function restart(
  tx: Connection,
  account: AssistedAccount,
  by: Assistant,
  action: AuditAction,
  after: object,
  now: Date,
): Promise<boolean> {
  const row = await requestRestart(tx, account.accountId, now);
  await record(tx, account, by, action, after, now);
  if (!row) return false;
  await writeJournal(tx, row.id, { event: "restart-requested", message: say("restartBySupport"), actor: "Support" }, now);
  await announceWorkspace(tx, row.id, account.accountName);
  return true;
}

/** Its line in the audit log. */
export const record = (
  tx: Connection,
  { accountId }: AssistedAccount,
  { operator, reason }: Assistant,
  action: AuditAction,
  after: object,
  now: Date,
) => writeAudit(tx, { accountId, userId: null, action, after: { ...after, operator, ...(reason ? { reason } : {}) } }, now);
