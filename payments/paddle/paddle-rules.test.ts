/** Rules that apply to Paddle and no other provider. */
import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { asWork } from "#platform/tracing/current-work.ts";
import {
  PaymentActionRequired,
  ProviderRefusal,
  ProviderUnreachable,
  RenewalUnderWay,
  type ProviderSubscription,
} from "../payment-provider.ts";
import { dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import { findCustomer } from "#payments/sandbox/sandbox-rows.ts";
import { createTestClock } from "#testing/test-clock.ts";
import { createPaddleHarness, type PaddleHarness } from "#testing/payments/paddle-harness.ts";
import { buy, checkoutRequest, look, subscribe } from "#testing/payments/provider-suite/provider-customer.ts";

async function openPaddle(start?: Date, options: Parameters<typeof createPaddleHarness>[0] = {}): Promise<PaddleHarness> {
  const harness = await createPaddleHarness({ ...options, ...(start && { clock: createTestClock(start) }) });
  onTestFinished(() => harness[Symbol.asyncDispose]());
  return harness;
}

const toRenewal = (harness: PaddleHarness, { periodEndsAt }: ProviderSubscription, beforeMs: number) =>
  harness.advance(periodEndsAt.getTime() - harness.now().getTime() - beforeMs);
const invoicesOf = (harness: PaddleHarness, { customerId, accountId }: ProviderSubscription) =>
  harness.provider.listInvoices(customerId, accountId!);

test("an address that another account gave up creates a new customer once Paddle knows that account's new address", async () => {
  const harness = await openPaddle();
  const one = await subscribe(harness, "visa", { email: "shared@example.com" });
  const wanted = checkoutRequest({ email: "Shared@example.com" });
  // Until then no account buys as another.
  await expect(harness.provider.createCheckout(wanted, randomUUID())).rejects.toThrow(ProviderRefusal);
  await harness.provider.saveEmail(one.customerId, { accountId: one.accountId!, email: "moved@example.com" });
  const other = await subscribe(harness, "mastercard", { email: "shared@example.com" });
  expect(other.customerId).not.toBe(one.customerId);
  expect([(await look(harness, one.id)).card?.brand, (await look(harness, other.id)).card?.brand]).toEqual(["visa", "mastercard"]);
  // An account cannot change the address of a customer that is not its own.
  await harness.provider.saveEmail(other.customerId, { accountId: one.accountId!, email: "thief@example.com" });
  expect((await harness.provider.createCheckout(checkoutRequest({ email: "thief@example.com" }), randomUUID())).url).toMatch(/^http/);
});

test("the new owner of a deleted account's address takes over its customer, without its old invoices", async () => {
  const harness = await openPaddle();
  const gone = await subscribe(harness, "visa", { email: "again@example.com" });
  await harness.provider.cancelNow(gone.id, randomUUID());
  const back = await subscribe(harness, "mastercard", { email: "again@example.com" });
  expect(back.customerId).toBe(gone.customerId);
  expect((await invoicesOf(harness, back)).map(({ subscriptionId }) => subscriptionId)).toEqual([back.id]);
});

test("two accounts that share a customer each see only their own invoices and card, and no credit", async () => {
  const harness = await openPaddle();
  const one = await subscribe(harness, "visa");
  // From before Paddle was told about changed addresses: both bought as the same customer.
  const two = await subscribe(harness, "mastercard", { accountId: one.accountId!, customerId: one.customerId });
  await harness.giveTo(two.id, randomUUID());
  const other = await look(harness, two.id);
  expect(other.accountId).not.toBe(one.accountId);
  expect((await invoicesOf(harness, one)).map(({ subscriptionId }) => subscriptionId)).toEqual([one.id]);
  expect((await invoicesOf(harness, other)).map(({ subscriptionId }) => subscriptionId)).toEqual([two.id]);
  expect([(await look(harness, one.id)).card?.brand, other.card?.brand]).toEqual(["visa", "mastercard"]);
});

test("three years of invoices are listed, although Paddle returns thirty at a time", async () => {
  // Over a 29 February, so a day short of the 37th.
  const harness = await openPaddle(new Date("2026-01-10T10:00:00Z"));
  const truth = await subscribe(harness);
  await harness.advance(3 * 365 * dayMs + hourMs);
  expect(await invoicesOf(harness, truth)).toHaveLength(36);
});

test("in the half hour before a renewal changes are refused, with the time when they are possible again", async () => {
  const harness = await openPaddle();
  const truth = await subscribe(harness);
  const request = { subscriptionId: truth.id, purchase: buy("pro-2-monthly"), billing: "now" } as const;
  expect(harness.provider.lockedBeforeRenewalMs).toBe(30 * minuteMs);
  await toRenewal(harness, truth, 30 * minuteMs);
  for (const change of [
    () => harness.provider.previewChange(request, null),
    () => harness.provider.cancelAtPeriodEnd(truth.id, randomUUID()),
    () => harness.provider.cancelNow(truth.id, randomUUID()),
  ]) {
    await expect(change()).rejects.toThrow(RenewalUnderWay);
  }
  await harness.advance(hourMs);
  expect((await harness.provider.cancelAtPeriodEnd(truth.id, randomUUID())).cancelAt).not.toBeNull();
});

test("euros are charged at the catalogue's price in euros, never at a converted dollar price", async () => {
  const harness = await openPaddle();
  harness.fake.converts = true;
  const truth = await subscribe(harness, "visa", { currency: "EUR" });
  expect(truth.currency).toBe("EUR");
  const [invoice] = await invoicesOf(harness, truth);
  expect(invoice!.lines[0]!.amount).toEqual({ amount: 5500, currency: "EUR" });
  const quote = await harness.provider.previewChange(
    { subscriptionId: truth.id, purchase: buy("pro-2-monthly"), billing: "next-period" },
    null,
  );
  const before = await harness.provider.nextPayment(truth.id);
  expect(quote.nextRenewal.amount.currency).toBe("EUR");
  expect(before!.lines[0]!.amount).toEqual({ amount: 5500, currency: "EUR" });
});

test("if Paddle converts anyway, the panel shows from then on what Paddle charges", async () => {
  const harness = await openPaddle();
  harness.fake.converts = true;
  const truth = await subscribe(harness, "visa", { currency: "USD" });
  expect(truth.currency).toBe("EUR");
  const [invoice] = await invoicesOf(harness, truth);
  const next = await harness.provider.nextPayment(truth.id);
  expect(next!.amount).toEqual(invoice!.total);
  expect(next!.amount.currency).toBe("EUR");
});

test("a refund that awaits Paddle's approval is not shown as done; once approved, it is", async () => {
  const harness = await openPaddle();
  const truth = await subscribe(harness);
  const [before] = await invoicesOf(harness, truth);
  expect(await harness.provider.refundSubscription(truth.id, randomUUID(), 1_000_000)).toEqual(before!.total);
  const [waiting] = await invoicesOf(harness, truth);
  expect(waiting).toMatchObject({ status: "paid", takenBack: null, payments: [{ status: "succeeded" }] });
  // A repeated request while it is pending returns the same refund.
  expect(await harness.provider.refundSubscription(truth.id, randomUUID(), 1_000_000)).toEqual(before!.total);
  await harness.agreeToRefunds();
  expect((await invoicesOf(harness, truth))[0]).toMatchObject({
    status: "refunded",
    takenBack: "refund",
    payments: [{ status: "refunded" }],
  });
});

test("a partial refund leaves the invoice paid, and the rest can still be refunded", async () => {
  const harness = await openPaddle();
  const truth = await subscribe(harness);
  await harness.refundPart(truth.customerId, 1000);
  const [partly] = await invoicesOf(harness, truth);
  expect(partly).toMatchObject({ status: "paid", takenBack: null, payments: [{ status: "succeeded" }] });
  expect(await harness.provider.refundSubscription(truth.id, randomUUID(), 1_000_000)).toEqual(partly!.total);
  await harness.agreeToRefunds();
  expect((await invoicesOf(harness, truth))[0]).toMatchObject({ status: "refunded", takenBack: "refund" });
});

test("an amount paid from credit does not count towards a full refund", async () => {
  const harness = await openPaddle();
  const truth = await subscribe(harness);
  await harness.giveCredit(truth.customerId, 2000);
  await harness.advance(truth.periodEndsAt.getTime() - harness.now().getTime() + hourMs);
  const [renewal] = await invoicesOf(harness, truth);
  expect(renewal!.creditUsed.amount).toBe(2000);
  await harness.refundPart(truth.customerId, renewal!.total.amount - 2000);
  expect((await invoicesOf(harness, truth))[0]).toMatchObject({ status: "refunded", takenBack: "refund" });
});

test("after resuming with a refused card it is past due, states the amount owed, and can be paid at Paddle's page", async () => {
  const harness = await openPaddle();
  const before = await subscribe(harness, "renewal-soft");
  await harness.advance(before.periodEndsAt.getTime() - harness.now().getTime() + 9 * dayMs);
  expect((await look(harness, before.id)).status).toBe("paused");
  const quote = await harness.provider.previewResume(before.id);
  const refusal: unknown = await harness.provider.resume(before.id, quote.dueNow, randomUUID()).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(PaymentActionRequired);
  expect((await look(harness, before.id)).status).toBe("past_due");
  const owed = await harness.provider.previewResume(before.id);
  expect(owed.dueNow).toEqual(quote.dueNow);
  await harness.enterCard((refusal as PaymentActionRequired).url!, "visa");
  expect((await look(harness, before.id)).status).toBe("active");
  expect((await invoicesOf(harness, before))[0]!.payments.at(-1)).toMatchObject({ status: "succeeded", amount: quote.dueNow });
});

test("days used before a pause are charged once after the resumption, and with the next renewal if the card refuses them", async () => {
  for (const refusesCharges of [false, true]) {
    const harness = await openPaddle();
    const { provider } = harness;
    const before = await subscribe(harness, "renewal-soft");
    await harness.advance(before.periodEndsAt.getTime() - harness.now().getTime() + harness.pausedAfterMs + dayMs);
    const { status, pausedAt, customerId } = await look(harness, before.id);
    expect(status).toBe("paused");
    await harness.enterCard(await provider.changeCardUrl(before.id, "https://panel.example/manage/billing"), "visa");
    const unpaid = { from: before.periodEndsAt, to: pausedAt! };
    const { dueNow, lines } = await provider.previewResume(before.id, unpaid);
    const month = (await provider.previewResume(before.id)).dueNow.amount;
    expect(lines.at(-1)).toMatchObject({ label: expect.stringMatching(/^Used before the pause, not paid: /), isProration: true });
    harness.fake.refusesCharges = refusesCharges;
    // A repeated call finds what was charged.
    for (const key of ["once", "again"]) expect((await provider.resume(before.id, dueNow, key, unpaid)).status).toBe("active");
    const paid = (await provider.listInvoices(customerId)).filter((invoice) => invoice.status === "paid" && invoice.issuedAt > pausedAt!);
    const owed = dueNow.amount - month;
    expect(owed).toBeGreaterThan(0);
    expect(paid.map(({ total }) => total.amount).toSorted((a, b) => b - a)).toEqual(refusesCharges ? [month] : [month, owed]);
    const next = (await provider.nextPayment(before.id))!;
    expect(next.amount.amount).toBe(refusesCharges ? dueNow.amount : month);
    // Billed with the renewal, once.
    await harness.advance(32 * dayMs);
    const renewal = (await provider.listInvoices(customerId))[0]!;
    expect([renewal.status, renewal.total.amount]).toEqual(["paid", refusesCharges ? dueNow.amount : month]);
    expect(renewal.payments.at(-1)!.amount.amount).toBe(renewal.total.amount);
    const used = renewal.lines.filter(({ period }) => period?.from === unpaid.from.toISOString());
    expect(used.map(({ isProration }) => isProration)).toEqual(refusesCharges ? [true] : []);
    expect((await provider.nextPayment(before.id))!.amount.amount).toBe(month);
  }
});

test.each([
  ["the resumption", /\/resume$/],
  ["the charge", /\/charge$/],
])("after a process that ends at %s, the days used before the pause are charged once by a later look", async (_when, lost) => {
  const harness = await openPaddle();
  const { provider, fake } = harness;
  const before = await subscribe(harness, "renewal-soft");
  await harness.advance(before.periodEndsAt.getTime() - harness.now().getTime() + harness.pausedAfterMs + dayMs);
  const { pausedAt, customerId } = await look(harness, before.id);
  await harness.enterCard(await provider.changeCardUrl(before.id, "https://panel.example/manage/billing"), "visa");
  const unpaid = { from: before.periodEndsAt, to: pausedAt! };
  const { dueNow } = await provider.previewResume(before.id, unpaid);
  const month = (await provider.previewResume(before.id)).dueNow.amount;
  fake.unanswered.push(lost);
  await expect(provider.resume(before.id, dueNow, "once", unpaid)).rejects.toThrow(ProviderUnreachable);
  const since = async () =>
    (await provider.listInvoices(customerId)).filter(({ issuedAt }) => issuedAt > pausedAt!).map(({ total }) => total.amount);
  // Not while the process that lost the answer may still be at work.
  expect((await look(harness, before.id)).status).toBe("active");
  const early = await since();
  await harness.advance(11 * minuteMs);
  // A page does not wait for the charge.
  await asWork({ requestId: "a page" }, null, () => look(harness, before.id));
  expect(await since()).toEqual(early);
  for (let looks = 0; looks < 3; looks += 1) await look(harness, before.id);
  expect((await since()).toSorted((a, b) => b - a)).toEqual([month, dueNow.amount - month]);
  expect(fake.customData.get(customerId)).toEqual({});
});

/** A subscription whose resumption was agreed and carried out, and whose days used before the pause are not charged yet. */
async function resumeWithoutCharge(harness: PaddleHarness) {
  const { provider, fake } = harness;
  const before = await subscribe(harness, "renewal-soft");
  await harness.advance(before.periodEndsAt.getTime() - harness.now().getTime() + harness.pausedAfterMs + dayMs);
  const { pausedAt, customerId } = await look(harness, before.id);
  await harness.enterCard(await provider.changeCardUrl(before.id, "https://panel.example/manage/billing"), "visa");
  const unpaid = { from: before.periodEndsAt, to: pausedAt! };
  const { dueNow } = await provider.previewResume(before.id, unpaid);
  const month = (await provider.previewResume(before.id)).dueNow.amount;
  fake.unanswered.push(/\/resume$/);
  await expect(provider.resume(before.id, dueNow, "once", unpaid)).rejects.toThrow(ProviderUnreachable);
  await harness.advance(11 * minuteMs);
  const charged = async () =>
    (await provider.listInvoices(customerId))
      .filter(({ issuedAt }) => issuedAt > pausedAt!)
      .map(({ total }) => total.amount)
      .toSorted((a, b) => b - a);
  return { id: before.id, customerId, unpaid, month, owed: dueNow.amount - month, charged };
}

test.each(["bad_request", "subscription_locked_renewal"])(
  "while Paddle refuses to charge the days used before a pause (%s), the subscription is read all the same, and it is said",
  async (code) => {
    const said: string[] = [];
    const harness = await openPaddle(undefined, { onDebtRefused: (id) => said.push(id) });
    const { id, month, owed, charged } = await resumeWithoutCharge(harness);
    harness.fake.chargeFault = code;
    for (let looks = 0; looks < 2; looks += 1) expect((await look(harness, id)).status).toBe("active");
    // Tried again with a look ten minutes later.
    expect(said).toEqual([id]);
    expect(await charged()).toEqual([month]);
    await harness.advance(11 * minuteMs);
    harness.fake.chargeFault = null;
    expect((await look(harness, id)).status).toBe("active");
    expect(await charged()).toEqual([month, owed]);
    expect(said).toEqual([id]);
  },
);

test("of two looks at the same moment, one charges the days used before a pause", async () => {
  const harness = await openPaddle();
  const { id, month, owed, charged } = await resumeWithoutCharge(harness);
  // As two processes do, each of which has read what is owed before the other claims it.
  harness.fake.together = { call: /^GET \/customers\/[^/?]+$/, left: 2, met: Promise.withResolvers() };
  const looks = await Promise.all([0, 1].map(() => look(harness, id)));
  expect(looks.map(({ status }) => status)).toEqual(["active", "active"]);
  expect(harness.fake.together).toBeNull();
  expect(await charged()).toEqual([month, owed]);
});

test("of two resumptions repeated at the same moment, one charges the days used before a pause", async () => {
  const harness = await openPaddle();
  const { id, month, owed, unpaid, charged } = await resumeWithoutCharge(harness);
  const again = (key: string) =>
    // A click: what it reads on the way charges nothing.
    asWork({ requestId: key }, null, () => harness.provider.resume(id, { amount: month + owed, currency: "USD" }, key, unpaid));
  // As two processes do, each of which would have read what was charged before the other charges.
  const met = Promise.withResolvers<void>();
  harness.fake.together = { call: /^GET \/transactions\?.*created_at/, left: 2, met };
  const calls = ["one", "two"].map(again);
  void Promise.race(calls).then(() => met.resolve());
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(["active", "active"]);
  expect(await charged()).toEqual([month, owed]);
});

test("what is owed for a subscription is kept beside what is owed for another, and when the customer gets a new owner", async () => {
  const harness = await openPaddle();
  const { id, customerId } = await resumeWithoutCharge(harness);
  const { fake } = harness;
  const kept = fake.customData.get(customerId)!["owed"] as object;
  const other = { from: "2026-01-01T00:00:00.000Z", to: "2026-01-02T00:00:00.000Z", at: "2026-01-02T00:00:00.000Z", by: "a process" };
  fake.customData.set(customerId, { owed: { ...kept, sub_other: other } });
  await look(harness, id);
  expect(fake.customData.get(customerId)).toEqual({ owed: { sub_other: other } });
  const { email } = (await findCustomer(harness.db, customerId))!;
  await harness.provider.cancelNow(id, randomUUID());
  await harness.provider.createCheckout(checkoutRequest({ email }), randomUUID());
  expect(fake.customData.get(customerId)).toEqual({ owed: { sub_other: other } });
});

test("the new owner of a former customer's address buys as that customer and is not refused forever", async () => {
  const harness = await openPaddle();
  const old = await subscribe(harness, "visa", { email: "old@example.com" });
  await harness.provider.cancelNow(old.id, randomUUID());
  const mine = await subscribe(harness, "mastercard", { email: "mine@example.com" });
  await harness.provider.cancelNow(mine.id, randomUUID());
  const again = await subscribe(harness, "mastercard", {
    accountId: mine.accountId!,
    customerId: mine.customerId,
    email: "old@example.com",
  });
  expect(again).toMatchObject({ status: "active", accountId: mine.accountId, customerId: old.customerId });
  expect((await invoicesOf(harness, again)).map(({ subscriptionId }) => subscriptionId)).toEqual([again.id]);
});
