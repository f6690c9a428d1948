/** Resumes a paused subscription: the price, and the outcome. */
import type { Paddle, Product, Subscription, TaxCategory, Transaction } from "@paddle/paddle-node-sdk";
import type { Money } from "#contract/billing/money/money.ts";
import { say } from "#contract/sentences/say.ts";
import {
  PaymentActionRequired,
  PaymentDeclined,
  ProviderRefusal,
  ProviderUnreachable,
  QuoteStale,
  subscriptionEnded,
  type ChangeQuote,
  type ProviderLine,
  type ProviderSubscription,
  type ProviderTax,
  type UnpaidTime,
} from "../payment-provider.ts";
import { addMonths } from "#platform/calendar.ts";
import { after, dayMs, type Clock } from "#platform/clock.ts";
import { claimDebt, keepDebt } from "./owed-mark.ts";
import { allOf, asked } from "./paddle-errors.ts";
import { ownItems } from "./paddle-prices.ts";
import { minor, openSums, recurringSums, unpaidMark, unpaidSpan } from "./paddle-views.ts";

interface Due {
  lines: ProviderLine[];
  tax: ProviderTax | null;
  amount: number;
  creditUsed: number;
}

const nothingDue: Due = { lines: [], tax: null, amount: 0, creditUsed: 0 };

/**
 * Paddle has no preview for resuming. A new period costs its price less any credit. If the subscription was resumed but not paid, the
 * price is the open amount.
 */
export async function previewResume(paddle: Paddle, id: string, now: Date, unpaid: UnpaidTime | null): Promise<ChangeQuote> {
  const subscription = await asked(() => paddle.subscriptions.get(id, { include: ["recurring_transaction_details"] }));
  if (subscription.status === "canceled") throw subscriptionEnded();
  const currency = subscription.currencyCode;
  const balances = await asked(() => paddle.customers.getCreditBalance(subscription.customerId));
  const balance = minor(balances.find(({ currencyCode }) => currencyCode === currency)?.balance?.available);
  const period = recurringSums(subscription.recurringTransactionDetails, currency);
  const isPaused = subscription.status === "paused";
  const due = isPaused
    ? periodDue(withOwed(period, owedLines(subscription, unpaid)), balance, currency)
    : subscription.status === "past_due"
      ? openDue(await findOpen(paddle, id))
      : nothingDue;
  const creditAfter = balance - due.creditUsed;
  return {
    quotedAt: now,
    lines: due.lines,
    tax: due.tax,
    dueNow: { amount: due.amount, currency },
    givenBack: { amount: 0, currency },
    creditAfter: { amount: creditAfter, currency },
    nextRenewal: {
      at: isPaused
        ? cycleAfter(now, subscription.billingCycle)
        : new Date(subscription.currentBillingPeriod?.endsAt ?? subscription.nextBilledAt ?? now),
      amount: { amount: period.total - Math.min(creditAfter, period.total), currency },
    },
  };
}

function periodDue({ lines, tax, total }: ReturnType<typeof recurringSums>, balance: number, currency: string): Due {
  const creditUsed = Math.min(balance, total);
  const credit = { label: say("credit"), quantity: 1, amount: { amount: -creditUsed, currency }, isProration: false };
  return { lines: creditUsed > 0 ? [...lines, credit] : lines, tax, amount: total - creditUsed, creditUsed };
}

/** Credit was already used when the open payment was billed. */
const openDue = (open: Transaction | undefined): Due => (open ? { ...openSums(open), creditUsed: 0 } : nothingDue);

/** The open payment, or undefined. */
async function findOpen(paddle: Paddle, id: string): Promise<Transaction | undefined> {
  const open = await asked(() => allOf(paddle.transactions.list({ subscriptionId: [id], status: ["past_due"] })));
  return open.toSorted((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt))[0];
}

const cycleMonths = { day: 0, week: 0, month: 1, year: 12 } as const;
const cycleDays = { day: 1, week: 7, month: 0, year: 0 } as const;
const cycleAfter = (from: Date, { interval, frequency }: { interval: keyof typeof cycleMonths; frequency: number }): Date =>
  after(addMonths(from, cycleMonths[interval] * frequency), cycleDays[interval] * frequency * dayMs);

interface OwedLine extends ProviderLine {
  taxCategory: TaxCategory;
  tax: number;
  /** As a price of Paddle's, which includes the tax where the plan's does. */
  unit: number;
}

const pricesIncludeTax = ({ items }: Subscription): boolean => ownItems(items).some(({ price }) => price.taxMode === "internal");

/** What the used share of an unpaid period costs, at the subscription's prices. */
function owedLines(subscription: Subscription, unpaid: UnpaidTime | null): OwedLine[] {
  const details = subscription.recurringTransactionDetails;
  if (!unpaid || !details) return [];
  const whole = cycleAfter(unpaid.from, subscription.billingCycle).getTime() - unpaid.from.getTime();
  const used = Math.min(unpaid.to.getTime() - unpaid.from.getTime(), whole);
  const share = (amount: string | undefined) => Math.round((minor(amount) * used) / whole);
  const isInclusive = pricesIncludeTax(subscription);
  return details.lineItems
    .map(({ quantity, totals, taxRate, product: { name, taxCategory } }) => {
      const unit = share(isInclusive ? totals.total : totals.subtotal);
      const net = isInclusive ? Math.round(unit / (1 + Number(taxRate))) : unit;
      return {
        label: say("unpaidTime", { line: name }),
        quantity,
        amount: { amount: net, currency: subscription.currencyCode },
        isProration: true,
        period: { from: unpaid.from.toISOString(), to: unpaid.to.toISOString() },
        taxCategory,
        tax: isInclusive ? unit - net : Math.round(net * Number(taxRate)),
        unit,
      };
    })
    .filter(({ unit }) => unit > 0);
}

type Sums = ReturnType<typeof recurringSums>;

const withOwed = (period: Sums, owed: readonly OwedLine[]): Sums => {
  const tax = owed.reduce((sum, each) => sum + each.tax, 0);
  return {
    lines: [...period.lines, ...owed.map(({ taxCategory: _category, tax: _tax, unit: _unit, ...line }) => line)],
    tax: period.tax && { ...period.tax, amount: { ...period.tax.amount, amount: period.tax.amount.amount + tax } },
    total: period.total + tax + owed.reduce((sum, { amount }) => sum + amount.amount, 0),
  };
};

/**
 * Charges what was used before the pause. Paddle's invoice for resuming takes no further lines, so this is one of its own; a card that
 * refuses it is charged at the next renewal. Repeating it charges nothing twice.
 */
export async function chargeUnpaid(paddle: Paddle, id: string, unpaid: UnpaidTime): Promise<void> {
  const subscription = await asked(() => paddle.subscriptions.get(id, { include: ["recurring_transaction_details", "next_transaction"] }));
  const owed = owedLines(subscription, unpaid);
  if (owed.length === 0) return;
  const charged = await asked(() => allOf(paddle.transactions.list({ subscriptionId: [id], "createdAt[GTE]": unpaid.to.toISOString() })));
  const isIt = ({ product }: { product: Pick<Product, "customData"> | null }) =>
    unpaidSpan(product?.customData)?.startsAt === unpaid.from.toISOString();
  const isDone =
    charged.some(({ status, details }) => status !== "canceled" && details?.lineItems.some(isIt)) ||
    subscription.nextTransaction?.details.lineItems.some(isIt);
  if (isDone) return;
  const items = owed.map(({ label, unit, taxCategory }) => ({
    quantity: 1,
    price: {
      description: label,
      name: label,
      unitPrice: { amount: String(unit), currencyCode: subscription.currencyCode },
      taxMode: pricesIncludeTax(subscription) ? ("internal" as const) : ("external" as const),
      quantity: { minimum: 1, maximum: 1 },
      product: { name: label, taxCategory, customData: unpaidMark(unpaid) },
    },
  }));
  const charge = (effectiveFrom: "immediately" | "next_billing_period") =>
    asked(() => paddle.subscriptions.createOneTimeCharge(id, { effectiveFrom, items, onPaymentFailure: "prevent_change" }));
  try {
    await charge("immediately");
  } catch (error) {
    if (!(error instanceof PaymentDeclined)) throw error;
    await charge("next_billing_period");
  }
}

/** A new period is charged immediately, then what was used of the last one. If the card is refused, Paddle leaves the subscription past due, to be paid at its page. */
export async function resume(
  { paddle, clock, read }: { paddle: Paddle; clock: Clock; read(): Promise<ProviderSubscription> },
  id: string,
  expectedDueNow: Money,
  unpaid: UnpaidTime | null,
): Promise<ProviderSubscription> {
  const before = await read();
  if (before.status === "active") return settled(before);
  if (before.status === "paused") {
    const { dueNow } = await previewResume(paddle, id, clock.now(), unpaid);
    if (dueNow.amount !== expectedDueNow.amount || dueNow.currency !== expectedDueNow.currency)
      throw new QuoteStale("The price has changed.");
    // First: from the resumption on, nothing else says what is owed.
    if (unpaid) await keepDebt(paddle, before.customerId, id, unpaid, clock.now());
    await asked(() => paddle.subscriptions.resume(id, { effectiveFrom: "immediately", onResume: "start_new_billing_period" })).catch(
      async (error: unknown) => {
        // Refused: nothing was agreed. Without an answer it may have been resumed.
        if (unpaid && !(error instanceof ProviderUnreachable)) await keepDebt(paddle, before.customerId, id, null, clock.now());
        throw error;
      },
    );
  } else if (before.status !== "past_due") throw new ProviderRefusal(`A subscription that is ${before.providerStatus} can't be resumed.`);
  const resumed = await read();
  if (resumed.status !== "active")
    throw new PaymentActionRequired("The card on file was refused. Pay at the payment page.", await paymentPage(paddle, id));
  return settled(resumed);

  async function settled(now: ProviderSubscription): Promise<ProviderSubscription> {
    // It was resumed by an earlier call: what that has not charged is still kept. If another may be charging it, a later look makes sure.
    const debt = unpaid && before.status !== "paused" ? await claimDebt(paddle, now.customerId, id, clock.now()) : unpaid;
    if (!debt) return now;
    await chargeUnpaid(paddle, id, debt);
    await keepDebt(paddle, now.customerId, id, null, clock.now());
    return read();
  }
}

/** A zero-value transaction if all is paid, otherwise the open one: paying it also saves the new card. */
export async function paymentPage(paddle: Paddle, id: string): Promise<string | null> {
  const transaction = await asked(() => paddle.subscriptions.getPaymentMethodChangeTransaction(id));
  return transaction.checkout?.url ?? null;
}
