/** What an invoice is for, in a few words: what was bought or changed, which need not be its first line. */
import { say } from "#contract/sentences/say.ts";
import type { ProviderLine } from "#payments/payment-provider.ts";
import { directionOf, type PlanFacts, type Plans } from "#domain/plans/plan-facts.ts";

const otherPeriod = { day: "changeToDaily", month: "changeToMonthly", yr: "changeToYearly" } as const;
const changes = { upgrade: "upgradeTo", downgrade: "downgradeTo", same: "changeTo" } as const;

/** Such as `Pro, monthly`, `Upgrade to Pro` or `Change to Pro, yearly`; the lines' own labels if they name no plan. */
export function describeInvoice(lines: readonly ProviderLine[], plans: Plans): string {
  const sold = lines.find(({ amount }) => amount.amount > 0);
  const givenBack = lines.find(({ amount, isProration }) => isProration && amount.amount < 0);
  if (!sold || !givenBack) return (sold ?? lines[0])?.label ?? "";
  const [from, to] = [givenBack, sold].map(({ planId }) => plans.get(planId ?? "")) as [PlanFacts | undefined, PlanFacts | undefined];
  if (!from || !to) return sold.label;
  if (from.planId === to.planId) return say("newQuotas", { plan: to.name });
  if (from.specId === to.specId) return say(otherPeriod[to.period.unit], { plan: to.name });
  return say(changes[directionOf({ plan: from, quotas: null }, { plan: to, quotas: null })], { plan: to.name });
}

/** From the first to the last day that the lines cover; null if none gives a period. */
export function servicePeriodOf(lines: readonly ProviderLine[]): { from: string; to: string } | null {
  const periods = lines.flatMap(({ period }) => (period ? [period] : []));
  if (periods.length === 0) return null;
  // ISO times in UTC sort as text.
  return {
    from: periods.map(({ from }) => from).toSorted()[0]!,
    to: periods
      .map(({ to }) => to)
      .toSorted()
      .at(-1)!,
  };
}
