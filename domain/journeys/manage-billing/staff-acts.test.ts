/** What staff do in the provider's dashboard, and what becomes of it here (docs/runbooks/staff-at-the-provider.md). */
import { expect, onTestFinished, test } from "vitest";
import { correctionCounts } from "#domain/billing/count-correction.ts";
import { dayMs } from "#platform/clock.ts";
import { deleteCustomer } from "#testing/payments/fake-stripe/stripe-staff.ts";
import { heldAt, openStripeShop, staffedShops, type StaffedShop } from "#testing/payments/staffed-shop.ts";
import { buyPlan, startSubscriber, type Customer } from "#testing/payments/test-shop.ts";

async function open<Opened extends StaffedShop>(openShop: () => Promise<Opened>, planId = "pro-1-monthly") {
  const opened = await openShop();
  const { shop } = opened;
  onTestFinished(() => shop[Symbol.asyncDispose]());
  const customer = await startSubscriber(shop, planId);
  await shop.catchUp();
  return { ...opened, customer, ...(await heldAt(opened, customer.form["email"])) };
}

const statuses = async (customer: Customer) => (await customer.invoices()).map(({ status }) => status);

test.each(staffedShops)("at %s, a subscription that staff sell beside ours is left alone, with its money and documents", async (_name, openShop) => {
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
