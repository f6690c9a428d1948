/** What staff do in the provider's dashboard, and what becomes of it here (docs/runbooks/staff-at-the-provider.md). */
import { expect, onTestFinished, test } from "vitest";
import { correctionCounts } from "#domain/billing/count-correction.ts";
import { dayMs, hourMs } from "#platform/clock.ts";
import { deleteCustomer, pauseCollection } from "#testing/payments/fake-stripe/stripe-staff.ts";
import { heldAt, openPaddleShop, openStripeShop, staffedShops, type StaffedShop } from "#testing/payments/staffed-shop.ts";
import { buyPlan, previewChange, startCustomer, startSubscriber, type Customer } from "#testing/payments/test-shop.ts";

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

interface Charge {
  amount: { amount: number };
  tax: { amount: number };
  lines: { label: string; amount: { amount: number } }[];
}

const nextPayment = async (customer: Customer): Promise<Charge> =>
  (await customer.call("GET", "/account/plan/next-payment")).json().nextPayment as Charge;

/** What its lines and its tax add up to, in the words of its page. */
const sumOf = ({ lines, tax }: Charge): number => lines.reduce((sum, { amount }) => sum + amount.amount, tax.amount);

/** The newest charge of the account: what it was for, and what the card paid. */
async function newestCharge({ shop }: StaffedShop, accountId: string) {
  const { rows } = await shop.api.database.pool.query(
    `select i.total::int, i.tax::int, i.status, i.description, i.document->'lines' as lines,
       (select sum(p.amount)::int from payments p where p.invoice_id = i.id and p.status = 'succeeded') as paid
     from invoices i where i.account_id = $1 order by i.issued_at desc, i.id desc limit 1`,
    [accountId],
  );
  return rows[0] as { total: number; tax: number; status: string; description: string; lines: Charge["lines"] | null; paid: number };
}

const toRenewal = async (shop: StaffedShop["shop"], customer: Customer) => {
  await shop.pass(33 * dayMs);
  await customer.signIn();
};

test.each(staffedShops.filter(([name]) => name !== "the sandbox"))(
  "at %s, a coupon by staff is a line of the next payment and of its invoice, which add up",
  async (_name, openShop) => {
    const opened = await open<StaffedShop>(openShop);
    const { shop, staff, customer, subscriptionId, accountId } = opened;
    const before = await nextPayment(customer);
    await staff.addCoupon!(subscriptionId, 25);
    await shop.catchUp();
    const next = await nextPayment(customer);
    expect(next.lines.map(({ label }) => label)).toEqual([...before.lines.map(({ label }) => label), "Discount"]);
    expect(next.lines[0]!.amount).toEqual(before.lines[0]!.amount);
    expect(next.amount.amount).toBeCloseTo(before.amount.amount * 0.75, -1);
    expect(sumOf(next)).toBe(next.amount.amount);
    await toRenewal(shop, customer);
    expect(await customer.subscription()).toMatchObject({ status: "active", planId: "pro-1-monthly" });
    const charge = await newestCharge(opened, accountId);
    expect(charge).toMatchObject({ status: "paid", total: next.amount.amount, paid: next.amount.amount });
    // Paddle issues its own documents.
    if (charge.lines) expect(charge.lines.reduce((sum, { amount }) => sum + amount.amount, charge.tax)).toBe(charge.total);
    expect(await correctionCounts(shop.api.database.db)).toEqual({});
  },
);

test.each(staffedShops)(
  "at %s, a special price with the plan's metadata is the plan at that price, shown before and charged at the renewal",
  async (_name, openShop) => {
    const opened = await open<StaffedShop>(openShop);
    const { shop, staff, customer, subscriptionId, accountId } = opened;
    await staff.setPrice(subscriptionId, "pro-1-monthly", 5_000);
    await shop.catchUp();
    expect(await customer.subscription()).toMatchObject({ status: "active", planId: "pro-1-monthly" });
    const next = await nextPayment(customer);
    expect([next.lines.map(({ amount }) => amount.amount), sumOf(next)]).toEqual([[5_000], next.amount.amount]);
    await toRenewal(shop, customer);
    expect(await customer.subscription()).toMatchObject({ status: "active", planId: "pro-1-monthly" });
    expect(await newestCharge(opened, accountId)).toMatchObject({ total: next.amount.amount, paid: next.amount.amount });
    expect(await correctionCounts(shop.api.database.db)).toEqual({});
  },
);

test.each(staffedShops.filter(([name]) => name !== "the sandbox"))(
  "at %s, an invoice that staff write by hand is theirs: no document, no payment and no receipt of ours",
  async (_name, openShop) => {
    const { shop, staff, customer, customerId } = await open<StaffedShop>(openShop);
    const [documents, mails] = [await customer.invoices(), await customer.mails()];
    await staff.invoiceByHand!(customerId, "Workshop", 250_000);
    await shop.catchUp();
    await shop.pass(2 * dayMs);
    expect(await shop.harness.provider.listInvoices(customerId)).toHaveLength(2);
    expect(await customer.invoices()).toEqual(documents);
    expect(await customer.payments()).toHaveLength(1);
    expect(await customer.mails()).toEqual(mails);
    expect(await customer.subscription()).toMatchObject({ status: "active", planId: "pro-1-monthly" });
    await toRenewal(shop, customer);
    expect(await statuses(customer)).toEqual(["paid", "paid"]);
    expect(await correctionCounts(shop.api.database.db)).toEqual({});
  },
);

test.each(staffedShops)("at %s, credit by staff pays a part of the next payment, and is shown before", async (_name, openShop) => {
  const opened = await open<StaffedShop>(openShop);
  const { shop, staff, customer, customerId, accountId } = opened;
  const whole = await nextPayment(customer);
  await staff.giveCredit(customerId, 2_000);
  await shop.catchUp();
  const next = await nextPayment(customer);
  expect(next.lines.at(-1)).toMatchObject({ label: expect.stringMatching(/credit/i) as string, amount: { amount: -2_000 } });
  expect([next.amount.amount, sumOf(next)]).toEqual([whole.amount.amount - 2_000, whole.amount.amount - 2_000]);
  await toRenewal(shop, customer);
  const { total, paid } = await newestCharge(opened, accountId);
  expect([total, paid]).toEqual([whole.amount.amount, whole.amount.amount - 2_000]);
  expect(await correctionCounts(shop.api.database.db)).toEqual({});
});

test("at Paddle, a plan whose price staff archive continues at it, and is sold to no one else", async () => {
  const { shop, customer, paddle } = await open(openPaddleShop);
  for (const key of ["pro-1-monthly", "pro-2-monthly"]) paddle.fake.archivedPrices.add(key);
  // Prices are read again after ten minutes.
  await shop.pass(hourMs);
  const other = await startCustomer(shop);
  expect((await other.pay("POST", "/v1/paddle/plan/pro-2-monthly/generatePayLink", {})).json()).toMatchObject({
    code: "payments_unavailable",
  });
  const next = await nextPayment(customer);
  await toRenewal(shop, customer);
  expect(await statuses(customer)).toEqual(["paid", "paid"]);
  expect(sumOf(next)).toBe(next.amount.amount);
  const { previewId } = await previewChange(customer, "starter-monthly");
  expect((await customer.pay("POST", "/account/plan/change", { planId: "starter-monthly", previewId })).statusCode).toBe(200);
  expect(await correctionCounts(shop.api.database.db)).toEqual({});
});

test("a customer that staff archive at Paddle is reactivated by the next purchase", async () => {
  const { shop, staff, customer, customerId, subscriptionId, paddle } = await open(openPaddleShop);
  await staff.cancelNow(subscriptionId);
  paddle.fake.archived.add(customerId);
  await shop.catchUp();
  expect(await customer.subscription()).toMatchObject({ status: "deleted" });
  await buyPlan(shop, customer, "starter-monthly");
  await shop.catchUp();
  expect(await customer.subscription()).toMatchObject({ status: "active", planId: "starter-monthly" });
  expect(paddle.fake.archived.has(customerId)).toBe(false);
  expect((await heldAt({ shop, staff }, customer.form["email"])).customerId).toBe(customerId);
});

test("a subscription that staff move to another customer at Paddle keeps its account, and that customer's card pays it", async () => {
  const opened = await open(openPaddleShop);
  const { shop, customer, accountId, customerId, subscriptionId, paddle } = opened;
  const moved = await paddle.moveToNewCustomer(subscriptionId);
  expect(moved).not.toBe(customerId);
  await shop.catchUp();
  await toRenewal(shop, customer);
  expect(await customer.subscription()).toMatchObject({ status: "active", planId: "pro-1-monthly" });
  expect((await customer.call("GET", "/account/payment-information")).json().paymentInformation).toMatchObject({ brand: "mastercard" });
  expect(await statuses(customer)).toEqual(["paid", "paid"]);
  expect((await newestCharge(opened, accountId)).paid).toBeGreaterThan(0);
  expect((await heldAt(opened, customer.form["email"])).customerId).toBe(moved);
  expect(await correctionCounts(shop.api.database.db)).toEqual({});
});

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
