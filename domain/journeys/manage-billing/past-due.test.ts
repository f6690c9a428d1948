/** What the API says while time passes: renewals that fail, retries, the pause, and the way back. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { dayMs } from "#platform/clock.ts";
import { createTestShop, germanDetails, startSubscriber, type TestShop } from "#testing/payments/test-shop.ts";

let shop: TestShop;
beforeAll(async () => void (shop = await createTestShop()));
afterAll(() => shop[Symbol.asyncDispose]());

test("past due refuses changes, can be retried, and ends when the card pays; paused resubscribes", async () => {
  const customer = await startSubscriber(shop, "starter-monthly", "renewal-soft");
  await shop.pass(32 * dayMs);
  await customer.signIn();
  expect(await customer.billing()).toMatchObject({ status: "past_due" });
  expect((await customer.subscription()).retries).toEqual(
    expect.arrayContaining([expect.objectContaining({ outcome: "failed" }), expect.objectContaining({ outcome: "planned" })]),
  );
  expect((await customer.call("HEAD", "/account/billing/active")).statusCode).toBe(404);
  expect((await customer.call("POST", "/account/plan/change/preview", { body: { planId: "pro-1-monthly" } })).json()).toMatchObject({
    status: 409,
    code: "update_billing_first",
  });
  expect((await customer.pay("POST", "/account/billing/retry", {})).json()).toMatchObject({ status: 402, code: "payment_declined" });
  expect((await customer.payments()).filter(({ status, reason }) => status === "failed" && reason)).not.toHaveLength(0);

  await shop.pass(8 * dayMs);
  expect(await customer.billing()).toMatchObject({ status: "paused" });
  expect((await customer.call("POST", "/account/plan/change/preview", { body: { planId: "pro-1-monthly" } })).json()).toMatchObject({
    code: "update_billing_first",
  });
  const { url } = (await customer.call("POST", "/account/payment-information/change", { body: {} })).json();
  await shop.harness.enterCard(url, "mastercard");
  expect((await customer.pay("POST", "/account/billing/resubscribe", {})).json()).toMatchObject({ status: 409, code: "preview_stale" });
  const { preview } = (await customer.call("POST", "/account/billing/resubscribe/preview", { body: {} })).json();
  expect(preview).toMatchObject({
    way: "charge",
    planId: "starter-monthly",
    // The new month, and seven days of the one that was not paid.
    dueNow: { amount: 2856 + 645, currency: "USD" },
    card: { brand: "mastercard", expired: false },
    nextPayment: { amount: { amount: 2856 } },
  });
  const back = await customer.pay("POST", "/account/billing/resubscribe", { previewId: preview.previewId });
  expect((await customer.payments())[0]).toMatchObject({ status: "succeeded", amount: preview.dueNow });
  expect(await customer.subscription()).toMatchObject({ periodEndsAt: preview.nextPayment.at });
  expect(back.json()).toMatchObject({ url: null, user: { account: { billing: { status: "active" } } } });
  expect((await customer.call("GET", "/account/payment-information")).json().paymentInformation).toMatchObject({ brand: "mastercard" });
  const subjects = (await customer.mails()).map(({ subject }) => subject);
  expect(subjects).toEqual(
    expect.arrayContaining([
      "Your payment failed",
      "Your subscription is paused: your workspace is stopped",
      "Payment received: your plan is active again",
    ]),
  );
});

test("a retry charges the agreed sum, or nothing", async () => {
  const customer = await startSubscriber(shop, "starter-monthly", "renewal-soft");
  await shop.pass(32 * dayMs);
  await customer.signIn();
  const { url } = (await customer.call("POST", "/account/payment-information/change", { body: {} })).json();
  const before = await customer.payments();
  for (const shown of [
    { amount: 2400, currency: "USD" },
    { amount: 2856, currency: "EUR" },
  ]) {
    expect((await customer.pay("POST", "/account/billing/retry", { shown })).json()).toMatchObject({ status: 409, code: "preview_stale" });
  }
  expect(await customer.payments()).toEqual(before);
  await shop.harness.enterCard(url, "mastercard");
  const { json } = await customer.pay("POST", "/account/billing/retry", { shown: { amount: 2856, currency: "USD" } });
  expect(json()).toMatchObject({ user: { account: { billing: { status: "active" } } } });
});

test("retries of a declined card are limited", async () => {
  const customer = await startSubscriber(shop, "starter-monthly", "renewal-soft");
  await shop.pass(31 * dayMs);
  await customer.signIn();
  const codes: string[] = [];
  for (let tries = 0; tries < 6; tries += 1) codes.push((await customer.pay("POST", "/account/billing/retry", {})).json().code);
  expect(codes).toEqual([...Array.from({ length: 5 }, () => "payment_declined"), "too_many_requests"]);
});

test("details apply to invoices from now on; issued ones stay as they are", async () => {
  const customer = await startSubscriber(shop);
  const [invoice] = await customer.invoices();
  const before = (await customer.call("GET", `/account/transactions/${invoice!.id}/invoice`)).rawPayload;
  const saved = await customer.call("PUT", "/account/billing/details", { body: germanDetails });
  expect(saved.json().details).toEqual({ ...germanDetails, vatId: "DE123456789" });
  expect((await customer.call("GET", "/account/billing/details")).json().details).toMatchObject({ name: "Acme GmbH" });
  expect((await customer.call("GET", `/account/transactions/${invoice!.id}/invoice`)).rawPayload).toEqual(before);
  await shop.pass(32 * dayMs);
  await customer.signIn();
  const documents = await shop.api.database.pool.query(
    "select document->'buyer'->'details'->>'name' as name from invoices i join accounts a on a.id = i.account_id where a.name = $1 order by i.number",
    [customer.form["accountName"]],
  );
  expect(documents.rows.at(-1)).toEqual({ name: "Acme GmbH" });
  expect(documents.rows).toHaveLength(2);
  const refused = await customer.call("PUT", "/account/billing/details", {
    body: { ...germanDetails, name: " ", country: "Germany", vatId: "?" },
  });
  expect(refused.json().errors).toMatchObject([
    { path: "name", code: "billing_name.required" },
    { path: "country", code: "billing_country.required" },
    { path: "vatId", code: "vat_id.invalid" },
  ]);
});
