/** What stands on invoices and receipts: who and where the buyer is, what was bought, for which time, and what was really received. */
import { describe, expect, onTestFinished, test } from "vitest";
import type { InvoiceDocument } from "#domain/invoices/invoice-document.ts";
import { dayMs } from "#platform/clock.ts";
import { createPaddleHarness } from "#testing/paddle-harness.ts";
import { createSandboxHarness } from "#testing/sandbox-harness.ts";
import { createStripeHarness } from "#testing/stripe-harness.ts";
import { createTestShop, previewChange, startSubscriber, type Customer, type TestShop } from "#testing/test-shop.ts";

async function openShop(open?: typeof createSandboxHarness | typeof createStripeHarness | typeof createPaddleHarness): Promise<TestShop> {
  const shop = await createTestShop({}, open);
  onTestFinished(() => shop[Symbol.asyncDispose]());
  return shop;
}

/** Oldest first. */
async function documentsOf(shop: TestShop, customer: Customer): Promise<InvoiceDocument[]> {
  const { rows } = await shop.api.database.pool.query("select document from invoices i join accounts a on a.id = i.account_id where a.name = $1 and document is not null order by i.number", [customer.form["accountName"]]);
  return rows.map(({ document }: { document: InvoiceDocument }) => document);
}

async function changePlan(customer: Customer, planId: string, timing?: "now"): Promise<void> {
  const { previewId } = await previewChange(customer, planId, timing);
  const answer = await customer.pay("POST", "/account/plan/change", { planId, previewId, ...(timing ? { timing } : {}) });
  if (answer.statusCode !== 200) throw new Error(answer.body);
}

describe.each([
  ["sandbox", createSandboxHarness],
  ["Stripe", createStripeHarness],
] as const)("with %s", (name, open) => {
  test("the country given at the checkout is on the invoice, and among the details from then on", async () => {
    const shop = await openShop(open);
    const customer = await startSubscriber(shop, "starter-monthly");
    await shop.catchUp();
    expect((await customer.call("GET", "/account/billing/details")).json().details).toMatchObject({ country: "DE", postalCode: "10115" });
    const [document] = await documentsOf(shop, customer);
    expect(document!.buyer.details).toMatchObject({ country: "DE", postalCode: "10115" });
    expect(document!.tax).toMatchObject({ ratePercent: 19 });
  });

  test("an invoice names the time it pays for, and what was bought", async () => {
    const shop = await openShop(open);
    const customer = await startSubscriber(shop, "starter-monthly");
    const { periodEndsAt } = await customer.subscription();
    const [first] = await documentsOf(shop, customer);
    expect(first!.servicePeriod!.to).toBe(periodEndsAt);
    expect(Date.parse(periodEndsAt!) - Date.parse(first!.servicePeriod!.from)).toBeGreaterThan(27 * dayMs);
    await shop.pass(10 * dayMs);
    await changePlan(customer, "pro-1-monthly");
    const [newest] = await customer.invoices();
    expect(newest!.description).toBe(name === "sandbox" ? "Upgrade to Pro" : "Remaining time on Pro, monthly");
    const upgrade = (await documentsOf(shop, customer)).at(-1)!;
    expect(upgrade.servicePeriod!.to).toBe(periodEndsAt);
    expect(Date.parse(periodEndsAt!) - Date.parse(upgrade.servicePeriod!.from)).toBeLessThan(21 * dayMs);
  });
});

test("with a provider that sells, the country given at its checkout is among the details as well", async () => {
  const shop = await openShop(createPaddleHarness);
  const customer = await startSubscriber(shop, "starter-monthly");
  await shop.catchUp();
  await customer.invoices();
  expect((await customer.call("GET", "/account/billing/details")).json().details).toMatchObject({ country: "DE", postalCode: "10115", name: "Ada Lovelace" });
});

test("what somebody says of themselves after the checkout is not replaced by what they gave there", async () => {
  const shop = await openShop();
  const customer = await startSubscriber(shop, "starter-monthly");
  const french = { name: "Acme SARL", line1: "Rue 1", line2: "", postalCode: "75001", city: "Paris", country: "FR", vatId: "" };
  await customer.call("PUT", "/account/billing/details", { body: french });
  await shop.pass(32 * dayMs);
  await customer.signIn();
  expect((await customer.call("GET", "/account/billing/details")).json().details).toEqual(french);
  expect((await documentsOf(shop, customer)).at(-1)!.buyer.details).toEqual(french);
});

test("a receipt names what a card was charged, and apart from it what came from credit", async () => {
  const shop = await openShop();
  const customer = await startSubscriber(shop, "starter-monthly");
  await shop.api.database.pool.query("update sandbox_customers set credit = 1428 where account_id = (select id::text from accounts where name = $1)", [customer.form["accountName"]]);
  await shop.pass(32 * dayMs);
  await customer.signIn();
  const [renewal] = await customer.invoices();
  expect([renewal!.total.amount, (await customer.payments())[0]!.amount.amount]).toEqual([2856, 1428]);
  const text = await receiptOf(shop, renewal!.number!);
  expect(text).toContain("We received $14.28 on");
  expect(text).toContain("Another $14.28 was taken from your credit.");
  await shop.api.database.pool.query("update sandbox_customers set credit = 5000 where account_id = (select id::text from accounts where name = $1)", [customer.form["accountName"]]);
  await shop.pass(31 * dayMs);
  await customer.signIn();
  const [free] = await customer.invoices();
  expect(free!.number).not.toBe(renewal!.number);
  const whole = await receiptOf(shop, free!.number!);
  expect(whole).toContain("$28.56 was taken from your credit. Your card was not charged.");
  expect(whole).not.toContain("We received");
});

async function receiptOf(shop: TestShop, number: string): Promise<string> {
  const { rows } = await shop.api.database.pool.query("select text from mails where subject = $1", [`Your receipt: invoice ${number}`]);
  expect(rows).toHaveLength(1);
  return (rows[0] as { text: string }).text;
}
