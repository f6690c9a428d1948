/** What an account's workspace may do now: its subscription and the granted spec, read together. */
import { trialDays } from "#contract/billing/plans/plan-days.ts";
import { eq } from "drizzle-orm";
import { planSpecs, subscriptions } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { trialLength, type CataloguePlanSpec } from "./catalogue.ts";
import { periodStarts } from "./usage-period.ts";
import { usersLimit } from "./users-limit.ts";

export interface WorkspacePlan {
  /** Id of the spec, such as "pro-1". */
  id: string;
  displayName: string;
  group: CataloguePlanSpec["metadata"]["group"];
  slug: CataloguePlanSpec["metadata"]["slug"];
  status: "active" | "trialing" | "paused" | "past_due" | "deleted";
  /** End of the trial or of a cancelled plan; null if it continues. */
  expiresAt: Date | null;
  trialDays: number;
  /** -1 is unlimited. */
  limits: { executions: number; activeWorkflows: number; credentials: number; users: number; concurrentExecutions: number };
  /** Of this usage period and later ones, oldest first. */
  periodStarts: Date[];
  /** Null: this period has no known end, as nothing is granted after it. */
  periodEndsAt: Date | null;
}

/** The plan at `now`; null before the launch, when there is no subscription. */
export async function planForWorkspace(db: Connection, accountId: string, now: Date): Promise<WorkspacePlan | null> {
  const found = await db
    .select({ subscription: subscriptions, spec: planSpecs.spec })
    .from(subscriptions)
    .innerJoin(planSpecs, eq(planSpecs.id, subscriptions.specId))
    .where(eq(subscriptions.accountId, accountId))
    .limit(1);
  if (!found[0]) return null;
  const { subscription } = found[0];
  const spec = found[0].spec as Omit<CataloguePlanSpec, "id">;
  // By the grant, not the status: a trial that is over is still one period.
  const isTrial = spec.metadata.group === "trial";
  const starts = periodStarts({ startedAt: subscription.startedAt, isTrial, unpaidFrom: subscription.unpaidFrom }, now);
  return {
    id: subscription.specId,
    displayName: spec.displayName,
    group: spec.metadata.group,
    slug: spec.metadata.slug,
    status: subscription.status,
    expiresAt: isTrial ? subscription.periodEndsAt : subscription.cancelAt,
    trialDays: isTrial && subscription.periodEndsAt ? trialLength(subscription.startedAt, subscription.periodEndsAt) : trialDays,
    limits: {
      executions: subscription.customExecutions ?? spec.monthlyExecutionsLimit,
      activeWorkflows: subscription.customWorkflows ?? spec.activeWorkflowsLimit,
      credentials: spec.credentialsLimit,
      users: usersLimit(spec),
      concurrentExecutions: spec.concurrentExecutionsLimit ?? -1,
    },
    periodStarts: starts,
    periodEndsAt: isTrial ? subscription.periodEndsAt : (starts[1] ?? null),
  };
}
