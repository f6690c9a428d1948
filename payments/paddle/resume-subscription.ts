/** Resumes a paused subscription: the price, and the outcome. */
import type { Paddle, Transaction } from "@paddle/paddle-node-sdk";
import type { Money } from "#contract/billing/money/money.ts";
import { say } from "#contract/sentences/say.ts";
import {
  PaymentActionRequired,
  ProviderRefusal,
  QuoteStale,
  subscriptionEnded,
  type ChangeQuote,
  type ProviderLine,
  type ProviderSubscription,
  type ProviderTax,
} from "../payment-provider.ts";
import { addMonths } from "#platform/calendar.ts";
import { after, dayMs, type Clock } from "#platform/clock.ts";
import { allOf, asked } from "./paddle-errors.ts";
import { minor, openSums, recurringSums } from "./paddle-views.ts";

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
export async function previewResume(paddle: Paddle, id: string, now: Date): Promise<ChangeQuote> {
  const subscription = await asked(() => paddle.subscriptions.get(id, { include: ["recurring_transaction_details"] }));
  if (subscription.status === "canceled") throw subscriptionEnded();
  const currency = subscription.currencyCode;
  const balances = await asked(() => paddle.customers.getCreditBalance(subscription.customerId));
  const balance = minor(balances.find(({ currencyCode }) => currencyCode === currency)?.balance?.available);
  const period = recurringSums(subscription.recurringTransactionDetails, currency);
  const isPaused = subscription.status === "paused";
  const due = isPaused
    ? periodDue(period, balance, currency)
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

/** A new period is charged immediately. If the card is refused, Paddle leaves the subscription past due, to be paid at its page. */
export async function resume(
  { paddle, clock, read }: { paddle: Paddle; clock: Clock; read(): Promise<ProviderSubscription> },
  id: string,
  expectedDueNow: Money,
): Promise<ProviderSubscription> {
  const before = await read();
  if (before.status === "active") return before;
  if (before.status === "paused") {
    const { dueNow } = await previewResume(paddle, id, clock.now());
    if (dueNow.amount !== expectedDueNow.amount || dueNow.currency !== expectedDueNow.currency)
      throw new QuoteStale("The price has changed.");
    await asked(() => paddle.subscriptions.resume(id, { effectiveFrom: "immediately", onResume: "start_new_billing_period" }));
  } else if (before.status !== "past_due") throw new ProviderRefusal(`A subscription that is ${before.providerStatus} can't be resumed.`);
  const resumed = await read();
  if (resumed.status !== "active")
    throw new PaymentActionRequired("The card on file was refused. Pay at the payment page.", await paymentPage(paddle, id));
  return resumed;
}

/** A zero-value transaction if all is paid, otherwise the open one: paying it also saves the new card. */
export async function paymentPage(paddle: Paddle, id: string): Promise<string | null> {
  const transaction = await asked(() => paddle.subscriptions.getPaymentMethodChangeTransaction(id));
  return transaction.checkout?.url ?? null;
}
