/**
 * When a change takes effect and how it is billed. A quota stands open for the whole of its period, and nobody can prove that it
 * was not used: so no change gives back money that was paid. What would give some back waits for the end of what is paid; who
 * wants it sooner has it at once, and nothing back for it.
 */
import { periodMonths, type PlanFacts } from "#domain/plans/plan-facts.ts";
import type { ChangeQuote, ChangeRequest } from "#payments/payment-provider.ts";

export type Timing = "now" | "period-end";

export interface ChangeTerms {
  timing: Timing;
  billing: ChangeRequest["billing"];
}

export interface TermsInput {
  /** What the customer asked for; undefined: whatever suits the change. */
  wanted: Timing | undefined;
  direction: "upgrade" | "downgrade" | "same";
  /** Of the provider's quote of the change made now; not asked for where it is not made now anyway. */
  givenBack: ChangeQuote["givenBack"] | null;
  from: Pick<PlanFacts, "period">;
  to: Pick<PlanFacts, "period">;
}

/** Whether the provider has to be asked what the change would cost now. */
export const asksForNow = ({ wanted, direction }: Pick<TermsInput, "wanted" | "direction">): boolean =>
  (wanted ?? (direction === "downgrade" ? "period-end" : "now")) === "now";

/** A shorter or longer period begins with a payment: where money would come back it can't begin before the paid one is over. */
export function changeTerms(input: TermsInput): ChangeTerms {
  const later: ChangeTerms = { timing: "period-end", billing: "next-period" };
  if (!asksForNow(input)) return later;
  if (!input.givenBack || input.givenBack.amount === 0) return { timing: "now", billing: "now" };
  const isSamePeriod = periodMonths(input.from.period) === periodMonths(input.to.period);
  return input.wanted === "now" && isSamePeriod ? { timing: "now", billing: "next-period" } : later;
}
