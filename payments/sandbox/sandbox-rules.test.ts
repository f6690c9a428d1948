/** Rules of the sandbox beyond the port's promises. */
import { expect, test } from "vitest";
import { PaymentDeclined, ProviderRefusal } from "../payment-provider.ts";
import { sandboxCustomers } from "#database/tables.ts";
import { dayMs, hourMs } from "#platform/clock.ts";
import { buy, checkoutRequest, germanDetails, subscribe } from "#testing/payments/provider-suite/provider-customer.ts";
import { createSandboxHarness } from "#testing/payments/sandbox-harness.ts";
import { refundPart } from "./calls/refund-invoice.ts";

test("a key used for another request is refused; a declined call stays declined and charges nothing", async () => {
  await using harness = await createSandboxHarness();
  const { provider, db } = harness;
  const { id, customerId } = await subscribe(harness);
  await provider.createCheckout(checkoutRequest(), "key");
  await expect(provider.createCheckout(checkoutRequest({ purchase: buy("starter-monthly") }), "key")).rejects.toThrow(ProviderRefusal);
  await db
    .update(sandboxCustomers)
    .set({ card: { brand: "visa", lastFour: "0002", expiryMonth: 12, expiryYear: 2040, behaviour: "declined" } });
  const request = { subscriptionId: id, purchase: buy("pro-2-monthly"), billing: "now" } as const;
  const { quotedAt, dueNow } = await provider.previewChange(request, null);
  const change = () => provider.change(request, { quotedAt, expectedDueNow: dueNow }, "upgrade");
  await expect(change()).rejects.toThrow(PaymentDeclined);
  await expect(change()).rejects.toThrow("The card was declined.");
  const [failed, ...before] = await provider.listInvoices(customerId);
  expect(failed).toMatchObject({ status: "void", payments: [{ status: "failed", reason: "The card was declined." }] });
  expect(before).toHaveLength(1);
  expect((await provider.readSubscription(id))?.purchase?.planId).toBe("pro-1-monthly");
});

test("tax-inclusive prices are not raised by tax, at the checkout or at renewals", async () => {
  await using harness = await createSandboxHarness({ isTaxInclusive: (currency) => currency === "EUR" });
  const { customerId, periodEndsAt } = await subscribe(harness, "visa", { currency: "EUR" });
  await harness.advance(periodEndsAt.getTime() - harness.now().getTime() + hourMs);
  for (const invoice of await harness.provider.listInvoices(customerId)) {
    expect(invoice).toMatchObject({
      total: { amount: 5500, currency: "EUR" },
      tax: { amount: { amount: 878 }, ratePercent: 19, inclusive: true },
    });
  }
});

test("a business in another country owes its tax itself, from the next invoice", async () => {
  await using harness = await createSandboxHarness();
  const { customerId, id } = await subscribe(harness);
  expect((await harness.provider.nextPayment(id))?.amount.amount).toBe(7140);
  await harness.provider.saveDetails(customerId, { ...germanDetails, country: "FR", vatId: "FR12345678901" });
  expect(await harness.provider.nextPayment(id)).toMatchObject({ amount: { amount: 6000 }, tax: { amount: 0 } });
});

test("customers keep the price they bought at when the catalogue changes", async () => {
  await using harness = await createSandboxHarness();
  const { id, customerId, periodEndsAt } = await subscribe(harness);
  await harness.db.execute(`update plans set recurring_price = '{"USD": 9900}' where id = 'pro-1-monthly'`);
  await harness.advance(periodEndsAt.getTime() - harness.now().getTime() + hourMs);
  const [renewal] = await harness.provider.listInvoices(customerId);
  expect(renewal!.lines[0]!.amount.amount).toBe(6000);
  expect((await harness.provider.readSubscription(id))?.status).toBe("active");
});

test("a customer's currency stays the same, and a second running subscription is refused", async () => {
  await using harness = await createSandboxHarness();
  const { customerId, id } = await subscribe(harness);
  const again = (currency: string) => harness.provider.createCheckout(checkoutRequest({ customerId, currency }), `again in ${currency}`);
  await expect(again("USD")).rejects.toThrow("running subscription");
  await harness.provider.cancelNow(id, "end");
  await expect(again("EUR")).rejects.toThrow("pays in USD");
});

test("credit from a downgrade pays the next invoices, to the last cent", async () => {
  await using harness = await createSandboxHarness();
  const { id, customerId, periodEndsAt } = await subscribe(harness, "visa", { purchase: buy("pro-2-yearly") });
  const request = { subscriptionId: id, purchase: buy("pro-1-monthly"), billing: "now" } as const;
  const { quotedAt, dueNow, creditAfter } = await harness.provider.previewChange(request, null);
  // 1,400.00 a year, just bought, less 60.00, each with 19 % tax.
  expect({ due: dueNow.amount, credit: creditAfter.amount }).toEqual({ due: 0, credit: 159_460 });
  await harness.provider.change(request, { quotedAt, expectedDueNow: dueNow }, "down");
  await harness.advance(periodEndsAt.getTime() - harness.now().getTime() + dayMs);
  const truth = await harness.provider.readSubscription(id);
  const invoices = await harness.provider.listInvoices(customerId);
  const renewals = invoices.filter(({ total }) => total.amount === 7140);
  expect(renewals.every(({ status, payments }) => status === "paid" && payments.length === 0)).toBe(true);
  expect(truth?.credit.amount).toBe(159_460 - renewals.length * 7140);
  expect(invoices.find(({ total }) => total.amount < 0)?.total.amount).toBe(-159_460);
});

test("a partial refund leaves the rest paid; more than is left is refused, and refunding the rest is a full refund", async () => {
  await using harness = await createSandboxHarness();
  const { customerId, id } = await subscribe(harness);
  const [before] = await harness.provider.listInvoices(customerId);
  const { amount } = before!.total;
  await refundPart(harness.db, customerId, 1000, harness.now());
  const [partly] = await harness.provider.listInvoices(customerId);
  expect(partly).toMatchObject({
    status: "paid",
    takenBack: null,
    refunds: [{ amount: { amount: 1000 } }],
    payments: [{ status: "succeeded" }],
  });
  await expect(refundPart(harness.db, customerId, amount, harness.now())).rejects.toThrow("Only");
  expect(await harness.provider.refundSubscription(id, "rest", 1_000_000)).toEqual(before!.total);
  const [whole] = await harness.provider.listInvoices(customerId);
  expect(whole).toMatchObject({ status: "refunded", takenBack: "refund", payments: [{ status: "refunded" }] });
  expect(whole!.refunds!.reduce((sum, { amount: part }) => sum + part.amount, 0)).toBe(amount);
});

test("a refund is made once per key, and the key is refused for another subscription", async () => {
  await using harness = await createSandboxHarness();
  const [one, other] = [await subscribe(harness), await subscribe(harness)];
  const given = await harness.provider.refundSubscription(one.id, "duplicate-refund", 1_000_000);
  expect(await harness.provider.refundSubscription(one.id, "duplicate-refund", 1_000_000)).toEqual(given);
  await expect(harness.provider.refundSubscription(other.id, "duplicate-refund", 1_000_000)).rejects.toThrow("another request");
  expect((await harness.provider.listInvoices(other.customerId))[0]!.status).toBe("paid");
});
