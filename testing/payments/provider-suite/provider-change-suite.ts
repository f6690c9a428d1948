/** What every payment provider promises about plan changes; part of testing/payments/provider-suite/provider-suite.ts. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import {
  PaymentActionRequired,
  PaymentDeclined,
  QuoteStale,
  type ChangeQuote,
  type ProviderSubscription,
} from "#payments/payment-provider.ts";
import { dayMs, hourMs } from "#platform/clock.ts";
import { buy, look, subscribe } from "./provider-customer.ts";
import type { ProviderHarness } from "./provider-harness.ts";

type Promised = (harness: ProviderHarness) => Promise<void>;

/** What a customer agrees to. */
export const agreed = (quote: ChangeQuote) => ({ quotedAt: quote.quotedAt, expectedDueNow: quote.dueNow });
const toMiddle = async (harness: ProviderHarness, { periodStartsAt, periodEndsAt }: ProviderSubscription) =>
  harness.advance((periodStartsAt.getTime() + periodEndsAt.getTime()) / 2 - harness.now().getTime());
const linesSum = (quote: ChangeQuote) => quote.lines.reduce((total, { amount }) => total + amount.amount, 0);
const taxOnTop = ({ tax }: ChangeQuote) => (tax && !tax.inclusive ? tax.amount.amount : 0);

export const changePromises: Record<string, Promised> = {
  "an upgrade now costs the difference for the rest of the period, as previewed, and moves no renewal": async (harness) => {
    const before = await subscribe(harness);
    await toMiddle(harness, before);
    const request = { subscriptionId: before.id, purchase: buy("pro-2-monthly"), billing: "now" } as const;
    const quote = await harness.provider.previewChange(request, null);
    // Half of 140.00 - 60.00, and tax on it.
    expect(Math.abs(linesSum(quote) - 4000)).toBeLessThanOrEqual(harness.prorationTolerance);
    expect(linesSum(quote) + taxOnTop(quote)).toBe(quote.dueNow.amount);
    expect(quote.givenBack.amount).toBe(0);
    expect(quote.lines.every(({ isProration }) => isProration)).toBe(true);
    expect(quote.nextRenewal.at).toEqual(before.periodEndsAt);
    expect((await look(harness, before.id)).purchase).toEqual(before.purchase);
    const changed = await harness.provider.change(request, agreed(quote), randomUUID());
    expect(changed).toMatchObject({ status: "active", purchase: request.purchase, periodEndsAt: before.periodEndsAt });
    expect(changed.changedAt.getTime()).toBeGreaterThan(before.changedAt.getTime());
    const [invoice] = await harness.provider.listInvoices(before.customerId);
    expect(invoice).toMatchObject({ status: "paid", payments: [{ status: "succeeded", amount: quote.dueNow }] });
  },
  "a downgrade now turns the unused time into credit and charges nothing": async (harness) => {
    const before = await subscribe(harness, "visa", { purchase: buy("pro-2-monthly") });
    await toMiddle(harness, before);
    const request = { subscriptionId: before.id, purchase: buy("pro-1-monthly"), billing: "now" } as const;
    const quote = await harness.provider.previewChange(request, null);
    expect(quote.dueNow.amount).toBe(0);
    expect(quote.creditAfter.amount).toBeGreaterThan(3900);
    // The quote states it, so that the caller can avoid it (domain/billing/purchases/change/change-terms.ts).
    expect(quote.givenBack).toEqual(quote.creditAfter);
    const changed = await harness.provider.change(request, agreed(quote), randomUUID());
    expect(changed.credit).toEqual(quote.creditAfter);
    const next = await harness.provider.nextPayment(before.id);
    expect(next?.amount.amount).toBe(quote.nextRenewal.amount.amount);
    await harness.advance(before.periodEndsAt.getTime() - harness.now().getTime() + hourMs);
    const renewed = await look(harness, before.id);
    expect(renewed.status).toBe("active");
    expect(renewed.credit.amount).toBeLessThan(quote.creditAfter.amount);
  },
  "a change for the next period costs nothing now and is billed from then on": async (harness) => {
    const before = await subscribe(harness, "visa", { purchase: buy("pro-2-monthly") });
    const request = { subscriptionId: before.id, purchase: buy("pro-1-monthly"), billing: "next-period" } as const;
    const quote = await harness.provider.previewChange(request, null);
    expect(quote).toMatchObject({ dueNow: { amount: 0 }, givenBack: { amount: 0 }, creditAfter: { amount: 0 }, lines: [] });
    const changed = await harness.provider.change(request, agreed(quote), randomUUID());
    expect(changed).toMatchObject({ purchase: request.purchase, periodEndsAt: before.periodEndsAt });
    expect(await harness.provider.listInvoices(before.customerId)).toHaveLength(1);
    await harness.advance(before.periodEndsAt.getTime() - harness.now().getTime() + hourMs);
    const [renewal] = await harness.provider.listInvoices(before.customerId);
    expect(renewal!.total.amount - (renewal!.tax?.inclusive ? 0 : (renewal!.tax?.amount.amount ?? 0))).toBe(6000);
  },
  "from monthly to yearly, a new period begins": async (harness) => {
    const before = await subscribe(harness);
    await toMiddle(harness, before);
    const request = { subscriptionId: before.id, purchase: buy("pro-1-yearly"), billing: "now" } as const;
    const quote = await harness.provider.previewChange(request, null);
    expect(Math.abs(linesSum(quote) - (60_000 - 3000))).toBeLessThanOrEqual(harness.prorationTolerance);
    const changed = await harness.provider.change(request, agreed(quote), randomUUID());
    expect((changed.periodEndsAt.getTime() - harness.now().getTime()) / dayMs).toBeGreaterThan(364);
    expect(changed.periodEndsAt).toEqual(quote.nextRenewal.at);
  },
  "custom quotas are billed by the unit": async (harness) => {
    const before = await subscribe(harness, "visa", { purchase: buy("custom-monthly") });
    const quote = await harness.provider.previewChange(
      { subscriptionId: before.id, purchase: buy("custom-monthly", 10, 4), billing: "next-period" },
      null,
    );
    // 140.00 + 10 x 1.80 + 4 x 1.50, and tax.
    expect(quote.nextRenewal.amount.amount).toBeGreaterThanOrEqual(16_400);
    const now = await harness.provider.previewChange(
      { subscriptionId: before.id, purchase: buy("custom-monthly", 10, 4), billing: "now" },
      null,
    );
    expect(Math.abs(linesSum(now) - 2400)).toBeLessThanOrEqual(harness.prorationTolerance);
  },
  "a change whose price has since changed is refused, and nothing is changed": async (harness) => {
    const before = await subscribe(harness);
    const request = { subscriptionId: before.id, purchase: buy("pro-2-monthly"), billing: "now" } as const;
    const quote = await harness.provider.previewChange(request, null);
    const dearer = { quotedAt: quote.quotedAt, expectedDueNow: { ...quote.dueNow, amount: quote.dueNow.amount - 100 } };
    await expect(harness.provider.change(request, dearer, randomUUID())).rejects.toThrow(QuoteStale);
    // Another tab was faster.
    const other = { ...request, purchase: buy("custom-monthly") };
    await harness.provider.change(other, agreed(await harness.provider.previewChange(other, null)), randomUUID());
    await expect(harness.provider.change(request, agreed(quote), randomUUID())).rejects.toThrow(QuoteStale);
    expect((await look(harness, before.id)).purchase).toEqual(other.purchase);
  },
  "the same key changes and charges once, even in concurrent calls": async (harness) => {
    const before = await subscribe(harness);
    const request = { subscriptionId: before.id, purchase: buy("pro-2-monthly"), billing: "now" } as const;
    const quote = agreed(await harness.provider.previewChange(request, null));
    const key = randomUUID();
    await Promise.all([harness.provider.change(request, quote, key), harness.provider.change(request, quote, key)]);
    await harness.provider.change(request, quote, key);
    expect(await harness.provider.listInvoices(before.customerId)).toHaveLength(2);
  },
  "a change whose payment is declined changes nothing": async (harness) => {
    const before = await subscribe(harness, "renewal-hard");
    const url = await harness.provider.changeCardUrl(before.id, "https://panel.example/manage/billing");
    expect(await harness.enterCard(url, "declined")).toBe("declined");
    expect((await look(harness, before.id)).card).toEqual(before.card);
  },
  "a change that needs bank confirmation changes nothing until it is confirmed": async (harness) => {
    const before = await subscribe(harness, "confirm-always");
    const request = { subscriptionId: before.id, purchase: buy("pro-2-monthly"), billing: "now" } as const;
    const quote = await harness.provider.previewChange(request, null);
    const refusal: unknown = await harness.provider.change(request, agreed(quote), randomUUID()).catch((error: unknown) => error);
    // A provider without a confirmation page says only that the payment failed.
    expect(refusal).toBeInstanceOf(harness.triesOnRequest ? PaymentActionRequired : PaymentDeclined);
    expect((await look(harness, before.id)).purchase).toEqual(before.purchase);
    const { url } = refusal as PaymentActionRequired;
    if (!url) return;
    await harness.confirm(url);
    expect((await look(harness, before.id)).purchase).toEqual(request.purchase);
  },
};
