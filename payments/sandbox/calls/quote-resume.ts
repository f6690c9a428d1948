/** What resuming a subscription costs: a paused one begins a new period; a running one is charged when it renews. */
import { subscriptionEnded, type ChangeQuote, type ProviderLine, type UnpaidTime } from "../../payment-provider.ts";
import { creditLines, makeBill, payerOf } from "../sums/bill.ts";
import { cycleBoundary, toSecond } from "../sums/billing-cycle.ts";
import { fullLines, unpaidLines } from "../sums/items.ts";
import type { Held } from "../run-due.ts";
import type { SubscriptionRow } from "../sandbox-rows.ts";

/** What the paused subscription owes for time that was used in its last period. */
export function owedLines({ items, periodStartsAt, periodEndsAt }: SubscriptionRow, unpaid: UnpaidTime | null): ProviderLine[] {
  return unpaid ? unpaidLines(items, unpaid, { from: periodStartsAt, to: periodEndsAt }) : [];
}

/** Refuses a subscription that has ended. */
export function quoteResume({ subscription, customer }: Held, quotedAt: Date, unpaid: UnpaidTime | null): ChangeQuote {
  if (subscription.status === "canceled") throw subscriptionEnded();
  const { currency } = customer;
  const payer = payerOf(customer, subscription.taxInclusive);
  const isPaused = subscription.status === "paused";
  const bill = makeBill(isPaused ? [...fullLines(subscription.items), ...owedLines(subscription, unpaid)] : [], payer);
  const renewal = makeBill(fullLines(subscription.items), { ...payer, credit: bill.creditAfter });
  return {
    quotedAt,
    lines: [...bill.lines, ...creditLines(bill, currency)],
    tax: bill.tax,
    dueNow: { amount: bill.due, currency },
    givenBack: { amount: 0, currency },
    creditAfter: { amount: bill.creditAfter, currency },
    nextRenewal: {
      at: isPaused ? cycleBoundary(toSecond(quotedAt), subscription.items.cycle, 1) : toSecond(subscription.periodEndsAt),
      amount: { amount: renewal.due, currency },
    },
  };
}
