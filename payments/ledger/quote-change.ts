/** What a change of plan costs at a given time, and the resulting subscription. Pure: reads and writes nothing. */
import type { ChangeQuote } from "../payment-provider.ts";
import { creditLines, makeBill, payerOf, type Bill, type Customer } from "./bill.ts";
import { firstPeriod, isSameCycle, restOf } from "./billing-cycle.ts";
import { fullLines, isSameBill, proratedLines, type Items } from "./items.ts";
import type { Subscription } from "./ledger.ts";

export interface PlannedChange {
  bill: Bill;
  /** What to write once the bill is settled. */
  changes: Partial<Subscription>;
  nextRenewal: { at: Date; items: Items };
}

/**
 * `now`: the unused part of the paid period is credited to the second and charged at the new price; if the cycle differs, a new
 * period begins. `next-period`: nothing is due now, and the new price applies from the period's end.
 */
export function planChange(
  subscription: Subscription,
  customer: Customer,
  items: Items,
  billing: "now" | "next-period",
  quotedAt: Date,
): PlannedChange {
  const payer = payerOf(customer, subscription.taxInclusive);
  const { paidItems, periodEndsAt } = subscription;
  const stays = { at: periodEndsAt, items };
  if (billing === "next-period") return { bill: makeBill([], payer), changes: { items }, nextRenewal: stays };
  // Free days stay free, and their end stays the billing date.
  if (isSameBill(paidItems, items) || subscription.status === "trialing")
    return { bill: makeBill([], payer), changes: { items, paidItems: items }, nextRenewal: stays };

  const share = restOf(subscription, quotedAt);
  const rest = { from: quotedAt, to: periodEndsAt };
  const unused = proratedLines(paidItems, share, -1, rest);
  if (isSameCycle(paidItems.cycle, items.cycle)) {
    return {
      bill: makeBill([...unused, ...proratedLines(items, share, 1, rest)], payer),
      changes: { items, paidItems: items },
      nextRenewal: stays,
    };
  }
  const period = firstPeriod(quotedAt, items.cycle);
  const whole = { from: quotedAt, to: period.periodEndsAt };
  return {
    bill: makeBill([...unused, ...fullLines(items, whole)], payer),
    changes: { ...period, items, paidItems: items, dueAt: period.periodEndsAt },
    nextRenewal: { at: period.periodEndsAt, items },
  };
}

/** Builds the port's quote. Its lines, plus tax, add up to the amount due or the credit. */
export function quoteOf({ bill, nextRenewal }: PlannedChange, subscription: Subscription, customer: Customer, quotedAt: Date): ChangeQuote {
  const { currency } = customer;
  const renewal = makeBill(fullLines(nextRenewal.items), { ...payerOf(customer, subscription.taxInclusive), credit: bill.creditAfter });
  return {
    quotedAt,
    lines: [...bill.lines, ...creditLines(bill, currency)],
    tax: bill.tax,
    dueNow: { amount: bill.due, currency },
    givenBack: { amount: Math.max(0, -bill.total), currency },
    creditAfter: { amount: bill.creditAfter, currency },
    nextRenewal: {
      at: nextRenewal.at,
      amount: { amount: renewal.due, currency },
      lines: [...renewal.lines, ...creditLines(renewal, currency)],
      tax: renewal.tax,
    },
  };
}
