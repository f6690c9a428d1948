/** Plan changes that only Stripe makes difficult: raised prices, intervals that charge immediately, banks that ask for confirmation. */
import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import {
  PaymentActionRequired,
  PaymentDeclined,
  ProviderUnreachable,
  type ChangeRequest,
  type ProviderSubscription,
} from "../payment-provider.ts";
import { dayMs, hourMs } from "#platform/clock.ts";
import { raisePrice } from "#testing/payments/fake-stripe/stripe-catalogue.ts";
import { invoicesOf } from "#testing/payments/fake-stripe/stripe-pages.ts";
import { buy, look, subscribe } from "#testing/payments/provider-suite/provider-customer.ts";
import { agreed } from "#testing/payments/provider-suite/provider-change-suite.ts";
import { createStripeHarness, type StripeHarness, type StripeHarnessOptions } from "#testing/payments/stripe-harness.ts";

async function openStripe(options?: StripeHarnessOptions): Promise<StripeHarness> {
  const harness = await createStripeHarness(options);
  onTestFinished(() => harness[Symbol.asyncDispose]());
  return harness;
}

async function change(
  harness: StripeHarness,
  { id: subscriptionId }: ProviderSubscription,
  purchase: ChangeRequest["purchase"],
  billing: ChangeRequest["billing"],
  key: string = randomUUID(),
): Promise<ProviderSubscription> {
  const request = { subscriptionId, purchase, billing };
  return harness.provider.change(request, agreed(await harness.provider.previewChange(request, null)), key);
}

const untilEnd = ({ periodEndsAt }: ProviderSubscription, harness: StripeHarness) => periodEndsAt.getTime() - harness.now().getTime();
const subtotals = async (harness: StripeHarness, { customerId }: ProviderSubscription) =>
  (await harness.provider.listInvoices(customerId)).map(({ lines }) => lines.reduce((sum, { amount }) => sum + amount.amount, 0));
const prices = (harness: StripeHarness, { id }: ProviderSubscription) =>
  harness.state.subscriptions
    .get(id)!
    .items.map(({ price }) => harness.state.prices.get(price)!.entry)
    .toSorted();

test("after a price is raised, existing customers are recognised by the old one and renew at it", async () => {
  const harness = await openStripe();
  const before = await subscribe(harness);
  raisePrice(harness.state, "pro-1-monthly", 1.5);
  await harness.advance(untilEnd(before, harness) + 2 * hourMs);
  expect((await look(harness, before.id)).purchase).toEqual(buy("pro-1-monthly"));
  expect(await subtotals(harness, before)).toEqual([6000, 6000]);
  expect((await subscribe(harness)).id).not.toBe(before.id);
});

test("different quotas of a plan with a raised price keep the plan's old price", async () => {
  const harness = await openStripe();
  const before = await subscribe(harness, "visa", { purchase: buy("custom-monthly", 3) });
  raisePrice(harness.state, "custom-monthly", 2);
  raisePrice(harness.state, "custom-monthly-executions", 2);
  await change(harness, before, buy("custom-monthly", 10), "next-period");
  await harness.advance(untilEnd(before, harness) + 2 * hourMs);
  // 140.00 + 10 x 1.80, as when it was bought.
  expect((await subtotals(harness, before))[0]).toBe(14_000 + 1800);
});

test("a change away from a plan whose prices were raised leaves nothing of it billed", async () => {
  const harness = await openStripe();
  const before = await subscribe(harness, "visa", { purchase: buy("custom-monthly", 3, 2) });
  for (const entry of ["custom-monthly", "custom-monthly-executions", "custom-monthly-workflows"]) raisePrice(harness.state, entry, 2);
  const changed = await change(harness, before, buy("starter-monthly"), "next-period");
  expect(changed.purchase).toEqual(buy("starter-monthly"));
  expect(prices(harness, before)).toEqual(["starter-monthly"]);
});

test("an undone change of quotas and price is billed at the previous price", async () => {
  const harness = await openStripe();
  const before = await subscribe(harness, "visa", { purchase: buy("pro-2-monthly") });
  raisePrice(harness.state, "pro-2-monthly", 2);
  await change(harness, before, buy("pro-1-monthly"), "next-period");
  await change(harness, before, buy("pro-2-monthly"), "next-period");
  await harness.advance(untilEnd(before, harness) + 2 * hourMs);
  expect(await subtotals(harness, before)).toEqual([14_000, 14_000]);
});

test("from yearly to monthly at the period's end charges nothing before it, and monthly from then on", async () => {
  const harness = await openStripe();
  const before = await subscribe(harness, "visa", { purchase: buy("pro-1-yearly") });
  await harness.advance(untilEnd(before, harness) - hourMs);
  const changed = await change(harness, before, buy("pro-1-monthly"), "next-period");
  expect(changed).toMatchObject({ purchase: buy("pro-1-monthly"), periodEndsAt: before.periodEndsAt });
  expect(await subtotals(harness, before)).toEqual([60_000]);
  expect(await harness.provider.nextPayment(before.id)).toMatchObject({ at: before.periodEndsAt, lines: [{ amount: { amount: 6000 } }] });
  await harness.advance(3 * hourMs);
  const renewed = await look(harness, before.id);
  expect(renewed).toMatchObject({ status: "active", purchase: buy("pro-1-monthly"), periodStartsAt: before.periodEndsAt });
  expect(untilEnd(renewed, harness)).toBeLessThan(32 * dayMs);
  expect(await subtotals(harness, before)).toEqual([6000, 60_000]);
  // The schedule is finished: later months are ordinary and can be changed.
  await harness.advance(untilEnd(renewed, harness) + 2 * hourMs);
  await change(harness, before, buy("pro-2-monthly"), "now");
  expect(await subtotals(harness, before)).toHaveLength(4);
});

test.each(["before", "after"] as const)("a card entered %s a change at the end of the period pays from then on", async (when) => {
  const harness = await openStripe();
  const before = await subscribe(harness, "visa", { purchase: buy("pro-1-yearly") });
  const enter = async () =>
    harness.enterCard(await harness.provider.changeCardUrl(before.id, "https://panel.example/manage/billing"), "mastercard");
  await harness.advance(untilEnd(before, harness) - hourMs);
  if (when === "before") await enter();
  await change(harness, before, buy("pro-1-monthly"), "next-period");
  if (when === "after") await enter();
  expect((await look(harness, before.id)).card?.brand).toBe("mastercard");
  await harness.advance(3 * hourMs);
  expect(await look(harness, before.id)).toMatchObject({ status: "active", purchase: buy("pro-1-monthly"), card: { brand: "mastercard" } });
  expect([...harness.state.charges.values()].findLast(({ customer }) => customer === before.customerId)!.card!.brand).toBe("mastercard");
});

test("a change from yearly to monthly can be undone until the period's end, and the year renews as before", async () => {
  const harness = await openStripe();
  const before = await subscribe(harness, "visa", { purchase: buy("pro-1-yearly") });
  raisePrice(harness.state, "pro-1-yearly", 2);
  await harness.advance(untilEnd(before, harness) - hourMs);
  await change(harness, before, buy("pro-1-monthly"), "next-period");
  expect((await change(harness, before, buy("pro-1-yearly"), "next-period")).purchase).toEqual(buy("pro-1-yearly"));
  await harness.advance(3 * hourMs);
  expect(await subtotals(harness, before)).toEqual([60_000, 60_000]);
});

test("a card refused at the change from yearly to monthly owes one month, not a year", async () => {
  const harness = await openStripe();
  const before = await subscribe(harness, "renewal-soft", { purchase: buy("pro-1-yearly") });
  await harness.advance(untilEnd(before, harness) - hourMs);
  await change(harness, before, buy("pro-1-monthly"), "next-period");
  await harness.advance(3 * hourMs);
  expect(await look(harness, before.id)).toMatchObject({ status: "past_due", purchase: buy("pro-1-monthly") });
  const [open] = await harness.provider.listInvoices(before.customerId);
  expect(open).toMatchObject({ status: "open", lines: [{ amount: { amount: 6000 } }] });
});

test("a schedule that a killed process left incomplete is finished by the next attempt", async () => {
  const harness = await openStripe();
  const before = await subscribe(harness, "visa", { purchase: buy("pro-1-yearly") });
  harness.state.faults.push({ call: /^POST .*subscription_schedules\/sub_sched/, status: 500, isDone: false });
  const request = { subscriptionId: before.id, purchase: buy("pro-1-monthly"), billing: "next-period" } as const;
  const quote = agreed(await harness.provider.previewChange(request, null));
  await expect(harness.provider.change(request, quote, randomUUID())).rejects.toThrow(ProviderUnreachable);
  expect((await harness.provider.change(request, quote, randomUUID())).purchase).toEqual(request.purchase);
  await harness.advance(untilEnd(before, harness) + 2 * hourMs);
  expect(await subtotals(harness, before)).toEqual([6000, 60_000]);
});

test("cancelling drops a change scheduled for the period's end", async () => {
  const harness = await openStripe();
  const before = await subscribe(harness, "visa", { purchase: buy("pro-1-yearly") });
  await change(harness, before, buy("pro-1-monthly"), "next-period");
  expect(await harness.provider.cancelAtPeriodEnd(before.id, randomUUID())).toMatchObject({
    cancelAt: before.periodEndsAt,
    purchase: buy("pro-1-yearly"),
  });
});

test("a change that needs bank confirmation can be confirmed at a page, and is not a debt until then", async () => {
  const harness = await openStripe();
  const before = await subscribe(harness, "confirm-always");
  const refusal: unknown = await change(harness, before, buy("pro-2-monthly"), "now").catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(PaymentActionRequired);
  const { url } = refusal as PaymentActionRequired;
  expect(url).toMatch(/^https:\/\/invoice\.stripe\.com\//);
  expect(await look(harness, before.id)).toMatchObject({ status: "active", purchase: before.purchase });
  expect(await harness.provider.listInvoices(before.customerId)).toHaveLength(1);
  await harness.takeWebhooks();
  await harness.confirm(url!);
  expect((await look(harness, before.id)).purchase).toEqual(buy("pro-2-monthly"));
  expect((await harness.provider.listInvoices(before.customerId))[0]).toMatchObject({ status: "paid" });
  const told = (await harness.takeWebhooks()).map(({ headers, body }) => harness.provider.readWebhook(headers, body, harness.now()));
  expect(told.find(({ type }) => type === "customer.subscription.pending_update_applied")).toMatchObject({
    kind: "subscription",
    subscriptionId: before.id,
  });
});

test("a change left unconfirmed for a day is not made, and a repeated request says so", async () => {
  const harness = await openStripe();
  const before = await subscribe(harness, "confirm-always");
  const request = { subscriptionId: before.id, purchase: buy("pro-2-monthly"), billing: "now" } as const;
  const quote = agreed(await harness.provider.previewChange(request, null));
  const key = randomUUID();
  await expect(harness.provider.change(request, quote, key)).rejects.toThrow(PaymentActionRequired);
  await harness.takeWebhooks();
  await harness.advance(dayMs - hourMs);
  expect(await look(harness, before.id)).toMatchObject({ status: "active", purchase: before.purchase });
  const told = (await harness.takeWebhooks()).map(({ headers, body }) => harness.provider.readWebhook(headers, body, harness.now()));
  expect(told.find(({ type }) => type === "customer.subscription.pending_update_expired")).toMatchObject({
    kind: "subscription",
    subscriptionId: before.id,
  });
  await expect(harness.provider.change(request, quote, key)).rejects.toThrow(PaymentDeclined);
  expect(invoicesOf(harness.state, before.customerId).map(({ status }) => status)).toEqual(["void", "paid"]);
});

test("a change with a refused card leaves no open invoice", async () => {
  const harness = await openStripe();
  const before = await subscribe(harness);
  harness.state.methods.get(harness.state.subscriptions.get(before.id)!.defaultMethod!)!.card.behaviour = "insufficient-funds";
  await expect(change(harness, before, buy("pro-2-monthly"), "now")).rejects.toThrow(
    new PaymentDeclined("The card has insufficient funds."),
  );
  expect(await look(harness, before.id)).toMatchObject({ status: "active", purchase: before.purchase });
  expect(invoicesOf(harness.state, before.customerId).map(({ status }) => status)).toEqual(["void", "paid"]);
  expect(await harness.provider.listInvoices(before.customerId)).toHaveLength(1);
});

test("a change whose answer was lost is found done by the next attempt, with any key", async () => {
  const harness = await openStripe();
  const before = await subscribe(harness);
  const request = { subscriptionId: before.id, purchase: buy("pro-2-monthly"), billing: "now" } as const;
  const quote = agreed(await harness.provider.previewChange(request, null));
  harness.state.faults.push({ call: /^POST \/v1\/subscriptions\//, status: 500, isDone: true });
  const key = randomUUID();
  await expect(harness.provider.change(request, quote, key)).rejects.toThrow(ProviderUnreachable);
  for (const again of [key, randomUUID()])
    expect((await harness.provider.change(request, quote, again)).purchase).toEqual(request.purchase);
  expect(await harness.provider.listInvoices(before.customerId)).toHaveLength(2);
});

test.each([429, 409, 500])("an answer of %i counts as no answer, not as a refusal", async (status) => {
  const harness = await openStripe();
  const before = await subscribe(harness);
  harness.state.faults.push({ call: /^GET \/v1\/subscriptions\//, status, isDone: false });
  await expect(harness.provider.readSubscription(before.id)).rejects.toThrow(ProviderUnreachable);
});
