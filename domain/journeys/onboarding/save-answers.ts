/**
 * What users tell about themselves while signing up. An existing workspace is told as well:
 * apps/provisioner/reconcile/steps/tool/pass-profile.ts finds the note that is left here.
 */
import type { AuditAction } from "#domain/audit/audit-actions.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { markOnboardingStep, touchProfile } from "#domain/accounts/onboarding-store.ts";
import { makeAccountDue } from "#domain/workspaces/observed/due-store.ts";
import type { Connection } from "#platform/database.ts";
import type { SkippableStep } from "#contract/accounts/account-values.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";
import { onboardingView } from "../signed-in/onboarding-view.ts";
import type { Onboarding } from "#contract/accounts/onboarding/onboarding.ts";

/** What the audit log says of it. */
export interface AnswersSaved {
  action: AuditAction;
  after: unknown;
  address: string;
  /** The previous value, in the transaction of the change. */
  before(tx: Connection): Promise<unknown>;
}

/** Saves by `save`, marks the step as done and has the workspace told, in one transaction; answers with what is next. */
export async function saveAnswers(
  { db, clock }: Services,
  current: CurrentUser,
  step: SkippableStep | null,
  save: (tx: Connection, now: Date) => Promise<void>,
  change: AnswersSaved,
): Promise<Onboarding> {
  await db.transaction(async (tx) => {
    const now = clock.now();
    const before = await change.before(tx);
    await save(tx, now);
    await writeAudit(tx, { accountId: current.accountId, userId: current.userId, ...change, before }, now);
    if (step) await markOnboardingStep(tx, current.accountId, step, "done");
    await touchProfile(tx, current.accountId, now);
    await makeAccountDue(tx, current.accountId, now);
  });
  return onboardingAfter(current, step, "done");
}

/** The onboarding once `step` is in that state, without reading the database again. */
export function onboardingAfter(current: CurrentUser, step: SkippableStep | null, state: "done" | "skipped"): Onboarding {
  if (!step) return onboardingView(current);
  const kept = current.onboardingSteps[step] === "done" ? "done" : state;
  return onboardingView({ ...current, onboardingSteps: { ...current.onboardingSteps, [step]: kept } });
}
