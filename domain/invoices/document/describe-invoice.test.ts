import { expect, test } from "vitest";
import type { ProviderLine } from "#payments/payment-provider.ts";
import { describeInvoice, servicePeriodOf } from "./describe-invoice.ts";
import { planFacts as plans } from "#testing/payments/catalogue-plans.ts";

const line = (label: string, amount: number, planId?: string): ProviderLine => ({
  label,
  quantity: 1,
  amount: { amount, currency: "USD" },
  isProration: amount < 0,
  ...(planId ? { planId } : {}),
});
const change = (from: string | undefined, to: string | undefined) =>
  describeInvoice([line("Unused time on something", -1200, from), line("Remaining time on something else", 3000, to)], plans);

test("a purchase and a renewal name what is bought", () =>
  expect(describeInvoice([line("Pro, monthly", 6000, "pro-1-monthly"), line("1,000 executions", 180)], plans)).toBe("Pro, monthly"));

test.each([
  ["starter-monthly", "pro-1-monthly", "Upgrade to Pro 10K"],
  ["starter-monthly", "pro-1-yearly", "Upgrade to Pro 10K"],
  ["pro-1-monthly", "starter-monthly", "Downgrade to Starter"],
  ["pro-1-monthly", "pro-1-yearly", "Change to Pro 10K, yearly"],
  ["pro-1-monthly", "pro-2-monthly", "Upgrade to Pro 50K"],
  ["custom-monthly", "custom-monthly", "New quotas for Pro custom"],
] as const)("a change from %s to %s is called %j, though the line that gives back comes first", (from, to, title) =>
  expect(change(from, to)).toBe(title),
);

test("if the provider names no plans, the charged line is used", () =>
  expect(change(undefined, undefined)).toBe("Remaining time on something else"));

test("an invoice without lines has no subject", () => expect(describeInvoice([], plans)).toBe(""));

test("the service period spans from the first day of all lines to the last", () => {
  const during = (from: string, to: string): ProviderLine => ({ ...line("x", 1), period: { from, to } });
  expect(
    servicePeriodOf([
      during("2026-11-21T10:00:00.000Z", "2026-12-01T09:00:00.000Z"),
      line("no period", 1),
      during("2026-11-21T10:00:00.000Z", "2027-11-21T10:00:00.000Z"),
    ]),
  ).toEqual({ from: "2026-11-21T10:00:00.000Z", to: "2027-11-21T10:00:00.000Z" });
  expect(servicePeriodOf([line("x", 1)])).toBeNull();
});
