/** What staff do in the provider's dashboard, and what becomes of it here (docs/runbooks/staff-at-the-provider.md). */
import { expect, onTestFinished, test } from "vitest";
import { correctionCounts } from "#domain/billing/count-correction.ts";
import { dayMs } from "#platform/clock.ts";
import { deleteCustomer, pauseCollection } from "#testing/payments/fake-stripe/stripe-staff.ts";
import { heldAt, openStripeShop, staffedShops, type StaffedShop } from "#testing/payments/staffed-shop.ts";
import { buyPlan, previewChange, startSubscriber, type Customer } from "#testing/payments/test-shop.ts";

async function open<Opened extends StaffedShop>(openShop: () => Promise<Opened>, planId = "pro-1-monthly") {
  const opened = await openShop();
  const { shop } = opened;
  onTestFinished(() => shop[Symbol.asyncDispose]());
  const customer = await startSubscriber(shop, planId);
  await shop.catchUp();
  return { ...opened, customer, ...(await heldAt(opened, customer.form["email"])) };
}

const statuses = async (customer: Customer) => (await customer.invoices()).map(({ status }) => status);

test.each(staffedShops)(
  "at %s, a subscription that staff sell beside ours is left alone, with its money and documents",
  async (_name, openShop) => {
    const { shop, staff, customer, customerId, subscriptionId } = await open<StaffedShop>(openShop);
    const { provider } = shop.harness;
    for (const what of ["retainer", "pro-2-monthly"]) {
      const sold = await staff.sell(customerId, what);
      await shop.catchUp();
      await shop.pass(3 * dayMs);
      expect(await provider.readSubscription(sold)).toMatchObject({ status: "active", cancelAt: null });
      const theirs = (await provider.listInvoices(customerId)).filter((invoice) => invoice.subscriptionId === sold);
      expect(theirs.map(({ status }) => status)).toEqual(["paid"]);
    }
    expect(await customer.subscription()).toMatchObject({ status: "active", planId: "pro-1-monthly" });
    expect((await provider.readSubscription(subscriptionId))!.status).toBe("active");
    expect(await correctionCounts(shop.api.database.db)).toEqual({ "subscription-left-alone": 2 });
    // Our invoices are for what we sold.
    expect(await statuses(customer)).toEqual(["paid"]);
    expect((await customer.mails()).filter(({ subject }) => /twice|refund/i.test(subject))).toEqual([]);
  },
);

test.each(staffedShops.filter(([name]) => name !== "the sandbox"))(
  "at %s, an item that staff add to our subscription stays through changes and renewals, and grants nothing",
  async (_name, openShop) => {
    const { shop, staff, customer, subscriptionId } = await open<StaffedShop>(openShop);
    await staff.addItem!(subscriptionId);
    await shop.catchUp();
    const change = async (planId: string) => {
      const { previewId } = await previewChange(customer, planId);
      expect((await customer.pay("POST", "/account/plan/change", { planId, previewId })).statusCode).toBe(200);
    };
    await change("pro-2-monthly");
    expect(staff.othersOn!(subscriptionId)).toEqual(["support"]);
    expect(await customer.subscription()).toMatchObject({ status: "active", planId: "pro-2-monthly" });
    await change("starter-monthly");
    await shop.pass(33 * dayMs);
    await customer.signIn();
    expect(staff.othersOn!(subscriptionId)).toEqual(["support"]);
    expect(await customer.subscription()).toMatchObject({ status: "active", planId: "starter-monthly", scheduledChange: null });
    expect(await correctionCounts(shop.api.database.db)).not.toHaveProperty("unknown-plan");
  },
);

test.each(staffedShops)(
  "at %s, a pause on request stops the workspace, is no debt, and deletes nothing however long it lasts",
  async (_name, openShop) => {
    const { shop, staff, customer, subscriptionId } = await open<StaffedShop>(openShop);
    await staff.pauseOnRequest(subscriptionId);
    await shop.pass(40 * dayMs);
    await customer.signIn();
    expect(await customer.subscription()).toMatchObject({ status: "paused", pausedAt: expect.any(String) as string, deletionAt: null });
    const subjects = async () => (await customer.mails()).map(({ subject }) => subject);
    expect((await subjects()).filter((subject) => /paused|failed|delete/i.test(subject))).toEqual([
      "Your subscription is paused, as requested",
    ]);
    const { previewId } = (await customer.call("POST", "/account/billing/resubscribe/preview", { body: {} })).json().preview;
    expect((await customer.pay("POST", "/account/billing/resubscribe", { previewId })).statusCode).toBe(200);
    await shop.catchUp();
    expect(await customer.subscription()).toMatchObject({ status: "active", pausedAt: null });
    expect(await subjects()).toContain("Your plan is active again");
  },
);

test.each(staffedShops)(
  "at %s, a customer with free days keeps card, changes and cancellation, and pays when they end",
  async (_name, openShop) => {
    const { shop, staff, customer, customerId, subscriptionId } = await open<StaffedShop>(openShop);
    const { provider } = shop.harness;
    await shop.pass(2 * dayMs);
    await staff.moveTrialEnd(subscriptionId, new Date(shop.api.clock.now().getTime() + 20 * dayMs));
    await shop.catchUp();
    expect(await customer.subscription()).toMatchObject({ status: "trialing", planId: "pro-1-monthly", deletionAt: null });
    expect(await customer.billing()).toMatchObject({ status: "trialing" });
    expect((await customer.call("GET", "/account/payment-information")).json().paymentInformation).toMatchObject({ brand: "visa" });
    expect((await customer.call("GET", "/account/plan/next-payment")).json().nextPayment).toMatchObject({ amount: { currency: "USD" } });
    const { previewId } = await previewChange(customer, "pro-2-monthly");
    expect((await customer.pay("POST", "/account/plan/change", { planId: "pro-2-monthly", previewId })).statusCode).toBe(200);
    expect(await customer.subscription()).toMatchObject({ status: "trialing", planId: "pro-2-monthly" });
    expect(await provider.listInvoices(customerId)).toHaveLength(1);
    const accountName = customer.form["accountName"];
    expect((await customer.pay("POST", "/account/billing/cancel", { accountName })).statusCode).toBe(200);
    expect(await customer.subscription()).toMatchObject({ status: "trialing", cancelAt: expect.any(String) as string });
    expect((await customer.pay("POST", "/account/billing/resubscribe", {})).statusCode).toBe(200);
    await shop.pass(21 * dayMs);
    await customer.signIn();
    expect(await customer.subscription()).toMatchObject({ status: "active", planId: "pro-2-monthly", cancelAt: null });
    expect(await provider.listInvoices(customerId)).toHaveLength(2);
  },
);

test.each(staffedShops)(
  "at %s, another plan by staff is granted, and a cancellation by staff ends it with a warning",
  async (_name, openShop) => {
    const { shop, staff, customer, subscriptionId } = await open<StaffedShop>(openShop);
    await shop.pass(dayMs);
    await staff.changePlan(subscriptionId, "pro-2-monthly");
    await shop.catchUp();
    expect(await customer.subscription()).toMatchObject({ status: "active", planId: "pro-2-monthly" });
    expect(await correctionCounts(shop.api.database.db)).toEqual({ "plan-mismatch": 1 });
    await staff.cancelNow(subscriptionId);
    await shop.catchUp();
    const { status, deletionAt } = await customer.subscription();
    expect(status).toBe("deleted");
    expect((Date.parse(deletionAt!) - shop.api.clock.now().getTime()) / dayMs).toBeCloseTo(7, 0);
  },
);

test("at Stripe, paused collection leaves the plan running and shows no next payment", async () => {
  const { shop, customer, subscriptionId, stripe } = await open(openStripeShop);
  pauseCollection(stripe.state, subscriptionId, "void");
  await shop.pass(33 * dayMs);
  await customer.signIn();
  expect(await customer.subscription()).toMatchObject({ status: "active", deletionAt: null });
  expect((await customer.call("GET", "/account/plan/next-payment")).json()).toEqual({ nextPayment: null });
});

test("a customer that staff delete at Stripe loses the plan as with any end, and can buy again as a new customer", async () => {
  const { shop, customer, customerId, subscriptionId, stripe } = await open(openStripeShop);
  deleteCustomer(stripe.state, customerId);
  await shop.catchUp();
  expect(await customer.subscription()).toMatchObject({ status: "deleted", deletionAt: expect.any(String) as string });
  expect((await customer.mails()).some(({ subject }) => /ended/i.test(subject))).toBe(true);
  expect(await statuses(customer)).toEqual(["paid"]);
  expect((await customer.pay("PUT" as never, "/account/billing/details", { country: "DE" })).statusCode).toBeLessThan(500);
  await buyPlan(shop, customer, "starter-monthly");
  await shop.catchUp();
  expect(await customer.subscription()).toMatchObject({ status: "active", planId: "starter-monthly" });
  const after = await heldAt({ shop, staff: undefined as never }, customer.form["email"]);
  expect(after.customerId).not.toBe(customerId);
  expect(after.subscriptionId).not.toBe(subscriptionId);
  expect(await correctionCounts(shop.api.database.db)).toEqual({});
});
