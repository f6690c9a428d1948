/** Refunds what was paid for a subscription. */
import type { Paddle, Transaction } from "@paddle/paddle-node-sdk";
import type { Money } from "#contract/billing/money/money.ts";
import { ProviderUnreachable, refuseTooLarge } from "../payment-provider.ts";
import { allOf, asked } from "./paddle-errors.ts";
import { adjusted, minor } from "./paddle-views.ts";

/**
 * Requests a refund of the unrefunded part of each payment; Paddle's staff approve it. A requested refund counts as given and is not
 * requested again. Throws ProviderUnreachable while a payment is not completed or has a partial refund pending, since Paddle then
 * accepts no further request.
 */
export async function refundSubscription(paddle: Paddle, id: string, most: number): Promise<Money> {
  const subscription = await asked(() => paddle.subscriptions.get(id));
  const transactions = await asked(() =>
    allOf(paddle.transactions.list({ subscriptionId: [id], status: ["paid", "completed"], include: ["adjustment"] })),
  );
  const paid = transactions.filter((transaction) => chargedBy(transaction) > 0);
  if (paid.some(({ status }) => status === "paid"))
    throw new ProviderUnreachable("Paddle has not completed the payment yet, so it can't be refunded.");
  const sum = { amount: paid.reduce((total, transaction) => total + oursOf(transaction), 0), currency: subscription.currencyCode };
  refuseTooLarge(sum, most);
  for (const transaction of paid) {
    const adjustments = transaction.adjustments ?? [];
    if (oursOf(transaction) <= adjusted(adjustments, "refund", asGiven)) continue;
    if (adjustments.some(({ action, status }) => action === "refund" && status === "pending_approval"))
      throw new ProviderUnreachable(`A refund of ${transaction.id} awaits Paddle's approval; the rest can't be requested until then.`);
    // "full" means all that is left: Paddle subtracts earlier refunds.
    await asked(() => paddle.adjustments.create({ action: "refund", type: "full", transactionId: transaction.id, reason: "Paid twice" }));
  }
  return sum;
}

/** What was charged, without what a bank took back. */
function oursOf(transaction: Transaction): number {
  const adjustments = transaction.adjustments ?? [];
  return chargedBy(transaction) - Math.max(0, adjusted(adjustments, "chargeback") - adjusted(adjustments, "chargeback_reverse"));
}

const asGiven: ReadonlySet<string> = new Set(["approved", "pending_approval"]);
const chargedBy = ({ details }: Transaction): number => minor(details?.totals?.grandTotal);
