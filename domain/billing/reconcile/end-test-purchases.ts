/**
 * Plans that were bought with test keys, or in the sandbox, while live keys are used: nobody pays for them, and nothing else would ever end
 * them, since the provider that is asked knows nothing of them. They end like any other, with a mail and days until the deletion, once they
 * have been on the list for a night. What support arranged has no provider and stays. Decision 0241.
 */
import { isNotNull } from "drizzle-orm";
import { subscriptions as rowsOfAccounts } from "#database/tables.ts";
import { purchaseOf, type Plans } from "#domain/plans/plan-facts.ts";
import { readPlans } from "#domain/plans/plan-facts-store.ts";
import { seriesOf, type ProviderSubscription } from "#payments/payment-provider.ts";
import { after, hourMs } from "#platform/clock.ts";
import { theService, type Billing } from "../billing.ts";
import { changeSubscription } from "../carry-out.ts";
import { isTestPurchase } from "../subscription/assign-plan.ts";
import { applyTruth, type Next } from "../subscription/subscription-machine.ts";
import { isSold, keptQuotas, stateOf, type SubscriptionRow } from "../subscription/subscription-states.ts";
import { closeFindings, findSince, type Finding } from "./finding-store.ts";

/** More are no leftovers of a switch to live keys, but perhaps live keys in the wrong service: a person decides. */
const mostEndedByNight = 3;
/** From one night's comparison to the next, with a margin. */
const listedForMs = 20 * hourMs;

export interface TestPurchase {
  accountId: string;
  before: SubscriptionRow;
  /** The row as it is when the plan has ended; null: it is listed and goes on. */
  after: Next["row"] | null;
}

interface Wanted {
  dryRun: boolean;
  /** A person has said that so many may end at once; null: no one has. */
  allowed: number | null;
}

/** Ends those that may end, and returns all. */
export async function endTestPurchases(billing: Billing, { dryRun, allowed }: Wanted): Promise<TestPurchase[]> {
  const { db, clock, provider } = billing;
  if (seriesOf(provider.name) !== "live") return [];
  const isOne = (row: SubscriptionRow) => isTestPurchase(billing, row) && row.providerSubscriptionId !== null && isSold(stateOf(row));
  const found = (await db.select().from(rowsOfAccounts).where(isNotNull(rowsOfAccounts.provider))).filter(isOne);
  const isTooMany = found.length > (allowed ?? mostEndedByNight);
  const purchases: TestPurchase[] = [];
  for (const before of found) {
    const { accountId } = before;
    const listed = { kind: "test-purchase", objectId: before.providerSubscriptionId! } as const;
    const listedAt = await findSince(db, provider.name, listed, clock.now());
    const mayEnd = !isTooMany && (allowed !== null || (listedAt !== null && listedAt <= after(clock.now(), -listedForMs)));
    if (!mayEnd) {
      purchases.push({ accountId, before, after: null });
      continue;
    }
    const next = dryRun
      ? endOf(before, await readPlans(db), clock.now())
      : (
          await changeSubscription(billing, accountId, { actor: theService }, ({ held, plans, now }) => ({
            next: held && isOne(held) ? endOf(held, plans, now) : null,
            also: (tx) => closeFindings(tx, before.providerSubscriptionId!, "ended", now),
          }))
        ).next;
    if (next) purchases.push({ accountId, before, after: next.row });
  }
  return purchases;
}

/** For the list. */
export const describeTestPurchase = ({ accountId, before }: TestPurchase): Finding => ({
  kind: "test-purchase",
  objectId: before.providerSubscriptionId!,
  accountId,
  name: "",
  paid: {},
  detail: `${before.planId} was bought with ${before.provider}, where nobody pays`,
});

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
