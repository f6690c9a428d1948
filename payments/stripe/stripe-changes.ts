/** Plan changes at Stripe: their price, and how they are made. */
import type Stripe from "stripe";
import {
  PaymentActionRequired,
  PaymentDeclined,
  ProviderRefusal,
  QuoteStale,
  type ChangeQuote,
  type ChangeRequest,
  type Purchase,
} from "../payment-provider.ts";
import { asked } from "./stripe-errors.ts";
import { moneyOf, upper } from "./prices/stripe-money.ts";
import { entryOf, kindOf, mainItem, ownItems, purchaseOf, samePurchase, wantedItems } from "./prices/stripe-prices.ts";
import { releaseSchedule, schedulePhase } from "./stripe-schedules.ts";
import { billedNext, creditLine, customerOf, expanded, idOf, linesOf, lineView, taxView, toDate } from "./stripe-views.ts";
import { loadSubscription, readTaxRates, type World } from "./stripe-world.ts";

interface WantedPrice {
  /** The existing item to change; undefined to add a new one. */
  id: string | undefined;
  price: string;
  quantity: number;
  recurring: Stripe.Price.Recurring | null;
}

/** The metadata key that stores the prices paid for a subscription's running period, for as long as that period lasts. */
const paidPricesKey = "paidPrices";

/** The wanted items with their prices: existing items keep their price even if it was raised since; new items get today's. */
async function wantedPrices({ findPrices }: World, before: Stripe.Subscription, purchase: Purchase): Promise<WantedPrice[]> {
  const items = ownItems(before.items.data);
  const wanted = wantedItems(purchase);
  const own = new Map(items.map(({ price }) => [entryOf(price), { id: price.id, recurring: price.recurring }]));
  const paid = readPaidPrices(before);
  const missing = wanted.filter(({ entry }) => !own.has(entry)).map(({ entry }) => entry);
  const sold = missing.length > 0 ? await asked(() => findPrices(missing)) : new Map();
  const free = new Map(items.map((item) => [kindOf(entryOf(item.price) ?? ""), item.id]));
  return wanted.map(({ entry, quantity }) => {
    const { id: price, recurring } = own.get(entry) ?? sold.get(entry)!;
    return { id: free.get(kindOf(entry)), price: paid.get(entry) ?? price, quantity, recurring };
  });
}

/** Deletes each unwanted item of ours by its id. Items that are left out of the call stay and are billed, as those of staff should. */
function changedItems(before: Stripe.Subscription, wanted: readonly WantedPrice[]): Stripe.SubscriptionUpdateParams.Item[] {
  const kept = new Set(wanted.map(({ id }) => id));
  return [
    ...wanted.map(({ id, price, quantity }) => ({ ...(id && { id }), price, quantity })),
    ...ownItems(before.items.data)
      .filter(({ id }) => !kept.has(id))
      .map(({ id }) => ({ id, deleted: true })),
  ];
}

function readPaidPrices({ metadata, items }: Stripe.Subscription): Map<string, string> {
  const [until, ...prices] = (metadata[paidPricesKey] ?? "").split(" ");
  return Number(until) === mainItem(items.data)?.current_period_end
    ? new Map(prices.map((each) => each.split("=") as [string, string]))
    : new Map();
}

/** Of two changes in one period, the first recorded what was paid. */
const paidPricesOf = (before: Stripe.Subscription): string =>
  readPaidPrices(before).size > 0
    ? before.metadata[paidPricesKey]!
    : [
        mainItem(before.items.data)!.current_period_end,
        ...ownItems(before.items.data).flatMap(({ price }) => (entryOf(price) ? [`${entryOf(price)}=${price.id}`] : [])),
      ].join(" ");

/** Free days are paid for as much as they ask. */
const canChange = ({ status }: Stripe.Subscription): boolean => status === "active" || status === "trialing";

interface Quoted {
  quote: ChangeQuote;
  wanted: WantedPrice[];
}

/** What a change costs at a given time: Stripe's invoice preview for it, and for the next renewal. */
export async function quote(world: World, request: ChangeRequest, quotedAt: Date): Promise<Quoted> {
  const { stripe } = world;
  const before = await asked(() => stripe.subscriptions.retrieve(request.subscriptionId, { expand: ["customer"] }));
  if (!canChange(before)) throw new ProviderRefusal(`A subscription that is ${before.status} can't change its plan.`);
  const wanted = await wantedPrices(world, before, request.purchase);
  const items = changedItems(before, wanted);
  const subscription = before.id;
  const recurring = () => stripe.invoices.createPreview({ subscription, preview_mode: "recurring", subscription_details: { items } });
  const periodEnd = mainItem(before.items.data)?.current_period_end ?? before.created;
  const currency = upper(before.currency);
  const balance = customerOf(before)?.balance ?? 0;
  const sum = (amount: number) => moneyOf(amount, currency);
  if (request.billing === "next-period") {
    const after = await asked(recurring);
    return { wanted, quote: nothingDue(quotedAt, currency, balance, await renewal(world, after, balance, periodEnd)) };
  }
  const details = { items, proration_behavior: "always_invoice", proration_date: Math.floor(quotedAt.getTime() / 1000) } as const;
  const [now, after] = await asked(() =>
    Promise.all([stripe.invoices.createPreview({ subscription, subscription_details: details }), recurring()]),
  );
  const balanceAfter = balanceAfterPaying(now, balance);
  // A whole period among the prorations begins now: the interval changes between monthly and yearly.
  const newPeriodEnd = now.lines.data.find((line) => !lineView(line).isProration)?.period.end;
  const tax = taxView(now, await readTaxRates(world, [now]));
  const lines = [...linesOf(now), ...creditLine(now, balanceAfter - balance)];
  return {
    wanted,
    quote: {
      quotedAt,
      lines,
      tax,
      dueNow: sum(now.amount_due),
      givenBack: sum(Math.max(0, -now.total)),
      creditAfter: sum(Math.max(0, -balanceAfter)),
      nextRenewal: await renewal(world, after, balanceAfter, newPeriodEnd ?? periodEnd),
    },
  };
}

/** The customer's balance after a previewed invoice; Stripe gives it only for final invoices. */
export const balanceAfterPaying = ({ total, amount_due: due }: Stripe.Invoice, balance: number): number => balance + total - due;

/** A preview uses the current balance, but the change may use some of it or add to it before the renewal. */
export async function renewal(
  world: World,
  recurring: Stripe.Invoice,
  balance: number,
  atSeconds: number,
): Promise<ChangeQuote["nextRenewal"]> {
  const credit = Math.max(0, Math.min(-balance, recurring.total));
  const tax = taxView(recurring, await readTaxRates(world, [recurring]));
  return {
    at: toDate(atSeconds),
    amount: moneyOf(Math.max(0, recurring.total + balance), recurring.currency),
    lines: [...linesOf(recurring), ...creditLine(recurring, credit)],
    tax,
  };
}

/** The quote of a change that costs nothing now. `balance` is the customer's, in minor units; below zero it is credit. */
export function nothingDue(quotedAt: Date, currency: string, balance: number, nextRenewal: ChangeQuote["nextRenewal"]): ChangeQuote {
  const none = moneyOf(0, currency);
  return {
    quotedAt,
    lines: [],
    tax: null,
    dueNow: none,
    givenBack: none,
    creditAfter: moneyOf(Math.max(0, -balance), currency),
    nextRenewal,
  };
}

type Agreed = { quotedAt: Date; expectedDueNow: { amount: number } };

/** Throws QuoteStale if the sum due differs from the agreed one, PaymentDeclined or PaymentActionRequired if the bank does not pay it. */
export async function change(world: World, request: ChangeRequest, agreed: Agreed, key: string): Promise<void> {
  const before = await loadSubscription(world, request.subscriptionId);
  // A repeated call finds the change made; pricing it again would give a different sum.
  if (
    canChange(before) &&
    samePurchase(billedNext(before), request.purchase) &&
    (request.billing === "next-period" || samePurchase(purchaseOf(before.items.data), request.purchase))
  )
    return;
  const { quote: now, wanted } = await quote(world, request, agreed.quotedAt);
  if (now.dueNow.amount !== agreed.expectedDueNow.amount) throw new QuoteStale("The price has changed.");
  await (request.billing === "now"
    ? changeNow(world, before, wanted, agreed, key)
    : changeNextPeriod(world, before, request.purchase, wanted, key));
}

/**
 * Costs nothing now. A different interval would be charged immediately and move the billing date, so it waits in a schedule while the
 * items stay the same until the period's end. Returning to the current items releases the schedule.
 */
async function changeNextPeriod(
  world: World,
  before: Stripe.Subscription,
  purchase: Purchase,
  wanted: WantedPrice[],
  key: string,
): Promise<void> {
  const { stripe } = world;
  const interval = mainItem(before.items.data)?.price.recurring;
  const next = wanted[0]?.recurring;
  if (interval?.interval !== next?.interval || interval?.interval_count !== next?.interval_count)
    return schedulePhase(world, before, wanted, next ?? null, key);
  await releaseSchedule(world, before);
  if (samePurchase(purchaseOf(before.items.data), purchase)) return;
  await asked(() =>
    stripe.subscriptions.update(
      before.id,
      {
        items: changedItems(before, wanted),
        proration_behavior: "none",
        payment_behavior: "error_if_incomplete",
        metadata: { [paidPricesKey]: paidPricesOf(before) },
      },
      { idempotencyKey: key },
    ),
  );
}

/** Takes effect once paid: a bank's question is answered at the invoice's page within 23 hours, and a refusal leaves nothing behind. */
async function changeNow(
  world: World,
  before: Stripe.Subscription,
  wanted: WantedPrice[],
  { quotedAt }: Agreed,
  key: string,
): Promise<void> {
  const { stripe } = world;
  await releaseSchedule(world, before);
  const prorated = { proration_behavior: "always_invoice", proration_date: Math.floor(quotedAt.getTime() / 1000) } as const;
  await asked(() =>
    stripe.subscriptions.update(
      before.id,
      { items: changedItems(before, wanted), payment_behavior: "pending_if_incomplete", ...prorated },
      { idempotencyKey: key },
    ),
  );
  const after = await loadSubscription(world, before.id);
  const invoice = expanded(after.latest_invoice);
  if (after.pending_update && invoice) return refuseUnpaid(world, invoice);
  const items = after.items.data.map(({ price, quantity }) => `${price.id} ${quantity}`);
  // The answer may belong to an earlier attempt with this key that was not paid in time.
  if (wanted.some(({ price, quantity }) => !items.includes(`${price} ${quantity}`)))
    throw new PaymentDeclined("The payment was not confirmed in time.");
}

/** If a bank asks for confirmation, the invoice stays open for its page; a refused invoice is voided. */
export async function refuseUnpaid({ stripe }: World, invoice: Stripe.Invoice): Promise<never> {
  const intentId = idOf(invoice.payments?.data.at(-1)?.payment.payment_intent);
  const intent = intentId ? await asked(() => stripe.paymentIntents.retrieve(intentId)) : null;
  if (intent?.status === "requires_action")
    throw new PaymentActionRequired("Your bank asks you to confirm this payment.", invoice.hosted_invoice_url ?? null);
  await asked(() => stripe.invoices.voidInvoice(invoice.id));
  throw new PaymentDeclined(intent?.last_payment_error?.message ?? "");
}
