/** Debts at Stripe: open invoices, paused subscriptions, and what resuming costs. */
import type Stripe from "stripe";
import type { Money } from "#contract/billing/money/money.ts";
import {
  PaymentDeclined,
  ProviderRefusal,
  QuoteStale,
  type ChangeQuote,
  type PaymentProvider,
  type UnpaidTime,
} from "../payment-provider.ts";
import { say } from "#contract/sentences/say.ts";
import { balanceAfterPaying, nothingDue, refuseUnpaid, renewal } from "./stripe-changes.ts";
import { useNewestCard } from "./stripe-customers.ts";
import { asked } from "./stripe-errors.ts";
import { moneyOf, upper } from "./prices/stripe-money.ts";
import { mainItem } from "./prices/stripe-prices.ts";
import { creditLine, customerOf, expanded, idOf, linesOf, taxView, toDate, unpaidMark } from "./stripe-views.ts";
import { loadSubscription, readTaxRates, type World } from "./stripe-world.ts";

/** Past due also here: a debt that Stripe leaves open for ever counts as paused after a while. */
const owesOpenInvoice = ({ status }: Stripe.Subscription): boolean => status === "unpaid" || status === "past_due";

/** Charges the open amount; a paused subscription begins a new period, and pays for what was used of the last one. */
export async function resume(world: World, id: string, expectedDueNow: Money, key: string, unpaid: UnpaidTime | null): Promise<void> {
  const before = await loadSubscription(world, id);
  if (before.status === "active") return;
  if (before.status !== "paused" && !owesOpenInvoice(before))
    throw new ProviderRefusal(`A subscription that is ${before.status} can't be resumed.`);
  const { dueNow } = await previewResume(world, id, unpaid);
  if (dueNow.amount !== expectedDueNow.amount || dueNow.currency !== expectedDueNow.currency)
    throw new QuoteStale("The price has changed.");
  if (owesOpenInvoice(before)) return payNewest(world, id, key);
  await useNewestCard(world, before);
  // Voids debt from the period that was not delivered, which could otherwise still be paid at its page besides the new one.
  for (const invoice of await openInvoices(world, id)) await asked(() => world.stripe.invoices.voidInvoice(invoice.id));
  await chargeBesides(world, before, await owedLines(world, id, unpaid));
  await asked(
    () =>
      world.stripe.subscriptions.resume(
        id,
        { billing_cycle_anchor: { type: "now" }, payment_behavior: "resume_on_payment_success" },
        { idempotencyKey: key },
      ),
    async () => expanded((await loadSubscription(world, id)).latest_invoice)?.hosted_invoice_url ?? null,
  );
  // Stripe reports no error for a failed payment: the subscription stays paused with an open invoice, which it would retry for weeks.
  const after = await loadSubscription(world, id);
  if (after.status !== "paused") return;
  const invoice = expanded(after.latest_invoice);
  if (invoice?.status === "open") return refuseUnpaid(world, invoice);
  // The answer belonged to an earlier attempt with this key.
  throw new PaymentDeclined("The payment was not confirmed in time.");
}

/** An unpaid subscription owes its open invoice; a paused one begins a period; a running one is charged when it renews. */
export async function previewResume(world: World, id: string, unpaid: UnpaidTime | null): Promise<ChangeQuote> {
  const { stripe, clock } = world;
  const subscription = await asked(() => stripe.subscriptions.retrieve(id, { expand: ["customer"] }));
  if (subscription.ended_at) throw new ProviderRefusal(`The subscription ${id} has ended.`);
  const currency = upper(subscription.currency);
  const sum = (amount: number) => moneyOf(amount, currency);
  const balance = customerOf(subscription)?.balance ?? 0;
  const periodEnd = mainItem(subscription.items.data)?.current_period_end ?? subscription.created;
  const after = await asked(() =>
    stripe.invoices.createPreview({ subscription: id, preview_mode: "recurring", subscription_details: { cancel_at_period_end: false } }),
  );
  const nothing = nothingDue(clock.now(), currency, balance, await renewal(world, after, balance, periodEnd));
  if (owesOpenInvoice(subscription)) {
    const [open] = await openInvoices(world, id);
    return open
      ? {
          ...nothing,
          lines: linesOf(open),
          tax: taxView(open, await readTaxRates(world, [open])),
          dueNow: sum(open.amount_remaining),
        }
      : nothing;
  }
  if (subscription.status !== "paused") return nothing;
  const owed = await owedLines(world, id, unpaid);
  const now = await asked(() =>
    stripe.invoices.createPreview({
      subscription: id,
      subscription_details: { resume_at: "now", billing_cycle_anchor: { type: "now" } },
      ...(owed.length > 0 ? { invoice_items: owed.map((line) => ({ ...line, metadata: unpaidMark })) } : {}),
    }),
  );
  const balanceAfter = balanceAfterPaying(now, balance);
  const lines = [...linesOf(now), ...creditLine(now, balanceAfter - balance)];
  return {
    ...nothing,
    lines,
    tax: taxView(now, await readTaxRates(world, [now])),
    dueNow: sum(now.amount_due),
    creditAfter: sum(Math.max(0, -balanceAfter)),
    nextRenewal: await renewal(world, after, balanceAfter, now.lines.data[0]?.period.end ?? periodEnd),
  };
}

type OwedLine = Required<Pick<Stripe.InvoiceItemCreateParams, "amount" | "currency" | "description" | "period">>;

/** The share of the unpaid invoice's lines that was used; that invoice itself is voided, with the rest of its period. */
async function owedLines({ stripe }: World, subscription: string, unpaid: UnpaidTime | null): Promise<OwedLine[]> {
  if (!unpaid) return [];
  const [from, to] = [unpaid.from, unpaid.to].map((at) => Math.floor(at.getTime() / 1000)) as [number, number];
  const { data } = await asked(() => stripe.invoices.list({ subscription, limit: 100 }));
  const isOfPeriod = ({ period }: Stripe.InvoiceLineItem) => Math.abs(period.start - from) <= 3600 && period.end > period.start;
  // The oldest: an attempt to resume that failed has lines of this time, too.
  const failed = data.findLast(({ status, lines }) => status !== "paid" && status !== "draft" && lines.data.some(isOfPeriod));
  return (failed?.lines.data ?? []).filter(isOfPeriod).map((line) => {
    const whole = line.period.end - line.period.start;
    return {
      amount: Math.round((line.amount * Math.min(to - from, whole)) / whole),
      currency: line.currency,
      description: say("unpaidTime", { line: line.description ?? "" }),
      period: { start: from, end: to },
    };
  });
}

/** Stripe takes the items into the invoice of the resumption. Those of an attempt that failed before its invoice are replaced. */
async function chargeBesides({ stripe }: World, before: Stripe.Subscription, owed: readonly OwedLine[]): Promise<void> {
  const customer = idOf(before.customer) ?? "";
  const { data } = await asked(() => stripe.invoiceItems.list({ customer, pending: true, limit: 100 }));
  for (const { id, metadata } of data)
    if (metadata?.["slipway"] === unpaidMark.slipway && metadata["subscription"] === before.id)
      await asked(() => stripe.invoiceItems.del(id));
  for (const line of owed)
    await asked(() =>
      stripe.invoiceItems.create({ customer, subscription: before.id, ...line, metadata: { ...unpaidMark, subscription: before.id } }),
    );
}

/** Newest first. An invoice of a change that awaits a bank is not a debt. */
async function openInvoices({ stripe }: World, subscription: string): Promise<Stripe.Invoice[]> {
  const { data } = await asked(() => stripe.invoices.list({ subscription, status: "open", limit: 100 }));
  return data.filter(({ billing_reason: reason }) => reason !== "subscription_update");
}

/** Pays the newest open invoice with the card that the customer entered last. */
export async function payNewest(world: World, subscriptionId: string, key: string): Promise<void> {
  const subscription = await loadSubscription(world, subscriptionId);
  const [open] = await openInvoices(world, subscriptionId);
  if (!open || (subscription.status !== "past_due" && subscription.status !== "unpaid"))
    throw new ProviderRefusal(`A subscription that is ${subscription.status} has nothing to pay.`);
  await useNewestCard(world, subscription);
  await asked(
    () => world.stripe.invoices.pay(open.id, {}, { idempotencyKey: key }),
    () => Promise.resolve(open.hosted_invoice_url ?? null),
  );
}

/** An undelivered period is not owed: ends immediately a subscription with no paid period left. */
export async function endUnpaid(world: World, id: string, key: string): Promise<void> {
  for (const invoice of await openInvoices(world, id)) await asked(() => world.stripe.invoices.voidInvoice(invoice.id));
  await asked(() => world.stripe.subscriptions.cancel(id, {}, { idempotencyKey: key }));
}

export async function nextPayment(world: World, id: string): ReturnType<PaymentProvider["nextPayment"]> {
  const { stripe } = world;
  const subscription = await asked(() => stripe.subscriptions.retrieve(id, { expand: ["latest_invoice"] }));
  const { currency } = subscription;
  const open = expanded(subscription.latest_invoice);
  const taxOf = async (invoice: Stripe.Invoice) => taxView(invoice, await readTaxRates(world, [invoice]))?.amount ?? moneyOf(0, currency);
  if (subscription.status === "past_due" && open) {
    if (!open.next_payment_attempt) return null;
    return {
      at: toDate(open.next_payment_attempt),
      amount: moneyOf(open.amount_remaining, currency),
      tax: await taxOf(open),
      lines: linesOf(open),
    };
  }
  const isRunning = subscription.status === "active" || subscription.status === "trialing";
  // While staff have paused the collection, nothing is charged at the period's end.
  if (!isRunning || subscription.pause_collection || subscription.cancel_at_period_end || subscription.cancel_at) return null;
  const schedule = idOf(subscription.schedule);
  const preview = await asked(() => stripe.invoices.createPreview(schedule ? { schedule } : { subscription: id }));
  const lines = [...linesOf(preview), ...creditLine(preview, preview.total - preview.amount_due)];
  const at = mainItem(subscription.items.data)?.current_period_end ?? preview.period_end;
  return { at: toDate(at), amount: moneyOf(preview.amount_due, currency), tax: await taxOf(preview), lines };
}
