/** Opens the payment page for a plan: the first purchase, or a new one after the last subscription ended. */
import type { Choice } from "#domain/plans/plan-facts.ts";
import { setTimeout as delay } from "node:timers/promises";
import { asc, eq } from "drizzle-orm";
import { checkoutReturnPath } from "#contract/billing/checkout-return.ts";
import { accounts, users } from "#database/tables.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { readBillingDetails } from "#domain/invoices/invoice-store.ts";
import { isGapOpen } from "#domain/memory-gap/memory-gap-store.ts";
import { whatHolds } from "#domain/accounts/suspension-store.ts";
import { AppError } from "#platform/app-error.ts";
import { holdLastBackup } from "#domain/backups/last-backup.ts";
import { keepAtLeast } from "#domain/backups/expired-backup-store.ts";
import { after, dayMs, minuteMs, secondMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { applyProviderTruth } from "../../provider-truth/apply-provider-truth.ts";
import { askProvider } from "../../ask-provider.ts";
import type { Actor, Billing } from "../../billing.ts";
import * as store from "./checkout-store.ts";
import { closeReplaced } from "./close-checkouts.ts";
import { once } from "../../idempotency.ts";
import { purchaseOf } from "#domain/plans/plan-facts.ts";
import { readPlans } from "#domain/plans/plan-facts-store.ts";
import { readChoice, type Chosen } from "../read-choice.ts";
import { isSold, stateOf, type SubscriptionRow } from "../../subscription/subscription-states.ts";
import { findSubscription, lockSubscription } from "../../subscription/subscription-store.ts";

/** Within this time a second click, even in another tab, leads to the page that is already open. */
const reusedForMs = 30 * minuteMs;
/** When to check the page if no event reports its outcome. */
const checkAfterMs = 15 * minuteMs;
/** How long a click that was overtaken by another waits for it. */
const waitMs = 20 * secondMs;

/**
 * Returns the address of the provider's page. The same key opens one checkout, and an account has one open page, whatever the
 * keys: the newest choice replaces the previous page, which can no longer be paid at. Refuses (AppError) plan_not_found,
 * plan_withdrawn, already_subscribed, validation_failed for quotas out of bounds, payments_unavailable, unavailable. The currency
 * is that of the account's first purchase, otherwise the requested one if the plan has it, otherwise USD.
 */
export async function startCheckout(
  billing: Billing,
  accountId: string,
  wanted: Choice & { currency: string | null },
  actor: Actor,
  key: string,
): Promise<{ url: string }> {
  return once(billing, { accountId, key, call: "checkout", request: wanted }, (providerKey) =>
    openCheckout(billing, accountId, wanted, actor, providerKey),
  );
}

interface Opening {
  row: store.CheckoutFor;
  chosen: Chosen;
  held: SubscriptionRow | null;
}

async function openCheckout(
  billing: Billing,
  accountId: string,
  wanted: Choice & { currency: string | null },
  actor: Actor,
  providerKey: string,
): Promise<{ url: string }> {
  const opening = await readOpening(billing, accountId, wanted);
  const deadline = performance.now() + waitMs;
  for (let round = 0; performance.now() < deadline; round += 1) {
    // A page that an earlier round opened and lost is closed, so the next round needs a new one.
    const roundKey = round === 0 ? providerKey : `${providerKey}-${round}`;
    const found = await reserve(billing, opening, roundKey, round === 0);
    if (found === "ours") {
      const url = await openPage(billing, opening, actor, roundKey);
      if (url) return { url };
    } else if (found !== "busy") return { url: found.url };
    await delay(50);
  }
  throw new AppError("unavailable", { internal: "another click is still opening its page" });
}

async function readOpening({ db, provider }: Billing, accountId: string, wanted: Choice & { currency: string | null }): Promise<Opening> {
  const held = await findSubscription(db, accountId);
  if (isSold(stateOf(held))) throw new AppError("already_subscribed");
  const plans = await readPlans(db);
  const currency = held?.currency ?? pickCurrency(plans.get(wanted.planId)?.recurringPrice, wanted.currency);
  const chosen = readChoice(plans, wanted, currency, keptPlan(held));
  const { plan, quotas } = chosen;
  return {
    row: {
      accountId,
      provider: provider.name,
      planId: plan.planId,
      customExecutions: quotas?.monthlyExecutions ?? null,
      customWorkflows: quotas?.activeWorkflows ?? null,
      currency,
    },
    chosen,
    held,
  };
}

/**
 * Under the account's lock: finds the open page for the same choice, or reserves the place for a new one. A click that was overtaken
 * does not overtake back: it waits for the other click's page.
 */
async function reserve(
  { db, clock, lastBackupDays }: Billing,
  { row }: Opening,
  key: string,
  mayOvertake: boolean,
): Promise<{ url: string } | "ours" | "busy"> {
  const now = clock.now();
  return db.transaction(async (tx) => {
    const held = await lockSubscription(tx, row.accountId);
    if (isSold(stateOf(held))) throw new AppError("already_subscribed");
    // A closing that comes later finds the open page.
    if ((await whatHolds(tx, row.accountId)) === "closed") throw new AppError("account_closed");
    // The account may have a plan that a restored database does not know yet.
    if (await isGapOpen(tx)) throw new AppError("unavailable", { internal: "the database is being compared with the payment provider" });
    await keepForPage(tx, held, lastBackupDays, now);
    const current = await store.findOpenCheckout(tx, row.accountId);
    if (current?.state === "open" && isSame(current, row) && current.createdAt > after(now, -reusedForMs)) return { url: current.url };
    const placeholder = placeholderOf(key);
    // Our own reservation, from a process that died.
    if (current?.checkoutId === placeholder) return "ours";
    if (current?.state === "opening") {
      if (!mayOvertake) return "busy";
      await store.dropReservation(tx, current.provider, current.checkoutId);
    } else if (current) await store.replaceCheckout(tx, current, now);
    await store.reserveCheckout(tx, row, placeholder, now);
    return "ours";
  });
}

/** A page that is paid at its last moment, and the provider's event about it. */
const pageTakesMs = store.pageLifeMs + 3 * dayMs;

/** What was promised before the payment page holds after it: the last backup is kept until the page is over, however often one is opened. */
async function keepForPage(tx: Connection, held: SubscriptionRow | null, lastBackupDays: number, now: Date): Promise<void> {
  if (!held || held.deletedLife === null) return;
  const last = await holdLastBackup(tx, { accountId: held.accountId, life: held.deletedLife }, now);
  if (!last) return;
  const latest = after(last.finishedAt ?? last.createdAt, lastBackupDays * dayMs + pageTakesMs);
  const until = after(now, pageTakesMs);
  await keepAtLeast(tx, last.id, until < latest ? until : latest);
}

const placeholderOf = (key: string): string => `opening-${key}`;
const isSame = (open: store.CheckoutRow, wanted: store.CheckoutFor): boolean =>
  open.provider === wanted.provider &&
  open.planId === wanted.planId &&
  open.customExecutions === wanted.customExecutions &&
  open.customWorkflows === wanted.customWorkflows &&
  open.currency === wanted.currency;

/** The address; null if another click took the place or replaced the page. No page is opened before the previous ones are closed. */
async function openPage(billing: Billing, opening: Opening, actor: Actor, key: string): Promise<string | null> {
  const { db, provider } = billing;
  const placeholder = placeholderOf(key);
  try {
    await askProvider(() => endLeftOver(billing, opening.held));
    await askProvider(() => closeReplaced(billing, opening.row.accountId));
    const page = await askProvider(() => createPage(billing, opening, key));
    if (await publish(billing, opening, page, actor, placeholder)) return page.url;
    // No customer has its address.
    await provider.expireCheckout(page.checkoutId).catch(() => undefined);
    return null;
  } catch (error) {
    await store.dropReservation(db, provider.name, placeholder);
    throw error;
  }
}

/**
 * Ends a subscription that was paused when its workspace was deleted. A timer (end-at-provider) would do that, but loses track of
 * it once another one is bought.
 */
async function endLeftOver(billing: Billing, held: SubscriptionRow | null): Promise<void> {
  if (!held?.providerSubscriptionId || held.provider !== billing.provider.name || held.endedAt || stateOf(held) !== "gone") return;
  await applyProviderTruth(
    billing,
    held.accountId,
    await billing.provider.cancelNow(held.providerSubscriptionId, `gone-${held.providerSubscriptionId}`),
  );
}

async function createPage(billing: Billing, { row, chosen, held }: Opening, key: string): Promise<{ checkoutId: string; url: string }> {
  const { db, provider, publicUrl } = billing;
  const { accountId, currency } = row;
  return provider.createCheckout(
    {
      accountId,
      ...(await findBuyer(billing, accountId)),
      purchase: purchaseOf(chosen.plan, chosen.quotas),
      currency,
      customerId: held?.provider === provider.name ? held.providerCustomerId : null,
      details: await readBillingDetails(db, accountId),
      successUrl: publicUrl + checkoutReturnPath(row.planId, "success"),
      cancelUrl: publicUrl + checkoutReturnPath(row.planId, "canceled"),
    },
    key,
  );
}

async function publish(
  { db, clock, provider }: Billing,
  { row, chosen }: Opening,
  page: { checkoutId: string; url: string },
  actor: Actor,
  placeholder: string,
): Promise<boolean> {
  const now = clock.now();
  const { accountId, currency, planId } = row;
  return db.transaction(async (tx) => {
    if (isSold(stateOf(await lockSubscription(tx, accountId)))) throw new AppError("already_subscribed");
    if (await store.isKnownPage(tx, provider.name, page.checkoutId)) {
      // Opened by a click with the same key that died before answering, and replaced since.
      await store.dropReservation(tx, provider.name, placeholder);
      return false;
    }
    if (!(await store.publishCheckout(tx, provider.name, placeholder, { ...page, createdAt: now, checkAt: after(now, checkAfterMs) })))
      return false;
    await writeAudit(
      tx,
      {
        accountId,
        userId: actor.userId,
        action: "checkout.started",
        after: { planId, quotas: chosen.quotas, currency },
        ...(actor.address ? { address: actor.address } : {}),
      },
      now,
    );
    return true;
  });
}

/** A returning customer may take their previous plan, even if it is withdrawn. */
const keptPlan = (held: SubscriptionRow | null): string | null => (held?.provider ? held.planId : null);

function pickCurrency(prices: Readonly<Record<string, number>> | undefined, wanted: string | null): string {
  return wanted && prices?.[wanted] !== undefined ? wanted : "USD";
}

async function findBuyer({ db }: Billing, accountId: string): Promise<{ email: string; name: string }> {
  const found = await db
    .select({ email: users.email, name: users.fullName })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(eq(users.accountId, accountId))
    .orderBy(asc(users.createdAt))
    .limit(1);
  return found[0]!;
}
