/** What every payment provider promises behind its port. An adapter must pass this suite. */
// oxlint-disable vitest/expect-expect -- the expectations stand in the functions below, one for each promise.
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  PaymentActionRequired,
  PaymentDeclined,
  ProviderRefusal,
  QuoteStale,
  type ListedObject,
  type ProviderList,
  type ProviderSubscription,
} from "#payments/payment-provider.ts";
import { dayMs, hourMs } from "#platform/clock.ts";
import { buy, checkoutRequest, germanDetails, look, subscribe } from "./provider-customer.ts";
import { agreed, changePromises } from "./provider-change-suite.ts";
import type { ProviderHarness, SuiteCard } from "./provider-harness.ts";
import { webhookPromises } from "./provider-webhook-suite.ts";

type Promised = (harness: ProviderHarness) => Promise<void>;

/** Runs the suite; `start` creates a world for each test. */
export function describeProvider(name: string, start: () => Promise<ProviderHarness>): void {
  describe(`the ${name} payment provider`, () => {
    const promises = { ...checkoutPromises, ...changePromises, ...endPromises, ...debtPromises, ...billPromises, ...webhookPromises };
    test.each(Object.entries(promises))("%s", async (_promise, prove) => {
      await using harness = await start();
      await prove(harness);
    });
  });
}

const checkoutPromises: Record<string, Promised> = {
  "a paid checkout creates an active subscription to what was bought": async (harness) => {
    const request = checkoutRequest({ purchase: buy("custom-monthly", 3, 2) });
    const checkout = await harness.provider.createCheckout(request, randomUUID());
    expect(checkout.url).toMatch(/^https?:\/\//);
    expect(await harness.provider.readCheckout(checkout.checkoutId)).toEqual({ state: "open", subscriptionId: null });
    await harness.pay(checkout, "visa");
    const { subscriptionId } = await harness.provider.readCheckout(checkout.checkoutId);
    const truth = await look(harness, subscriptionId!);
    expect(truth).toMatchObject({
      status: "active",
      accountId: request.accountId,
      currency: "USD",
      purchase: request.purchase,
      cancelAt: null,
      pastDueAt: null,
      pausedAt: null,
      endedAt: null,
    });
    expect(truth.card).toMatchObject({ brand: "visa", lastFour: expect.stringMatching(/^\d{4}$/) });
    expect(truth.periodEndsAt.getTime() - harness.now().getTime()).toBeGreaterThan(27 * dayMs);
    expect(truth.periodEndsAt.getTime() - harness.now().getTime()).toBeLessThan(32 * dayMs);
  },
  "card brands are told apart": async (harness) => {
    expect((await subscribe(harness, "mastercard")).card?.brand).toBe("mastercard");
  },
  "a yearly plan is paid for a year": async (harness) => {
    const truth = await subscribe(harness, "visa", { purchase: buy("pro-1-yearly") });
    expect((truth.periodEndsAt.getTime() - truth.periodStartsAt.getTime()) / dayMs).toBeGreaterThanOrEqual(365);
  },
  "a declined card buys nothing, and another card still can": async (harness) => {
    for (const card of ["declined", "insufficient-funds", "expired"] as const) {
      const checkout = await harness.provider.createCheckout(checkoutRequest(), randomUUID());
      expect(await harness.pay(checkout, card)).toBe("declined");
      expect(await harness.provider.readCheckout(checkout.checkoutId)).toEqual({ state: "open", subscriptionId: null });
      expect(await harness.pay(checkout, "visa")).toBe("paid");
    }
  },
  "3-D Secure: a confirmed payment buys, an unconfirmed one buys nothing": async (harness) => {
    const refused = await harness.provider.createCheckout(checkoutRequest(), randomUUID());
    expect(await harness.pay(refused, "confirm-first", "fail")).toBe("declined");
    expect((await harness.provider.readCheckout(refused.checkoutId)).state).toBe("open");
    const confirmed = await harness.provider.createCheckout(checkoutRequest(), randomUUID());
    expect(await harness.pay(confirmed, "confirm-first", "confirm")).toBe("paid");
  },
  "an unpaid checkout expires": async (harness) => {
    const checkout = await harness.provider.createCheckout(checkoutRequest(), randomUUID());
    await harness.advance(4 * dayMs);
    expect(await harness.provider.readCheckout(checkout.checkoutId)).toEqual({ state: "expired", subscriptionId: null });
  },
  "the same key opens the same checkout": async (harness) => {
    const [request, key] = [checkoutRequest(), randomUUID()];
    const [one, other] = await Promise.all([harness.provider.createCheckout(request, key), harness.provider.createCheckout(request, key)]);
    expect(other).toEqual(one);
  },
  "a closed page can't be paid at, and a paid one says so": async (harness) => {
    const checkout = await harness.provider.createCheckout(checkoutRequest(), randomUUID());
    const closed = await harness.provider.expireCheckout(checkout.checkoutId);
    expect(await harness.provider.expireCheckout(checkout.checkoutId)).toBe(closed);
    expect(closed).toBe(harness.closesPages ? "expired" : "open");
    if (harness.closesPages) {
      expect(await harness.provider.readCheckout(checkout.checkoutId)).toEqual({ state: "expired", subscriptionId: null });
      await expect(harness.pay(checkout, "visa")).rejects.toThrow("the page is gone");
    }
    const other = await harness.provider.createCheckout(checkoutRequest(), randomUUID());
    await harness.pay(other, "visa");
    expect(await harness.provider.expireCheckout(other.checkoutId)).toBe("paid");
    expect((await harness.provider.readCheckout(other.checkoutId)).state).toBe("paid");
  },
  "a returning buyer stays the same customer": async (harness) => {
    const first = await subscribe(harness);
    await harness.provider.cancelNow(first.id, randomUUID());
    const second = await subscribe(harness, "visa", { accountId: first.accountId!, customerId: first.customerId });
    expect(second.customerId).toBe(first.customerId);
    expect(second.id).not.toBe(first.id);
    expect((await look(harness, first.id)).status).toBe("deleted");
  },
  "unknown ids return null": async (harness) => {
    expect(await harness.provider.readSubscription("sub_00000000000000000000000000")).toBeNull();
  },
};

const endPromises: Record<string, Promised> = {
  "a cancelled subscription runs to the end of the paid period and can be kept until then": async (harness) => {
    const before = await subscribe(harness);
    const cancelled = await harness.provider.cancelAtPeriodEnd(before.id, randomUUID());
    expect(cancelled).toMatchObject({ status: "active", cancelAt: before.periodEndsAt });
    expect(await harness.provider.nextPayment(before.id)).toBeNull();
    const keeping = await harness.provider.previewResume(before.id);
    expect(keeping).toMatchObject({ dueNow: { amount: 0 }, lines: [], nextRenewal: { at: before.periodEndsAt } });
    expect((await harness.provider.undoCancel(before.id, randomUUID())).cancelAt).toBeNull();
    expect((await harness.provider.nextPayment(before.id))?.amount).toEqual(keeping.nextRenewal.amount);
    expect((await harness.provider.nextPayment(before.id))?.at).toEqual(before.periodEndsAt);
    await harness.provider.cancelAtPeriodEnd(before.id, randomUUID());
    await harness.advance(before.periodEndsAt.getTime() - harness.now().getTime() + hourMs);
    const ended = await look(harness, before.id);
    expect(ended.status).toBe("deleted");
    expect(ended.endedAt).not.toBeNull();
    expect(await harness.provider.listInvoices(before.customerId)).toHaveLength(1);
  },
  "an ended subscription can't be resumed": async (harness) => {
    const { id } = await subscribe(harness);
    const ended = await harness.provider.cancelNow(id, randomUUID());
    expect(ended.status).toBe("deleted");
    expect((await harness.provider.cancelNow(id, randomUUID())).status).toBe("deleted");
    // Sequential: a rejection without a handler counts as unhandled.
    await expect(harness.provider.resume(id, { amount: 0, currency: "USD" }, randomUUID())).rejects.toThrow(ProviderRefusal);
    await expect(harness.provider.undoCancel(id, randomUUID())).rejects.toThrow(ProviderRefusal);
  },
};

const pastDue = async (harness: ProviderHarness, card: SuiteCard): Promise<ProviderSubscription> => {
  const before = await subscribe(harness, card);
  await harness.advance(before.periodEndsAt.getTime() - harness.now().getTime() + 2 * hourMs);
  const truth = await look(harness, before.id);
  expect(truth.status).toBe("past_due");
  return truth;
};

const debtPromises: Record<string, Promised> = {
  "a renewal is paid automatically": async (harness) => {
    const before = await subscribe(harness);
    await harness.advance(before.periodEndsAt.getTime() - harness.now().getTime() + 2 * hourMs);
    const renewed = await look(harness, before.id);
    expect(renewed).toMatchObject({ status: "active", periodStartsAt: before.periodEndsAt });
    expect(renewed.periodEndsAt.getTime()).toBeGreaterThan(before.periodEndsAt.getTime());
    expect((await harness.provider.listInvoices(before.customerId)).map(({ status }) => status)).toEqual(["paid", "paid"]);
  },
  "a renewal without funds is past due, gives the next retry date, and is paid by another card": async (harness) => {
    const truth = await pastDue(harness, "renewal-soft");
    expect(truth.pastDueAt).not.toBeNull();
    expect(truth.retries[0]).toMatchObject({ outcome: "failed" });
    expect(truth.retries.at(-1)).toMatchObject({ outcome: harness.triesOnRequest ? "planned" : "failed" });
    const [open] = await harness.provider.listInvoices(truth.customerId);
    expect(open).toMatchObject({ status: "open", payments: [{ status: "failed", reason: expect.any(String) }] });
    await expect(harness.provider.retryPayment(truth.id, randomUUID())).rejects.toThrow(
      harness.triesOnRequest ? PaymentDeclined : PaymentActionRequired,
    );
    expect((await look(harness, truth.id)).status).toBe("past_due");
    await harness.enterCard(await harness.provider.changeCardUrl(truth.id, "https://panel.example/manage/billing"), "mastercard");
    // Some providers try a new card immediately, some only on request.
    if ((await look(harness, truth.id)).status === "past_due") await harness.provider.retryPayment(truth.id, randomUUID());
    const paid = await look(harness, truth.id);
    expect(paid).toMatchObject({ status: "active", pastDueAt: null, card: { brand: "mastercard" } });
    expect((await harness.provider.listInvoices(truth.customerId))[0]).toMatchObject({ id: open!.id, status: "paid" });
  },
  "an unpaid debt pauses the subscription; resuming charges a period from then on": async (harness) => {
    const truth = await pastDue(harness, "renewal-soft");
    await harness.advance(harness.pausedAfterMs + dayMs);
    const paused = await look(harness, truth.id);
    expect(paused.status).toBe("paused");
    expect(paused.pausedAt).not.toBeNull();
    const { dueNow } = await harness.provider.previewResume(truth.id);
    await expect(harness.provider.resume(truth.id, dueNow, randomUUID())).rejects.toThrow(
      harness.triesOnRequest ? PaymentDeclined : PaymentActionRequired,
    );
    // Some begin the new period anyway and wait at their page for its payment.
    expect((await look(harness, truth.id)).status).toBe(harness.triesOnRequest ? "paused" : "past_due");
    if (!harness.triesOnRequest) await harness.advance(harness.pausedAfterMs + dayMs);
    expect((await look(harness, truth.id)).status).toBe("paused");
    await harness.enterCard(await harness.provider.changeCardUrl(truth.id, "https://panel.example/manage/billing"), "visa");
    const key = randomUUID();
    const quote = await harness.provider.previewResume(truth.id);
    await expect(harness.provider.resume(truth.id, { ...quote.dueNow, amount: quote.dueNow.amount - 1 }, randomUUID())).rejects.toThrow(
      QuoteStale,
    );
    const resumed = await harness.provider.resume(truth.id, quote.dueNow, key);
    await harness.provider.resume(truth.id, quote.dueNow, key);
    const [paid] = await harness.provider.listInvoices(truth.customerId);
    expect(paid!.payments.at(-1)).toMatchObject({ status: "succeeded", amount: quote.dueNow });
    expect(
      quote.lines.reduce((total, { amount }) => total + amount.amount, 0) +
        (quote.tax && !quote.tax.inclusive ? quote.tax.amount.amount : 0),
    ).toBe(quote.dueNow.amount);
    expect(resumed.periodEndsAt).toEqual(quote.nextRenewal.at);
    expect((await harness.provider.nextPayment(truth.id))?.amount).toEqual(quote.nextRenewal.amount);
    expect(resumed).toMatchObject({ status: "active", pausedAt: null, pastDueAt: null });
    expect(resumed.periodEndsAt.getTime() - harness.now().getTime()).toBeGreaterThan(27 * dayMs);
    expect((await harness.provider.listInvoices(truth.customerId)).filter(({ status }) => status === "paid")).toHaveLength(2);
  },
  "a permanently refused card is not retried automatically": async (harness) => {
    const truth = await pastDue(harness, "renewal-hard");
    const tries = (await harness.provider.listInvoices(truth.customerId))[0]!.payments.length;
    await harness.advance(3 * dayMs);
    expect((await look(harness, truth.id)).status).toBe("past_due");
    expect((await harness.provider.listInvoices(truth.customerId))[0]!.payments).toHaveLength(tries);
  },
  "a renewal that needs bank confirmation waits for the customer": async (harness) => {
    const truth = await pastDue(harness, "confirm-always");
    const refusal: unknown = await harness.provider.retryPayment(truth.id, randomUUID()).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(PaymentActionRequired);
    const { url } = refusal as PaymentActionRequired;
    if (url === null) return;
    await harness.confirm(url);
    expect((await look(harness, truth.id)).status).toBe("active");
  },
  "changes of plan are refused while a debt is open": async (harness) => {
    const truth = await pastDue(harness, "renewal-soft");
    await expect(
      harness.provider.previewChange({ subscriptionId: truth.id, purchase: buy("pro-2-monthly"), billing: "now" }, null),
    ).rejects.toThrow(ProviderRefusal);
  },
};

const billPromises: Record<string, Promised> = {
  "what was bought is in the lists of everything, with its account and what was paid": async (harness) => {
    const { provider } = harness;
    const truth = await subscribe(harness);
    const all = async (list: ProviderList, since: Date) => {
      const found: ListedObject[] = [];
      for (let after: string | null = null; ;) {
        const { entries, next } = await provider.listPage(list, since, after);
        found.push(...entries);
        if (next === null) return found.filter(({ customerId }) => customerId === truth.customerId);
        after = next;
      }
    };
    const { id, customerId, accountId } = truth;
    const begin = new Date(harness.now().getTime() - hourMs);
    expect(await all("customers", begin)).toMatchObject([{ id: customerId, accountId, name: expect.stringMatching(/\S/) }]);
    expect(await all("subscriptions", begin)).toMatchObject([{ id, subscriptionId: id, accountId, isLive: true }]);
    const [invoice] = await provider.listInvoices(customerId);
    const bills = await all("invoices", begin);
    expect(bills).toMatchObject([{ id: invoice!.id, subscriptionId: id, paid: invoice!.total }]);
    for (const list of ["customers", "subscriptions", "invoices"] as const)
      expect(await all(list, new Date(harness.now().getTime() + dayMs))).toEqual([]);
    await provider.cancelNow(id, randomUUID());
    expect(await all("subscriptions", begin)).toMatchObject([{ id, isLive: false }]);
  },
  "our document numbers are kept with the invoice, unless the provider is the seller": async (harness) => {
    const { provider } = harness;
    const { customerId } = await subscribe(harness);
    const [invoice] = await provider.listInvoices(customerId);
    const issuedAt = harness.now();
    await provider.keepNumbers(invoice!.id, { invoice: { number: "2027-000007", issuedAt } });
    await provider.keepNumbers(invoice!.id, { "refund:re_1": { number: "2027-000008", issuedAt } });
    const kept = provider.isSeller
      ? {}
      : { invoice: { number: "2027-000007", issuedAt }, "refund:re_1": { number: "2027-000008", issuedAt } };
    expect((await provider.listInvoices(customerId))[0]!.numbers ?? {}).toEqual(kept);
    const { entries } = await provider.listPage("invoices", new Date(harness.now().getTime() - hourMs), null);
    expect(entries.find(({ id }) => id === invoice!.id)!.numbers).toEqual(kept);
  },
  "an invoice states what was sold, its tax and its payment": async (harness) => {
    const truth = await subscribe(harness);
    const invoices = await harness.provider.listInvoices(truth.customerId);
    expect(invoices).toHaveLength(1);
    const { lines, tax, total, payments, status } = invoices[0]!;
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ quantity: 1, amount: { amount: 6000, currency: "USD" }, isProration: false });
    expect(total.amount).toBe(6000 + (tax && !tax.inclusive ? tax.amount.amount : 0));
    const rate = tax?.ratePercent ?? 0;
    if (tax) expect(Math.abs(tax.amount.amount - (6000 * rate) / (100 + (tax.inclusive ? rate : 0)))).toBeLessThanOrEqual(1);
    expect(status).toBe("paid");
    expect(payments).toEqual([
      expect.objectContaining({ status: "succeeded", amount: total, reason: null, card: expect.objectContaining({ brand: "visa" }) }),
    ]);
  },
  "the next payment is the renewal": async (harness) => {
    const truth = await subscribe(harness);
    const next = await harness.provider.nextPayment(truth.id);
    const [invoice] = await harness.provider.listInvoices(truth.customerId);
    expect(next).toMatchObject({ at: truth.periodEndsAt, amount: invoice!.total });
  },
  "what costs nothing has no invoice": async (harness) => {
    const truth = await subscribe(harness);
    const request = { subscriptionId: truth.id, purchase: buy("pro-1-monthly"), billing: "now" } as const;
    const quote = await harness.provider.previewChange(request, null);
    expect(quote.dueNow.amount).toBe(0);
    await harness.provider.change(request, agreed(quote), randomUUID());
    expect(await harness.provider.listInvoices(truth.customerId)).toHaveLength(1);
  },
  "a refund is shown on the invoice": async (harness) => {
    const truth = await subscribe(harness);
    await harness.refundNewest(truth.customerId);
    const [invoice] = await harness.provider.listInvoices(truth.customerId);
    expect(invoice).toMatchObject({ status: "refunded", takenBack: "refund" });
    expect(invoice!.payments.some(({ status }) => status === "refunded")).toBe(true);
    expect((await look(harness, truth.id)).status).toBe("active");
  },
  "everything paid for a subscription is refunded once, only if it is allowed, and nothing of another subscription": async (harness) => {
    const request = { accountId: randomUUID(), email: "twice@example.com" };
    const [kept, twice] = [await subscribe(harness, "visa", request), await subscribe(harness, "visa", request)];
    const [paid] = (await harness.provider.listInvoices(twice.customerId)).filter(({ subscriptionId }) => subscriptionId === twice.id);
    const statuses = async ({ id, customerId }: ProviderSubscription) =>
      (await harness.provider.listInvoices(customerId))
        .filter(({ subscriptionId }) => subscriptionId === id)
        .map(({ status, payments }) => [status, payments.map((payment) => payment.status)]);
    const key = randomUUID();
    const most = paid!.total.amount;
    await expect(harness.provider.refundSubscription(twice.id, key, most - 1)).rejects.toMatchObject({ wanted: paid!.total });
    expect(await statuses(twice)).toEqual([["paid", ["succeeded"]]]);
    expect(await harness.provider.refundSubscription(twice.id, key, most)).toEqual(paid!.total);
    expect(await harness.provider.refundSubscription(twice.id, key, most)).toEqual(paid!.total);
    expect(await harness.provider.refundSubscription(twice.id, randomUUID(), most)).toEqual(paid!.total);
    await harness.agreeToRefunds();
    expect(await statuses(twice)).toEqual([["refunded", ["refunded"]]]);
    expect(await statuses(kept)).toEqual([["paid", ["succeeded"]]]);
  },
  "a chargeback is shown on the invoice, and its event leads to its customer": async (harness) => {
    const truth = await subscribe(harness);
    await harness.takeWebhooks();
    await harness.disputeNewest(truth.customerId);
    const [invoice] = await harness.provider.listInvoices(truth.customerId);
    expect(invoice).toMatchObject({ status: "disputed", takenBack: "chargeback" });
    expect(invoice!.payments.map(({ status }) => status)).toEqual(["disputed"]);
    expect(invoice!.refunds ?? []).toEqual([]);
    const [sent] = await harness.takeWebhooks();
    const event = harness.provider.readWebhook(sent!.headers, sent!.body, harness.now());
    expect(event.kind).toBe("refund");
    const customerId =
      event.customerId === truth.customerId ? event.customerId : (await harness.provider.whoseEvent(event.customerId!))?.customerId;
    expect(customerId).toBe(truth.customerId);
    expect(await harness.provider.whoseEvent("nobodys")).toBeNull();
  },
  "billing details are taken over": async (harness) => {
    const truth = await subscribe(harness);
    await harness.provider.saveDetails(truth.customerId, { ...germanDetails, name: "Analytical Engines Ltd", city: "München" });
    expect((await look(harness, truth.id)).status).toBe("active");
  },
};
