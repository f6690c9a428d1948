/** Opens the page where a plan is paid for the first time, or anew after the last subscription ended. */
import { asc, eq } from "drizzle-orm";
import { checkoutReturnPath } from "#contract/checkout-return.ts";
import { accounts, users } from "#database/tables.ts";
import { writeAudit } from "#domain/accounts/audit-store.ts";
import { AppError } from "#platform/app-error.ts";
import { after, minuteMs } from "#platform/clock.ts";
import type { Actor, Billing, Choice } from "./billing.ts";
import { askProvider } from "./ask-provider.ts";
import { readBillingDetails } from "#domain/invoices/invoice-store.ts";
import { findOpenCheckout, insertCheckout } from "./checkout-store.ts";
import { once } from "./idempotency.ts";
import { purchaseOf } from "./plan-facts.ts";
import { readPlans } from "./plan-facts-store.ts";
import { readChoice } from "./read-choice.ts";
import { isSold, stateOf, type SubscriptionRow } from "./subscription-states.ts";
import { findSubscription } from "./subscription-store.ts";

/** A second click, also in another tab, leads to the page that is open already. */
const reusedForMs = 30 * minuteMs;
/** If no event says what became of it. */
const checkAfterMs = 15 * minuteMs;

/**
 * Gives the address of the provider's page. The same key opens one checkout. Refuses (AppError) plan_not_found,
 * plan_withdrawn, already_subscribed, validation_failed for quotas out of bounds, payments_unavailable. The currency is that of the
 * account's first purchase, then the one asked for where the plan has it, then USD.
 */
export async function startCheckout(billing: Billing, accountId: string, wanted: Choice & { currency: string | null }, actor: Actor, key: string): Promise<{ url: string }> {
  return once(billing, { accountId, key, call: "checkout", request: wanted }, (providerKey) => openCheckout(billing, accountId, wanted, actor, providerKey));
}

async function openCheckout(billing: Billing, accountId: string, wanted: Choice & { currency: string | null }, actor: Actor, providerKey: string): Promise<{ url: string }> {
  const { db, provider, clock, publicUrl } = billing;
  const held = await findSubscription(db, accountId);
  if (isSold(stateOf(held))) throw new AppError("already_subscribed");
  const plans = await readPlans(db);
  const currency = held?.currency ?? pickCurrency(plans.get(wanted.planId)?.recurringPrice, wanted.currency);
  const { plan, quotas } = readChoice(plans, wanted, currency, keptPlan(held));
  const row = {
    accountId,
    provider: provider.name,
    planId: plan.planId,
    customExecutions: quotas?.monthlyExecutions ?? null,
    customWorkflows: quotas?.activeWorkflows ?? null,
    currency,
  };
  const now = clock.now();
  const open = await findOpenCheckout(db, row, after(now, -reusedForMs));
  if (open) return { url: open.url };
  const buyer = await findBuyer(billing, accountId);
  const opened = await askProvider(async () =>
    provider.createCheckout(
      {
        accountId,
        ...buyer,
        purchase: purchaseOf(plan, quotas),
        currency,
        customerId: held?.provider === provider.name ? held.providerCustomerId : null,
        details: await readBillingDetails(db, accountId),
        successUrl: publicUrl + checkoutReturnPath(plan.planId, "success"),
        cancelUrl: publicUrl + checkoutReturnPath(plan.planId, "canceled"),
      },
      providerKey,
    ),
  );
  await db.transaction(async (tx) => {
    await insertCheckout(tx, { ...row, ...opened, createdAt: now, checkAt: after(now, checkAfterMs) });
    await writeAudit(tx, { accountId, userId: actor.userId, action: "checkout.started", after: { planId: plan.planId, quotas, currency }, ...(actor.address ? { address: actor.address } : {}) }, now);
  });
  return { url: opened.url };
}

/** Whoever resubscribes may take the plan they had, also when nobody else can. */
const keptPlan = (held: SubscriptionRow | null): string | null => (held?.provider ? held.planId : null);

function pickCurrency(prices: Readonly<Record<string, number>> | undefined, wanted: string | null): string {
  return wanted && prices?.[wanted] !== undefined ? wanted : "USD";
}

async function findBuyer({ db }: Billing, accountId: string): Promise<{ email: string; name: string }> {
  const found = await db.select({ email: users.email, name: users.fullName }).from(users).innerJoin(accounts, eq(accounts.id, users.accountId)).where(eq(users.accountId, accountId)).orderBy(asc(users.createdAt)).limit(1);
  return found[0]!;
}
