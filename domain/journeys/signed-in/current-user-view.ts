/** Shapes the signed-in user for the contract. */
import type { User } from "#contract/accounts/account.ts";
import { firstDaySteps } from "#contract/accounts/account-values.ts";
import { asDelivered, type Delivery } from "#contract/billing/plans/delivered-features.ts";
import type { PlanSpec } from "#contract/billing/plans/plan.ts";
import { profileRevision } from "#domain/accounts/profile-revision.ts";
import { planSpecView, trialLength, type CataloguePlanSpec } from "#domain/plans/catalogue.ts";
import { onboardingView } from "./onboarding-view.ts";
import type { Services } from "../services.ts";
import type { CurrentUser } from "./current-user-query.ts";
import type { KeepingPlan } from "#contract/workspaces/kept-executions.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { workspaceUrl, workspaceView, type ViewedColumns } from "#domain/workspaces/workspace-view.ts";

/**
 * The User of the contract. The trial without a card has a plan but no billing, also after its end: there is nothing to resubscribe to. Free
 * days of a subscription at the provider are billing whose status is `trialing`.
 */
export function currentUserView(current: CurrentUser, { publicUrl, delivery }: Pick<Services, "publicUrl" | "delivery">): User {
  const { subscription, workspace } = current;
  const trialing = subscription?.status === "trialing";
  return {
    id: current.userId,
    email: current.email,
    fullName: current.fullName,
    username: current.accountName,
    confirmed: current.confirmedAt !== null,
    hasPassword: current.hasPassword,
    profile: profileView(current),
    account: {
      name: current.accountName,
      isSetup: current.setUpAt !== null,
      // Only outside a trial and while the subscription is not canceled.
      taxInclusive: subscription !== null && subscription.taxInclusive && !trialing && subscription.status !== "deleted",
      billing: subscription && hasBilling(subscription) ? billingView(subscription, publicUrl) : null,
      planSpec: currentPlanSpec(current, delivery),
      instance: workspace ? instanceView(current, publicUrl, workspace) : null,
      lastBackup: current.lastBackup && {
        madeAt: new Date(current.lastBackup.madeAt).toISOString(),
        keptUntil: new Date(current.lastBackup.keptUntil).toISOString(),
      },
      onboarding: onboardingView(current),
      isFirstDay: current.isFirstDay,
      firstDays: firstDaysView(current),
      suspension: current.suspendedAt && {
        since: current.suspendedAt.toISOString(),
        until: current.suspendedUntil?.toISOString() ?? null,
        reason: current.suspensionReason ?? "",
      },
      closing: current.closedAt &&
        current.eraseAt && {
          since: current.closedAt.toISOString(),
          eraseAt: current.eraseAt.toISOString(),
          reason: current.closingReason,
        },
      templateId: current.templateId,
    },
  };
}

/** As recorded, with a workflow that the workspace reported: what was done since is found when the list itself is read. */
function firstDaysView({ firstDays, isFirstDay }: CurrentUser): User["account"]["firstDays"] {
  if (firstDays["dismissed"] !== undefined || firstDaySteps.every((name) => firstDays[name] !== undefined)) return null;
  return firstDaySteps.map((name) => ({ name, isDone: firstDays[name] !== undefined || (name === "workflow" && !isFirstDay) }));
}

function profileView({ fullName, language, displayTimezone: timezone, mutedMails }: CurrentUser): User["profile"] {
  return { language, timezone, mutedMails, revision: profileRevision({ fullName, language, timezone, mutedMails }) };
}

/** Whether there is a subscription to pay: at a provider, or arranged by an operator and not over. */
const hasBilling = ({ status, provider }: NonNullable<CurrentUser["subscription"]>): boolean =>
  provider !== null || (status !== "trialing" && status !== "deleted");

const billingView = (
  { status, planId, cancelAt, provider }: NonNullable<CurrentUser["subscription"]>,
  publicUrl: string,
): User["account"]["billing"] => ({
  status,
  planId,
  updateUrl: `${publicUrl}/manage/billing`,
  cancelAt: cancelAt?.toISOString() ?? null,
  isArranged: provider === null,
});

/** The account's current limits, with custom quotas and the labels that are delivered; null before the launch. */
export function currentPlanSpec({ subscription, planSpec }: CurrentUser, delivery: Delivery): PlanSpec | null {
  if (!subscription || !planSpec) return null;
  // Validated when it was applied; validating it at every request would cost more than the query.
  const spec = { ...(planSpec as Omit<CataloguePlanSpec, "id">), id: subscription.specId };
  const view = asDelivered(planSpecView(spec, subscription.planId, subscription.periodEndsAt), delivery);
  if (subscription.customExecutions !== null) view.monthlyExecutionsLimit = subscription.customExecutions;
  if (subscription.customWorkflows !== null) view.activeWorkflowsLimit = subscription.customWorkflows;
  return spec.metadata.group === "trial" && subscription.periodEndsAt
    ? { ...view, trialDays: trialLength(subscription.startedAt, subscription.periodEndsAt) }
    : view;
}

/** The caller's workspace as they see it; `workspace` is the row, possibly just changed. */
export function instanceView(
  { accountName, subscription, planSpec, usedLimits }: CurrentUser,
  publicUrl: string,
  workspace: ViewedColumns,
): Instance {
  const view = {
    ...workspaceView(workspace, workspaceUrl(publicUrl, accountName), planSpec as KeepingPlan | null),
    // The page that makes a one-time link: what is sent with every answer must not sign in whoever finds it.
    url: `${publicUrl}/open?${new URLSearchParams({ workspace: accountName })}`,
    usedLimits,
  };
  return subscription?.deletionAt ? { ...view, deletionAt: subscription.deletionAt.toISOString() } : view;
}
