/** What resuming a subscription costs: a paused one begins a new period; a running one is charged when it renews. */
import { subscriptionEnded, type ChangeQuote, type UnpaidTime } from "../payment-provider.ts";
import { creditLines, makeBill, payerOf } from "./bill.ts";
import { toSecond } from "./billing-cycle.ts";
import { fullLines } from "./items.ts";
import { resumption, type Account } from "./ledger.ts";

/** Refuses a subscription that has ended. */
export function quoteResume(
  { subscription, customer }: Pick<Account, "subscription" | "customer">,
  quotedAt: Date,
  unpaid: UnpaidTime | null,
): ChangeQuote {
  if (subscription.status === "canceled") throw subscriptionEnded();
  const { currency } = customer;
  const payer = payerOf(customer, subscription.taxInclusive);
  const isPaused = subscription.status === "paused";
  const begun = resumption({ subscription, customer, open: null }, unpaid, quotedAt);
  const bill = isPaused ? begun.bill : makeBill([], payer);
  const renewal = makeBill(fullLines(subscription.items), { ...payer, credit: bill.creditAfter });
  return {
    quotedAt,
    lines: [...bill.lines, ...creditLines(bill, currency)],
    tax: bill.tax,
    dueNow: { amount: bill.due, currency },
    givenBack: { amount: 0, currency },
    creditAfter: { amount: bill.creditAfter, currency },
    nextRenewal: {
      at: isPaused ? begun.period.periodEndsAt : toSecond(subscription.periodEndsAt),
      amount: { amount: renewal.due, currency },
    },
  };
}
