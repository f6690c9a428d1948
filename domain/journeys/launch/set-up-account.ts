/**
 * The setup form was submitted: the account is set up, the trial starts, and a workspace is requested. The provisioner
 * does the rest: apps/provisioner/reconcile/reconcile-workspace.ts finds the row that is written here.
 */
import type { WorkspacePurpose } from "#contract/accounts/account-values.ts";
import { trialDays } from "#contract/billing/plans/plan-days.ts";
import { markSetUp } from "#domain/accounts/account-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { saveTemplate } from "#domain/accounts/onboarding-store.ts";
import { startTrial } from "#domain/billing/subscription/start-trial.ts";
import { lockSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { welcomeMail, type Welcome } from "#domain/mail/templates/billing/billing-mails.ts";
import { trialPlanId } from "#domain/plans/catalogue.ts";
import { readPlanSpec } from "#domain/plans/plan-store.ts";
import { findPlan } from "#domain/plans/read-plans.ts";
import { usersLimit } from "#domain/plans/users-limit.ts";
import { saveAnswer } from "#domain/surveys/survey-store.ts";
import { offeredToNew } from "#domain/updates/fleet/held-versions.ts";
import { newVersion } from "#domain/workspaces/offered-release.ts";
import { requestWorkspace } from "#domain/workspaces/desired/request-workspace.ts";
import { AppError } from "#platform/app-error.ts";
import { after, dayMs } from "#platform/clock.ts";
import { isDatabaseAway } from "#platform/database.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";

/**
 * Refuses an unconfirmed user, a version that is not offered, an account that is already set up (of two clicks, one wins), and every
 * account while the operator has switched workspace changes off.
 */
export async function setUpAccount(
  { db, clock, secrets, workspace, instanceOperations, publicUrl, billing }: Services,
  current: CurrentUser,
  {
    timezone,
    versionName,
    purpose,
    templateId,
    address,
  }: {
    timezone: string;
    versionName?: string | undefined;
    purpose?: WorkspacePurpose | undefined;
    templateId?: string | undefined;
    address: string;
  },
): Promise<void> {
  if (!instanceOperations) throw new AppError("instance_operations_off");
  if (!current.confirmedAt) throw new AppError("email_not_confirmed");
  const now = clock.now();
  const sealed = secrets.encrypt(JSON.stringify(workspace.createSecrets()), "workspace");
  const welcome = await welcomeMail(
    {
      email: current.email,
      fullName: current.fullName,
      language: current.language,
      timezone: current.displayTimezone ?? timezone,
      trialEndsAt: after(now, trialDays * dayMs),
      now,
      limits: await trialLimits(db),
      lastBackupDays: billing.lastBackupDays,
    },
    publicUrl,
  );
  await db.transaction(async (tx) => {
    // A user whom an operator signs out at this moment gets no workspace.
    await lockPerson(tx, current);
    if (!(await markSetUp(tx, current.accountId, now))) throw new AppError("account_already_set_up");
    if (purpose) await saveAnswer(tx, current.accountId, "setup", { purpose }, now);
    if (templateId) await saveTemplate(tx, current.accountId, templateId);
    // This rolls the transaction back: neither an account without a trial nor a trial without a workspace remains.
    await startTrial(tx, current.accountId, now).catch((cause: unknown) => {
      // Try again: nothing is wrong with the account.
      if (isDatabaseAway(cause)) throw cause;
      throw new AppError("trial_not_started", { cause });
    });
    const version = newVersion(await offeredToNew(tx, workspace, now), versionName);
    const { specId } = (await lockSubscription(tx, current.accountId))!;
    const { memoryMb = workspace.memoryMb } = (await readPlanSpec(tx, specId)) ?? {};
    await requestWorkspace(
      tx,
      current.accountName,
      { accountId: current.accountId, engine: workspace.engine, version, timezone, memoryMb, secrets: sealed },
      now,
      current.fullName,
    );
    await writeAudit(
      tx,
      {
        accountId: current.accountId,
        userId: current.userId,
        action: "account.set-up",
        after: { timezone, version, trialDays, ...(purpose ? { purpose } : {}), ...(templateId ? { templateId } : {}) },
        address,
      },
      now,
    );
    await queueMail(tx, welcome, now);
  });
}

/** The trial's current limits; the plan always exists, since a subscription refers to it. */
async function trialLimits(db: Services["db"]): Promise<Welcome["limits"]> {
  const { spec } = (await findPlan(db, trialPlanId))!;
  return { executions: spec.monthlyExecutionsLimit, activeWorkflows: spec.activeWorkflowsLimit, users: usersLimit(spec) };
}
