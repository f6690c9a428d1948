/** Customers at Stripe: which card is charged, which ids and addresses are stored, and what is owed. */
import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import type { BillingDetails } from "#contract/billing/billing.ts";
import { PaymentActionRequired, PaymentDeclined, VatIdRefused, type ProviderSubscription } from "../payment-provider.ts";
import { dayMs, hourMs } from "#platform/clock.ts";
import { voidInvoice } from "#testing/payments/fake-stripe/billing/stripe-billing.ts";
import * as pages from "#testing/payments/fake-stripe/stripe-pages.ts";
import { checkoutRequest, germanDetails, look, subscribe } from "#testing/payments/provider-suite/provider-customer.ts";
import { atCheckout, createStripeHarness, type StripeHarness, type StripeHarnessOptions } from "#testing/payments/stripe-harness.ts";
import { keptCard } from "#testing/payments/sandbox-harness.ts";
import { taxIdFor } from "./prices/stripe-tax-ids.ts";

async function openStripe(options?: StripeHarnessOptions): Promise<StripeHarness> {
  const harness = await createStripeHarness(options);
  onTestFinished(() => harness[Symbol.asyncDispose]());
  return harness;
}

const panel = "https://panel.example/manage/billing";
const enterCard = async (harness: StripeHarness, { id }: ProviderSubscription, card: "mastercard" | "visa" = "mastercard") =>
  harness.enterCard(await harness.provider.changeCardUrl(id, panel), card);
const toEnd = ({ periodEndsAt }: ProviderSubscription, harness: StripeHarness) =>
  harness.advance(periodEndsAt.getTime() - harness.now().getTime() + 2 * hourMs);
const events = async (harness: StripeHarness) =>
  (await harness.takeWebhooks()).map(({ headers, body }) => harness.provider.readWebhook(headers, body, harness.now()));
const brandOfNewest = (harness: StripeHarness, { customerId }: ProviderSubscription) =>
  [...harness.state.charges.values()].findLast(({ customer }) => customer === customerId)!.card!.brand;

test("a card entered at the portal is shown and pays from then on", async () => {
  const harness = await openStripe();
  const before = await subscribe(harness);
  expect(await enterCard(harness, before)).toBe("kept");
  expect((await look(harness, before.id)).card?.brand).toBe("mastercard");
  await toEnd(before, harness);
  expect(brandOfNewest(harness, before)).toBe("mastercard");
});

test("a debt is paid with the newest card, even if its event was lost", async () => {
  const harness = await openStripe();
  const before = await subscribe(harness, "renewal-soft");
  await toEnd(before, harness);
  await enterCard(harness, before);
  expect((await harness.provider.retryPayment(before.id, randomUUID())).status).toBe("active");
  expect(brandOfNewest(harness, before)).toBe("mastercard");
});

test("a new purchase after a card change pays with the card of the purchase", async () => {
  const harness = await openStripe();
  const first = await subscribe(harness);
  await enterCard(harness, first);
  await harness.provider.cancelNow(first.id, randomUUID());
  await harness.advance(dayMs);
  const second = await subscribe(harness, "visa", { accountId: first.accountId!, customerId: first.customerId });
  expect(second.card?.brand).toBe("visa");
  await toEnd(second, harness);
  expect(brandOfNewest(harness, second)).toBe("visa");
});

test("the portal leads back to the panel automatically", async () => {
  const harness = await openStripe();
  const before = await subscribe(harness);
  await harness.provider.changeCardUrl(before.id, panel);
  expect([...harness.state.portals.values()]).toEqual([{ customer: before.customerId, returnUrl: panel, leadsBack: true }]);
});

test("the event of a removed card names its customer", async () => {
  const harness = await openStripe();
  const before = await subscribe(harness);
  await harness.takeWebhooks();
  pages.removeMethod(harness.state, harness.state.subscriptions.get(before.id)!.defaultMethod!);
  expect(await events(harness)).toMatchObject([{ kind: "customer", customerId: before.customerId }]);
  expect((await look(harness, before.id)).card).toBeNull();
});

const british: BillingDetails = { ...germanDetails, country: "GB", city: "London", postalCode: "EC1A 1BB", vatId: "GB123456789" };
const taxIds = (harness: StripeHarness, { customerId }: ProviderSubscription) =>
  harness.state.customers.get(customerId)!.taxIds.map(({ type, value }) => `${type} ${value}`);

test("a VAT id entered before the purchase applies to the first invoice", async () => {
  const harness = await openStripe();
  const austrian = { ...germanDetails, country: "AT", city: "Wien", postalCode: "1010", vatId: "ATU12345678" };
  const checkout = await harness.provider.createCheckout(checkoutRequest({ details: austrian }), randomUUID());
  pages.payCheckout(harness.state, checkout.checkoutId, keptCard("visa", harness.now()), { ...atCheckout, country: "AT" }, true);
  const { subscriptionId } = await harness.provider.readCheckout(checkout.checkoutId);
  const truth = await look(harness, subscriptionId!);
  expect(taxIds(harness, truth)).toEqual(["eu_vat ATU12345678"]);
  expect((await harness.provider.listInvoices(truth.customerId))[0]).toMatchObject({ tax: null, buyer: { vatId: "ATU12345678" } });
});

test("a VAT id that Stripe refuses does not prevent paying", async () => {
  const harness = await openStripe();
  const truth = await subscribe(harness, "visa", { details: { ...british, vatId: "GB12" } });
  expect(taxIds(harness, truth)).toEqual([]);
});

test("a VAT id gets its country's type, and a refused one leaves the previous valid one", async () => {
  const harness = await openStripe();
  const truth = await subscribe(harness);
  await harness.provider.saveDetails(truth.customerId, { ...germanDetails, vatId: "DE123456789" });
  expect(taxIds(harness, truth)).toEqual(["eu_vat DE123456789"]);
  await expect(harness.provider.saveDetails(truth.customerId, { ...british, vatId: "GB12" })).rejects.toThrow(VatIdRefused);
  expect(taxIds(harness, truth)).toEqual(["eu_vat DE123456789"]);
  expect(harness.state.customers.get(truth.customerId)!.address).toMatchObject({ country: "DE" });
  await harness.provider.saveDetails(truth.customerId, british);
  expect(taxIds(harness, truth)).toEqual(["gb_vat GB123456789"]);
});

test("a VAT id entered at Stripe's checkout is on the invoice", async () => {
  const harness = await openStripe();
  const checkout = await harness.provider.createCheckout(checkoutRequest(), randomUUID());
  pages.payCheckout(
    harness.state,
    checkout.checkoutId,
    keptCard("visa", harness.now()),
    { ...atCheckout, country: "FR", taxId: { type: "eu_vat", value: "FR12345678901" } },
    true,
  );
  const { customer } = harness.state.checkouts.get(checkout.checkoutId)!;
  expect((await harness.provider.listInvoices(customer))[0]).toMatchObject({ tax: null, buyer: { country: "FR", vatId: "FR12345678901" } });
});

test.each([
  ["DE", "DE 123 456 789", "eu_vat", "DE123456789"],
  ["GR", "123456789", "eu_vat", "EL123456789"],
  ["GB", "123 4567 89", "gb_vat", "GB123456789"],
  ["GB", "XI123456789", "eu_vat", "XI123456789"],
  ["CH", "CHE-123.456.789 TVA", "ch_vat", "CHE-123.456.789 TVA"],
  ["NO", "NO 123456789", "no_vat", "123456789MVA"],
  ["US", "123456789", "us_ein", "12-3456789"],
] as const)("the tax id of a business in %s, %s, is Stripe's %s", (country, given, type, value) => {
  expect(taxIdFor(country, given)).toEqual({ type, value });
});

test("details with only a country keep the address that Stripe has in that country", async () => {
  const harness = await openStripe();
  const truth = await subscribe(harness);
  const nothing = { line1: "", line2: "", postalCode: "", city: "" };
  await harness.provider.saveDetails(truth.customerId, { ...germanDetails, ...nothing });
  const row = harness.state.customers.get(truth.customerId)!;
  expect(row.address).toMatchObject({ line1: "Straße 1", city: "Berlin", country: "DE" });
  await harness.provider.saveDetails(truth.customerId, { ...germanDetails, ...nothing, country: "FR" });
  expect(row.address).toMatchObject({ line1: null, city: null, country: "FR" });
});

test("the tax rate on an invoice is Stripe's, however small the sum", async () => {
  const harness = await openStripe();
  const truth = await subscribe(harness);
  const invoice = pages.invoicesOf(harness.state, truth.customerId)[0]!;
  for (let subtotal = 1; subtotal < 200; subtotal += 7) {
    Object.assign(invoice, {
      total: subtotal + Math.round(subtotal * 0.19),
      tax: { ...invoice.tax!, amount: Math.round(subtotal * 0.19), taxable: subtotal },
    });
    const [shown] = await harness.provider.listInvoices(truth.customerId);
    if (shown?.tax) expect(shown.tax).toMatchObject({ name: "VAT", ratePercent: 19 });
  }
});

test("a cancellation on a custom date can be undone too", async () => {
  const harness = await openStripe();
  const truth = await subscribe(harness);
  harness.state.subscriptions.get(truth.id)!.cancelAt = Math.floor(harness.now().getTime() / 1000) + 7 * 86_400;
  expect((await look(harness, truth.id)).cancelAt).not.toBeNull();
  expect((await harness.provider.undoCancel(truth.id, randomUUID())).cancelAt).toBeNull();
});

async function stopped(harness: StripeHarness): Promise<ProviderSubscription> {
  const before = await subscribe(harness, "renewal-soft");
  await toEnd(before, harness);
  await harness.advance(harness.pausedAfterMs + dayMs);
  return look(harness, before.id);
}

test.each(["paused", "unpaid"] as const)(
  "cancelling one that is %s ends it, and nothing of it can be paid afterwards",
  async (afterTries) => {
    const harness = await openStripe({ afterTries });
    const truth = await stopped(harness);
    expect(truth).toMatchObject({ status: "paused", providerStatus: afterTries });
    expect((await harness.provider.cancelAtPeriodEnd(truth.id, randomUUID())).status).toBe("deleted");
    expect(pages.invoicesOf(harness.state, truth.customerId).map(({ status }) => status)).toEqual(["void", "paid"]);
    const other = await openStripe({ afterTries });
    const ended = await stopped(other);
    expect((await other.provider.cancelNow(ended.id, randomUUID())).status).toBe("deleted");
    expect(pages.invoicesOf(other.state, ended.customerId).map(({ status }) => status)).toEqual(["void", "paid"]);
  },
);

test("resuming a paused subscription charges one period, and the earlier debt can no longer be paid", async () => {
  const harness = await openStripe();
  const truth = await stopped(harness);
  await enterCard(harness, truth);
  const { dueNow } = await harness.provider.previewResume(truth.id);
  expect((await harness.provider.resume(truth.id, dueNow, randomUUID())).status).toBe("active");
  expect(pages.invoicesOf(harness.state, truth.customerId).map(({ status }) => status)).toEqual(["paid", "void", "paid"]);
});

test.each([
  ["refuses", "insufficient-funds", PaymentDeclined, "void"],
  ["wants confirmed", "confirm-always", PaymentActionRequired, "open"],
] as const)(
  "a resumption that the bank %s is reported, and its debt is not retried automatically",
  async (_what, behaviour, error, left) => {
    const harness = await openStripe();
    const truth = await stopped(harness);
    harness.state.methods.get(harness.state.subscriptions.get(truth.id)!.defaultMethod!)!.card.behaviour = behaviour;
    const { dueNow } = await harness.provider.previewResume(truth.id);
    const key = randomUUID();
    const refusal: unknown = await harness.provider.resume(truth.id, dueNow, key).catch((reason: unknown) => reason);
    expect(refusal).toBeInstanceOf(error);
    expect(await look(harness, truth.id)).toMatchObject({ status: "paused" });
    expect(pages.invoicesOf(harness.state, truth.customerId)[0]).toMatchObject({ status: left });
    // The same call again: Stripe's first answer does not count as a payment.
    await expect(harness.provider.resume(truth.id, dueNow, key)).rejects.toThrow(PaymentDeclined);
    expect(pages.invoicesOf(harness.state, truth.customerId).map(({ status }) => status)).not.toContain("open");
  },
);

test("an unpaid subscription is resumed by paying its open invoice with the newest card", async () => {
  const harness = await openStripe({ afterTries: "unpaid" });
  const truth = await stopped(harness);
  await enterCard(harness, truth);
  const { dueNow } = await harness.provider.previewResume(truth.id);
  expect((await harness.provider.resume(truth.id, dueNow, randomUUID())).status).toBe("active");
  expect(brandOfNewest(harness, truth)).toBe("mastercard");
});

test("a subscription that Stripe paused without a date is still paused", async () => {
  const harness = await openStripe();
  const truth = await subscribe(harness);
  harness.state.subscriptions.get(truth.id)!.status = "paused";
  expect(await look(harness, truth.id)).toMatchObject({ status: "paused", pausedAt: expect.any(Date) });
});

test("a partial refund does not make the invoice refunded, and a failed refund is undone", async () => {
  const harness = await openStripe();
  const truth = await subscribe(harness);
  pages.refundNewest(harness.state, truth.customerId, 1000);
  expect((await harness.provider.listInvoices(truth.customerId))[0]).toMatchObject({ status: "paid", takenBack: null });
  pages.refundNewest(harness.state, truth.customerId, undefined, "pending");
  expect((await harness.provider.listInvoices(truth.customerId))[0]).toMatchObject({ status: "refunded", takenBack: "refund" });
  await harness.takeWebhooks();
  pages.failRefund(harness.state, truth.customerId);
  expect((await harness.provider.listInvoices(truth.customerId))[0]).toMatchObject({ status: "paid", takenBack: null });
  const [failed] = await events(harness);
  expect(failed).toMatchObject({ kind: "refund" });
  expect(await harness.provider.whoseEvent(failed!.customerId!)).toMatchObject({ customerId: truth.customerId });
});

test("a refund that fails days later is distinguished from successful ones", async () => {
  const harness = await openStripe();
  const truth = await subscribe(harness);
  const newest = async () => (await harness.provider.listInvoices(truth.customerId))[0]!;
  pages.refundNewest(harness.state, truth.customerId, 1000);
  pages.refundNewest(harness.state, truth.customerId, 500);
  const { refunds } = await newest();
  expect(refunds!.map(({ amount }) => amount.amount).toSorted()).toEqual([1000, 500]);
  await harness.advance(5 * dayMs);
  pages.failRefund(harness.state, truth.customerId);
  expect(await newest()).toMatchObject({
    refunds: [{ amount: { amount: 1000 } }],
    failedRefunds: [refunds!.find(({ amount }) => amount.amount === 500)!.id],
  });
});

test("an early fraud warning is reported and leads to the account", async () => {
  const harness = await openStripe();
  const truth = await subscribe(harness);
  await harness.takeWebhooks();
  pages.warnOfNewest(harness.state, truth.customerId);
  const [warning] = await events(harness);
  expect(warning).toMatchObject({ kind: "fraud-warning", subscriptionId: null });
  expect(await harness.provider.whoseEvent(warning!.customerId!)).toEqual({ customerId: truth.customerId, accountId: truth.accountId });
});

test("an invoice that an operator voids is reported as void", async () => {
  const harness = await openStripe();
  const truth = await subscribe(harness, "renewal-soft");
  await toEnd(truth, harness);
  await harness.takeWebhooks();
  voidInvoice(harness.state, pages.invoicesOf(harness.state, truth.customerId)[0]!, 0);
  expect(await events(harness)).toMatchObject([{ kind: "invoice", type: "invoice.voided", subscriptionId: truth.id }]);
});

test("whose document is the invoice is one or the other: ours without Stripe's number, or Stripe's number and PDF", async () => {
  for (const issuesInvoices of [false, true]) {
    const harness = await openStripe({ issuesInvoices });
    const truth = await subscribe(harness);
    const [invoice] = await harness.provider.listInvoices(truth.customerId);
    expect(harness.provider.isSeller).toBe(issuesInvoices);
    expect(invoice!.number).toEqual(issuesInvoices ? expect.stringMatching(/^FAKE-/) : null);
    expect(await harness.provider.invoiceUrl(invoice!.id)).toEqual(issuesInvoices ? expect.stringMatching(/\/pdf$/) : null);
  }
});

test("Stripe's page asks for the buyer's whole address", async () => {
  const harness = await openStripe();
  await subscribe(harness);
  const opened = harness.asked.find(({ call }) => call === "POST /v1/checkout/sessions");
  expect(opened!.params).toMatchObject({ billing_address_collection: "required" });
});
