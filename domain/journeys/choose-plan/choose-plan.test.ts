/** From the list of plans to a paid one, through the API calls that a customer makes. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { User } from "#contract/accounts/account.ts";
import type { Plan, PlanSpec } from "#contract/billing/plans/plan.ts";
import { buyPlan, createTestShop, payAt, startCustomer, type TestShop } from "#testing/payments/test-shop.ts";
import { createTestApi, registerConfirmed } from "#testing/test-api.ts";

let shop: TestShop;
beforeAll(async () => void (shop = await createTestShop()));
afterAll(() => shop[Symbol.asyncDispose]());

test("plans are listed for any visitor, cheapest first by USD, without the trial and withdrawn plans", async () => {
  const { plans } = (await shop.api.call("GET", "/api/v1/paddle/plans")).json() as {
    plans: { id: string; recurring_price: { USD: number } }[];
  };
  expect(plans.map(({ id }) => id)).toEqual(expect.arrayContaining(["starter-monthly", "pro-1-yearly", "custom-monthly"]));
  expect(plans.map(({ id }) => id)).not.toContain("trial-1");
  expect(plans.map(({ id }) => id)).not.toContain("enterprise-monthly");
  const prices = plans.map((plan) => plan.recurring_price.USD);
  expect(prices).toEqual(prices.toSorted((one, other) => one - other));
  expect((await shop.api.call("GET", "/api/v1/paddle/plan/enterprise-monthly")).json().plan.spec.metadata.group).toBe("enterprise");
  expect((await shop.api.call("GET", "/api/v1/paddle/plan/nothing")).json().code).toBe("plan_not_found");
});

/** Every label that the API may list, without and with n8n's license: a label is added here with the work that delivers it. */
const deliveredByAll = ["dedicated-support", "extended-retention", "global-variables", "insights-7-days", "workflow-history-1-day"];
const deliveredByLicense = [
  "admin-roles",
  "advanced-permissions",
  "environments",
  "execution-search",
  "external-secrets",
  "insights-365-days",
  "ldap",
  "log-streaming",
  "shared-projects-3",
  "shared-projects-unlimited",
  "version-control",
  "workflow-history-5-days",
  "workflow-history-unlimited",
];

test("the API lists the labels that are delivered, and nothing else", async () => {
  await using licensed = await createTestApi({ delivery: { engine: "n8n", n8nLicense: true } });
  for (const [api, allowed] of [
    [shop.api, deliveredByAll],
    [licensed, [...deliveredByAll, ...deliveredByLicense]],
  ] as const) {
    const { plans } = (await api.call("GET", "/api/v1/paddle/plans")).json<{ plans: Plan[] }>();
    const { plan } = (await api.call("GET", "/api/v1/paddle/plan/enterprise-monthly")).json<{ plan: Plan }>();
    const { token } = await registerConfirmed(api);
    await api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } });
    const { user } = (await api.call("GET", "/api/auth/me", { token })).json<{ user: User }>();
    const ownSpec = (await api.call("GET", "/api/user/plan", { token })).json<PlanSpec>();
    expect(user.account.planSpec!.enabledFeatures).toEqual(ownSpec.enabledFeatures);
    const listed = [...plans, plan].flatMap(({ spec }) => spec.enabledFeatures).concat(ownSpec.enabledFeatures);
    expect([...new Set(listed)].toSorted()).toEqual(allowed.toSorted());
  }
});

test("on a trial there is a plan but no billing: nothing is active, nothing to list, nothing to pay", async () => {
  const customer = await startCustomer(shop);
  expect(await customer.billing()).toBeNull();
  expect((await customer.call("GET", "/user/plan")).json()).toMatchObject({ planId: "trial-1", metadata: { group: "trial" } });
  expect((await customer.call("HEAD", "/account/billing/active")).statusCode).toBe(404);
  expect(await customer.subscription()).toMatchObject({ status: "trialing", planId: "trial-1", retries: [], credit: null });
  expect(await customer.invoices()).toEqual([]);
  expect((await customer.call("GET", "/account/payment-information")).json()).toEqual({ paymentInformation: null });
  expect((await customer.call("GET", "/account/plan/next-payment")).json()).toEqual({ nextPayment: null });
  expect((await customer.call("POST", "/account/payment-information/change", { body: {} })).json().code).toBe("subscription_not_found");
});

test("a plan becomes active when it is paid, not before, with its invoice, receipt, card and next payment", async () => {
  const customer = await startCustomer(shop);
  const { url } = (await customer.pay("POST", "/v1/paddle/plan/pro-1-monthly/generatePayLink", {})).json();
  await customer.call("POST", "/account/complete-checkout", { body: { planId: "pro-1-monthly" } });
  expect(await customer.billing()).toBeNull();
  await payAt(shop, url);
  const { user } = (await customer.call("POST", "/account/complete-checkout", { body: { planId: "pro-1-monthly" } })).json();
  expect(user.account).toMatchObject({
    billing: { status: "active", planId: "pro-1-monthly", updateUrl: "http://localhost:3000/manage/billing" },
    planSpec: { monthlyExecutionsLimit: 10_000 },
    taxInclusive: false,
  });
  const head = await customer.call("HEAD", "/account/billing/active");
  expect([head.statusCode, head.body]).toEqual([200, ""]);
  // Free days that the provider gives are part of a subscription, unlike the trial before it.
  const give = (status: "active" | "trialing") => shop.api.database.pool.query("update subscriptions set status = $1", [status]);
  await give("trialing");
  expect((await customer.call("HEAD", "/account/billing/active")).statusCode).toBe(200);
  expect(await customer.billing()).toMatchObject({ status: "trialing", planId: "pro-1-monthly" });
  await give("active");

  const [invoice] = await customer.invoices();
  expect(invoice).toMatchObject({
    number: expect.stringMatching(/^20\d\d-\d{6}$/),
    status: "paid",
    hasInvoice: true,
    total: { currency: "USD" },
  });
  expect(await customer.payments()).toMatchObject([{ status: "succeeded", lastFour: "4242", amount: invoice!.total }]);
  const pdf = await customer.call("GET", `/account/transactions/${invoice!.id}/invoice`);
  expect([pdf.statusCode, pdf.headers["content-type"], pdf.rawPayload.subarray(0, 5).toString()]).toEqual([
    200,
    "application/pdf",
    "%PDF-",
  ]);
  expect((await customer.call("GET", `/account/transactions/${invoice!.id}/invoice`)).rawPayload).toEqual(pdf.rawPayload);
  const receipts = (await customer.mails()).filter(({ attachment }) => attachment);
  expect(receipts).toMatchObject([{ subject: `Your receipt: invoice ${invoice!.number}`, attachment: { name: `${invoice!.number}.pdf` } }]);
  expect(Buffer.from(receipts[0]!.attachment!.base64, "base64")).toEqual(pdf.rawPayload);

  expect((await customer.call("GET", "/account/payment-information")).json().paymentInformation).toMatchObject({
    brand: "visa",
    lastFour: "4242",
    expired: false,
  });
  expect((await customer.call("GET", "/account/plan/next-payment")).json().nextPayment).toMatchObject({
    amount: { amount: invoice!.total.amount, currency: "USD" },
  });
  expect((await customer.call("POST", "/account/payment-information/change", { body: {} })).json().url).toMatch(/^http/);
  expect((await customer.pay("POST", "/v1/paddle/plan/pro-1-monthly/generatePayLink", {})).json().code).toBe("already_subscribed");
});

test("a second customer's declined checkout changes nothing", async () => {
  const customer = await startCustomer(shop);
  const answer = await buyPlan(shop, customer, "starter-monthly", { card: "declined" });
  expect(answer.json().user.account.billing).toBeNull();
  expect(await customer.invoices()).toEqual([]);
});
