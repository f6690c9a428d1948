/**
 * When a change takes effect and how it is billed. A quota is available for its whole period, and it cannot be proved
 * unused, so no change returns money that was paid. A change that would return some waits for the end of the paid period; a
 * customer who wants it sooner can have it immediately, without a refund.
 */
import { periodMonths, type PlanFacts } from "#domain/plans/plan-facts.ts";
import type { ChangeQuote, ChangeRequest } from "#payments/payment-provider.ts";

export type Timing = "now" | "period-end";

export interface ChangeTerms {
  timing: Timing;
  billing: ChangeRequest["billing"];
}

interface TermsInput {
  /** The customer's choice; undefined: whichever suits the change. */
  wanted: Timing | undefined;
  direction: "upgrade" | "downgrade" | "same";
  /** From the provider's quote for an immediate change; not requested if the change is not made now anyway. */
  givenBack: ChangeQuote["givenBack"] | null;
  from: Pick<PlanFacts, "period">;
  to: Pick<PlanFacts, "period">;
}

/** Whether the provider has to be asked what the change would cost now. */
export const asksForNow = ({ wanted, direction }: Pick<TermsInput, "wanted" | "direction">): boolean =>
  (wanted ?? (direction === "downgrade" ? "period-end" : "now")) === "now";

/** A different period length starts with a payment; if that would return money, the change cannot begin before the paid period is over. */
export function changeTerms(input: TermsInput): ChangeTerms {
  const later: ChangeTerms = { timing: "period-end", billing: "next-period" };
  if (!asksForNow(input)) return later;
  if (!input.givenBack || input.givenBack.amount === 0) return { timing: "now", billing: "now" };
  const isSamePeriod = periodMonths(input.from.period) === periodMonths(input.to.period);
  return input.wanted === "now" && isSamePeriod ? { timing: "now", billing: "next-period" } : later;
}
