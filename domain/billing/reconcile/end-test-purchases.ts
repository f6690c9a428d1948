/**
 * Plans that were bought with test keys, or in the sandbox, while live keys are used: nobody pays for them, and nothing else would ever end
 * them, since the provider that is asked knows nothing of them. They end like any other, with a mail and days until the deletion. What
 * support arranged has no provider and stays.
 */
import { isNotNull } from "drizzle-orm";
import { subscriptions as rowsOfAccounts } from "#database/tables.ts";
import { purchaseOf, type Plans } from "#domain/plans/plan-facts.ts";
import { readPlans } from "#domain/plans/plan-facts-store.ts";
import { seriesOf, type ProviderSubscription } from "#payments/payment-provider.ts";
import { theService, type Billing } from "../billing.ts";
import { changeSubscription } from "../carry-out.ts";
import { applyTruth, type Next } from "../subscription/subscription-machine.ts";
import { isSold, keptQuotas, stateOf, type SubscriptionRow } from "../subscription/subscription-states.ts";

/** More are no leftovers of a switch to live keys, but perhaps live keys in the wrong service: a person decides. */
export const mostEndedByNight = 3;

interface TestPurchase {
  accountId: string;
  before: SubscriptionRow;
  after: Next["row"];
}

/** Ends each, or with `dryRun` only finds them. Returns the rows as they were and as they are then. Ends none if there are more than `most`. */
export async function endTestPurchases(
  billing: Billing,
  { dryRun, most }: { dryRun: boolean; most: number },
): Promise<{ isEnded: boolean; found: TestPurchase[] }> {
  const { db, clock, provider } = billing;
  if (seriesOf(provider.name) !== "live") return { isEnded: true, found: [] };
  const ended: TestPurchase[] = [];
  const found = (await db.select().from(rowsOfAccounts).where(isNotNull(rowsOfAccounts.provider))).filter(isTestPurchase);
  const isTooMany = found.length > most;
  for (const before of found) {
    const { accountId } = before;
    const next =
      dryRun || isTooMany
        ? endOf(before, await readPlans(db), clock.now())
        : (
            await changeSubscription(billing, accountId, { actor: theService }, ({ held, plans, now }) => ({
              next: held && isTestPurchase(held) ? endOf(held, plans, now) : null,
            }))
          ).next;
    if (next) ended.push({ accountId, before, after: next.row });
  }
  return { isEnded: !isTooMany, found: ended };
}

const isTestPurchase = (row: SubscriptionRow): boolean =>
  row.provider !== null && row.providerSubscriptionId !== null && seriesOf(row.provider) !== "live" && isSold(stateOf(row));

/** As if the provider at which it was bought had ended it now. */
function endOf(held: SubscriptionRow, plans: Plans, now: Date): Next | null {
  const { accountId, currency, periodStartsAt, periodEndsAt, taxInclusive } = held;
  const plan = plans.get(held.planId);
  const truth: ProviderSubscription = {
    id: held.providerSubscriptionId!,
    customerId: held.providerCustomerId ?? "",
    accountId,
    status: "deleted",
    providerStatus: "bought where nobody pays",
    purchase: plan ? purchaseOf(plan, keptQuotas(held)) : null,
    currency: currency!,
    periodStartsAt,
    periodEndsAt: periodEndsAt ?? now,
    cancelAt: null,
    pastDueAt: null,
    retries: [],
    pausedAt: null,
    endedAt: now,
    credit: { amount: 0, currency: currency! },
    taxInclusive,
    card: null,
    // What it said before was by that provider's clock.
    changedAt: held.providerChangedAt && held.providerChangedAt > now ? held.providerChangedAt : now,
  };
  const outcome = applyTruth({ accountId, held, provider: held.provider!, truth, soldHere: true, plans, now });
  return outcome.kind === "applied" ? outcome : null;
}
