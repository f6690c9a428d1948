/** What changed in a price since it was shown. */
import type { ChangePreview } from "#contract/billing/billing.ts";
import type { Money } from "#contract/billing/money/money.ts";

export type PreviewDifference =
  | { what: "dueNow" | "renewal" | "credit"; before: Money; after: Money }
  | { what: "renewalDate" | "effectiveDate"; before: string; after: string };

/** The sums and days that differ; empty if only the time of the request does. */
export function comparePreviews(before: ChangePreview, after: ChangePreview): PreviewDifference[] {
  const sums = [
    { what: "dueNow", before: before.dueNow, after: after.dueNow },
    { what: "renewal", before: before.nextRenewal.amount, after: after.nextRenewal.amount },
    { what: "credit", before: before.creditAfter, after: after.creditAfter },
  ] as const;
  const days = [
    { what: "renewalDate", before: before.nextRenewal.at, after: after.nextRenewal.at },
    // The date of an immediate change moves with each preview.
    ...(after.timing === "period-end" ? [{ what: "effectiveDate", before: before.effectiveAt, after: after.effectiveAt } as const] : []),
  ] as const;
  const day = (moment: string): string => moment.slice(0, 10);
  return [
    ...sums.filter((sum) => sum.before.amount !== sum.after.amount || sum.before.currency !== sum.after.currency),
    ...days.filter((each) => day(each.before) !== day(each.after)),
  ];
}
