import { expect, test } from "vitest";
import type { ChangePreview } from "#contract/billing/billing.ts";
import { comparePreviews } from "./compare-previews.ts";

const usd = (amount: number) => ({ amount, currency: "USD" });
const preview: ChangePreview = {
  previewId: "one",
  quotedAt: "2026-11-21T12:00:00Z",
  expiresAt: "2026-11-21T12:15:00Z",
  planId: "pro-1-monthly",
  planName: "Pro",
  direction: "upgrade",
  timing: "now",
  effectiveAt: "2026-11-21T12:00:00Z",
  lines: [],
  tax: null,
  dueNow: usd(3_000),
  creditAfter: usd(0),
  nextRenewal: { at: "2026-12-01T00:00:00Z", amount: usd(6_000) },
  stopsWorking: [],
  restarts: true,
};

test("a price requested again is equal, whatever its time", () => {
  expect(
    comparePreviews(preview, { ...preview, previewId: "two", quotedAt: "2026-11-21T12:20:00Z", effectiveAt: "2026-11-22T00:00:00Z" }),
  ).toEqual([]);
});

test("each changed amount and date is named, before and after", () => {
  const after = { ...preview, dueNow: usd(2_900), creditAfter: usd(5), nextRenewal: { at: "2026-12-02T00:00:00Z", amount: usd(6_100) } };
  expect(comparePreviews(preview, after)).toEqual([
    { what: "dueNow", before: usd(3_000), after: usd(2_900) },
    { what: "renewal", before: usd(6_000), after: usd(6_100) },
    { what: "credit", before: usd(0), after: usd(5) },
    { what: "renewalDate", before: preview.nextRenewal.at, after: after.nextRenewal.at },
  ]);
});

test("for a scheduled change, its date is compared", () => {
  const later = { ...preview, timing: "period-end" as const };
  expect(comparePreviews(later, { ...later, effectiveAt: "2026-12-01T00:00:00Z" })).toEqual([
    { what: "effectiveDate", before: preview.effectiveAt, after: "2026-12-01T00:00:00Z" },
  ]);
});
