/** The SQL of announced renewals. */
import { and, eq, gt, isNotNull, isNull, lte, ne, or, sql } from "drizzle-orm";
import { renewalNotices, subscriptions } from "#database/tables.ts";
import type { PaymentProviderName } from "#payments/payment-provider.ts";
import type { Connection } from "#platform/database.ts";

export interface ComingRenewal {
  accountId: string;
  renewsAt: Date;
  /** The plan that the renewal pays for. */
  planId: string;
}

/** Up to `most` renewals until `until` that were not announced, chosen at random, so that failing ones do not block the others. */
export async function listRenewals(
  db: Connection,
  provider: PaymentProviderName,
  { now, until, most }: { now: Date; until: Date; most: number },
): Promise<ComingRenewal[]> {
  const { accountId, periodStartsAt, periodEndsAt, planId, scheduledPlanId } = subscriptions;
  const found = await db
    .select({ accountId, renewsAt: periodEndsAt, planId, scheduledPlanId })
    .from(subscriptions)
    .leftJoin(renewalNotices, eq(renewalNotices.accountId, accountId))
    .where(
      and(
        eq(subscriptions.status, "active"),
        isNotNull(subscriptions.provider),
        eq(subscriptions.provider, provider),
        isNull(subscriptions.cancelAt),
        sql`${periodEndsAt} - ${periodStartsAt} > interval '45 days'`,
        gt(periodEndsAt, now),
        lte(periodEndsAt, until),
        or(isNull(renewalNotices.renewsAt), ne(renewalNotices.renewsAt, periodEndsAt)),
      ),
    )
    .orderBy(sql`random()`)
    .limit(most);
  return found.map(({ renewsAt, scheduledPlanId: next, ...row }) => ({
    accountId: row.accountId,
    renewsAt: renewsAt!,
    planId: next ?? row.planId,
  }));
}

/** True for the one caller that may announce the renewal. */
export async function markAnnounced(
  db: Connection,
  { accountId, renewsAt }: Pick<ComingRenewal, "accountId" | "renewsAt">,
): Promise<boolean> {
  const marked = await db
    .insert(renewalNotices)
    .values({ accountId, renewsAt })
    .onConflictDoUpdate({
      target: renewalNotices.accountId,
      set: { renewsAt },
      setWhere: ne(renewalNotices.renewsAt, renewsAt),
    })
    .returning({ accountId: renewalNotices.accountId });
  return marked.length > 0;
}
