/**
 * The setup page was sent: the account is set up, the trial starts, and a workspace is wanted. From here the
 * provisioner goes on: apps/provisioner/reconcile/reconcile-workspace.ts finds the row that this story leaves.
 */
import { markSetUp } from "#domain/accounts/account-store.ts";
import { saveTemplate } from "#domain/accounts/onboarding-store.ts";
import { startTrial } from "#domain/billing/start-trial.ts";
import { requestWorkspace } from "#domain/workspaces/request-workspace.ts";
import { AppError } from "#platform/app-error.ts";
import type { CurrentUser } from "../current-user/current-user-query.ts";
import type { Services } from "../services.ts";

/** Refuses an unconfirmed person, an account that is set up already (of two clicks, one wins), and everybody while workspaces are not to be changed. */
export async function setUpAccount({ db, clock, secrets, workspace, instanceOperations }: Services, current: CurrentUser, { timezone, templateId }: { timezone: string; templateId?: string | undefined }): Promise<void> {
  if (!instanceOperations) throw new AppError("instance_operations_off");
  if (!current.confirmedAt) throw new AppError("email_not_confirmed");
  const sealed = secrets.encrypt(JSON.stringify(workspace.createSecrets()), "workspace");
  await db.transaction(async (tx) => {
    const now = clock.now();
    if (!(await markSetUp(tx, current.accountId, now))) throw new AppError("account_already_set_up");
    if (templateId) await saveTemplate(tx, current.accountId, templateId);
    await startTrial(tx, current.accountId, now);
    await requestWorkspace(
      tx,
      current.accountName,
      { accountId: current.accountId, engine: workspace.engine, version: workspace.version, timezone, memoryMb: workspace.memoryMb, secrets: sealed },
      now,
      current.fullName,
    );
  });
}
