/** What invoices and receipts say: the buyer and their place, what was bought, for which time, and what was received. */
import { describe, expect, onTestFinished, test } from "vitest";
import type { InvoiceDocument } from "#domain/invoices/document/invoice-document.ts";
import { dayMs } from "#platform/clock.ts";
import { failRefund } from "#testing/payments/fake-stripe/stripe-pages.ts";
import { eachProvider } from "#testing/payments/each-provider.ts";
import { createPaddleHarness } from "#testing/payments/paddle-harness.ts";
import { createSandboxHarness } from "#testing/payments/sandbox-harness.ts";
import { createStripeHarness } from "#testing/payments/stripe-harness.ts";
import { pdfText } from "#testing/content/pdf-text.ts";
import { createTestShop, previewChange, startSubscriber, type Customer, type TestShop } from "#testing/payments/test-shop.ts";

async function openShop(open?: Parameters<typeof createTestShop>[1]): Promise<TestShop> {
  const shop = await createTestShop({}, open);
  onTestFinished(() => shop[Symbol.asyncDispose]());
  return shop;
}

/** Oldest first. */
async function documentsOf(shop: TestShop, customer: Customer): Promise<InvoiceDocument[]> {
  const { rows } = await shop.api.database.pool.query(
    "select document from invoices i join accounts a on a.id = i.account_id where a.name = $1 and document is not null order by i.number",
    [customer.form["accountName"]],
  );
  return rows.map(({ document }: { document: InvoiceDocument }) => document);
}

/** The customer's id at the provider. */
async function customerIdOf(shop: TestShop, customer: Customer): Promise<string> {
  const { rows } = await shop.api.database.pool.query(
    "select provider_customer_id as id from subscriptions s join accounts a on a.id = s.account_id where a.name = $1",
    [customer.form["accountName"]],
  );
  return (rows[0] as { id: string }).id;
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
  test("the country entered at the checkout is on the invoice, and in the details from then on", async () => {
    const shop = await openShop(open);
    const customer = await startSubscriber(shop, "starter-monthly");
    await shop.catchUp();
    expect((await customer.call("GET", "/account/billing/details")).json().details).toMatchObject({ country: "DE", postalCode: "10115" });
    const [document] = await documentsOf(shop, customer);
    expect(document!.buyer.details).toMatchObject({ country: "DE", postalCode: "10115" });
    expect(document!.tax).toMatchObject({ ratePercent: 19 });
  });

  test("an invoice names the time it covers, and what was bought", async () => {
    const shop = await openShop(open);
    const customer = await startSubscriber(shop, "starter-monthly");
    const { periodEndsAt } = await customer.subscription();
    const [first] = await documentsOf(shop, customer);
    expect(first!.servicePeriod!.to).toBe(periodEndsAt);
    expect(Date.parse(periodEndsAt!) - Date.parse(first!.servicePeriod!.from)).toBeGreaterThan(27 * dayMs);
    await shop.pass(10 * dayMs);
    await changePlan(customer, "pro-1-monthly");
    const [newest] = await customer.invoices();
    expect(newest!.description).toBe(name === "sandbox" ? "Upgrade to Pro 10K" : "Remaining time on Pro 10K, monthly");
    const upgrade = (await documentsOf(shop, customer)).at(-1)!;
    expect(upgrade.servicePeriod!.to).toBe(periodEndsAt);
    expect(Date.parse(periodEndsAt!) - Date.parse(upgrade.servicePeriod!.from)).toBeLessThanOrEqual(21 * dayMs);
  });
});

describe.each([
  ["sandbox", createSandboxHarness],
  ["Stripe", createStripeHarness],
] as const)("with %s", (_name, open) => {
  test("a refund has a credit note with its own number, which names its invoice and is listed beside it", async () => {
    const shop = await openShop(open);
    const customer = await startSubscriber(shop, "starter-monthly");
    await shop.harness.refundNewest(await customerIdOf(shop, customer));
    await shop.catchUp();
    await customer.signIn();
    const [note, invoice, ...others] = await customer.invoices();
    expect(others).toEqual([]);
    expect(note).toMatchObject({
      total: { amount: -invoice!.total.amount },
      tax: { amount: -invoice!.tax.amount },
      status: "paid",
      hasInvoice: true,
      description: `Refund for invoice ${invoice!.number}`,
    });
    expect(Number(note!.number!.slice(5))).toBe(Number(invoice!.number!.slice(5)) + 1);
    const [original, credit] = await documentsOf(shop, customer);
    expect(credit).toMatchObject({
      kind: "credit-note",
      corrects: invoice!.number,
      because: "refunded",
      total: { amount: -original!.total.amount },
      buyer: original!.buyer,
      servicePeriod: original!.servicePeriod,
    });
    const text = pdfText((await customer.call("GET", `/account/transactions/${invoice!.id}/invoice`)).rawPayload);
    for (const words of ["Refunded", `Corrected by credit note ${note!.number} for`]) expect(text).toContain(words);
  });
});

describe.each([
  ["sandbox", createSandboxHarness],
  ["Stripe", createStripeHarness],
] as const)("with %s", (_name, open) => {
  test("a payment that a bank took back is disputed: not refunded, and corrected by nothing", async () => {
    const shop = await openShop(open);
    const customer = await startSubscriber(shop, "starter-monthly");
    await shop.harness.disputeNewest(await customerIdOf(shop, customer));
    await shop.catchUp();
    await customer.signIn();
    const [invoice, ...others] = await customer.invoices();
    expect(others).toEqual([]);
    expect(invoice).toMatchObject({ status: "disputed" });
    expect((await customer.payments()).map(({ status }) => status)).toEqual(["disputed"]);
    const text = pdfText((await customer.call("GET", `/account/transactions/${invoice!.id}/invoice`)).rawPayload);
    expect(text).toContain("The payment is disputed: the bank that made it took it back.");
    for (const words of ["Refunded", "was refunded", "credit note", "Amount due"]) expect(text).not.toContain(words);
    expect((await customer.mails()).filter(({ subject }) => /refund/i.test(subject))).toEqual([]);
  });

  test("a refund is mailed once, with its credit note, however often the provider reports it", async () => {
    const shop = await openShop(open);
    shop.network = "doubled";
    const customer = await startSubscriber(shop, "starter-monthly");
    await shop.harness.refundNewest(await customerIdOf(shop, customer));
    for (let round = 0; round < 3; round += 1) await shop.catchUp();
    await customer.signIn();
    const note = (await customer.invoices()).find(({ kind }) => kind === "credit-note")!;
    const about = (await customer.mails()).filter(({ subject }) => subject.startsWith("We refunded"));
    expect(about.map(({ subject }) => subject)).toEqual([`We refunded $28.56: credit note ${note.number}`]);
    expect(about[0]!.attachment!.name).toBe(`${note.number}.pdf`);
    expect(pdfText(Buffer.from(about[0]!.attachment!.base64, "base64"))).toContain("Credit note");
  });
});

test("a credit note whose refund fails days later is withdrawn by a debit note without a receipt, and the next refund has a credit note again", async () => {
  let stripe: Awaited<ReturnType<typeof createStripeHarness>> | undefined;
  const shop = await openShop(async (options) => (stripe = await createStripeHarness(options)));
  const customer = await startSubscriber(shop, "starter-monthly");
  const customerId = await customerIdOf(shop, customer);
  await shop.harness.refundNewest(customerId);
  await shop.catchUp();
  await shop.pass(5 * dayMs);
  failRefund(stripe!.state, customerId);
  await shop.catchUp();
  await customer.signIn();
  const byNumber = async () => (await customer.invoices()).toSorted((before, next) => (before.number! < next.number! ? -1 : 1));
  const [invoice, note, debit] = await byNumber();
  expect(invoice!.status).toBe("paid");
  expect(note).toMatchObject({ kind: "credit-note", total: { amount: -invoice!.total.amount } });
  expect(debit).toMatchObject({
    kind: "debit-note",
    total: invoice!.total,
    tax: invoice!.tax,
    hasInvoice: true,
    description: `Withdrawal of credit note ${note!.number}`,
  });
  expect((await documentsOf(shop, customer))[2]).toMatchObject({ kind: "debit-note", corrects: note!.number, because: "refund-failed" });
  const textOf = async (id: string) => pdfText((await customer.call("GET", `/account/transactions/${id}/invoice`)).rawPayload);
  const printed = await textOf(debit!.id);
  expect(printed).toContain(`This withdraws credit note ${note!.number}.`);
  for (const words of ["Amount due", "Paid by other means"]) expect(printed).not.toContain(words);
  for (const { id } of [invoice!, note!]) expect(await textOf(id)).toContain(`withdrawn by debit note ${debit!.number}.`);

  // Mails of one moment have no order.
  await shop.pass(dayMs);
  await shop.harness.refundNewest(customerId);
  await shop.catchUp();
  await customer.signIn();
  const all = await byNumber();
  expect(all.map(({ kind, total }) => [kind, total.amount / invoice!.total.amount])).toEqual([
    ["invoice", 1],
    ["credit-note", -1],
    ["debit-note", 1],
    ["credit-note", -1],
  ]);
  const { rows } = await shop.api.database.pool.query("select subject from mails where subject like 'Your receipt:%'");
  expect(rows).toEqual([{ subject: `Your receipt: invoice ${invoice!.number}` }]);
  const corrections = (await customer.mails()).filter(({ subject }) => subject.includes("note 2"));
  expect(corrections.map(({ subject }) => subject)).toEqual([
    `We refunded $28.56: credit note ${note!.number}`,
    `Your refund of $28.56 failed: debit note ${debit!.number}`,
    `We refunded $28.56: credit note ${all[3]!.number}`,
  ]);
});

test.each(eachProvider)("with %s, the next payment after a scheduled change says what it is for, and its tax", async (_name, open) => {
  const shop = await openShop(open);
  const customer = await startSubscriber(shop, "pro-1-monthly");
  await changePlan(customer, "starter-monthly");
  const { nextPayment } = (await customer.call("GET", "/account/plan/next-payment")).json();
  expect(nextPayment.tax.amount).toBeGreaterThan(0);
  expect(nextPayment.lines.length).toBeGreaterThan(0);
  const lines = nextPayment.lines.reduce((sum: number, { amount }: { amount: { amount: number } }) => sum + amount.amount, 0);
  expect(lines + nextPayment.tax.amount).toBe(nextPayment.amount.amount);
});

test("a cancelled invoice is printed as such, and its credit note offsets all of it", async () => {
  const shop = await openShop();
  const customer = await startSubscriber(shop, "starter-monthly", "renewal-soft");
  await shop.pass(32 * dayMs);
  await customer.signIn();
  const [open] = await customer.invoices();
  expect(open).toMatchObject({ status: "open" });
  const openText = pdfText((await customer.call("GET", `/account/transactions/${open!.id}/invoice`)).rawPayload);
  await shop.pass(8 * dayMs);
  await customer.signIn();
  const all = await customer.invoices();
  const cancelled = all.find(({ id }) => id === open!.id)!;
  const note = all.find(({ description }) => description === `Cancellation of invoice ${open!.number}`)!;
  expect(cancelled.status).toBe("void");
  expect(note.total.amount + open!.total.amount).toBe(0);
  const text = pdfText((await customer.call("GET", `/account/transactions/${open!.id}/invoice`)).rawPayload);
  expect(text).not.toBe(openText);
  expect(text).toContain(`Corrected by credit note ${note.number} for`);
  expect(pdfText((await customer.call("GET", `/account/transactions/${note.id}/invoice`)).rawPayload)).toContain(
    `This cancels invoice ${open!.number} in full.`,
  );
});

test("with a provider that is the seller, the country entered at its checkout is also in the details", async () => {
  const shop = await openShop(createPaddleHarness);
  const customer = await startSubscriber(shop, "starter-monthly");
  await shop.catchUp();
  await customer.invoices();
  expect((await customer.call("GET", "/account/billing/details")).json().details).toMatchObject({
    country: "DE",
    postalCode: "10115",
    name: "Ada Lovelace",
  });
});

test("details that a customer enters after the checkout are not replaced by those entered there", async () => {
  const shop = await openShop();
  const customer = await startSubscriber(shop, "starter-monthly");
  const french = { name: "Acme SARL", line1: "Rue 1", line2: "", postalCode: "75001", city: "Paris", country: "FR", vatId: "" };
  await customer.call("PUT", "/account/billing/details", { body: french });
  await shop.pass(32 * dayMs);
  await customer.signIn();
  expect((await customer.call("GET", "/account/billing/details")).json().details).toEqual(french);
  expect((await documentsOf(shop, customer)).at(-1)!.buyer.details).toEqual(french);
});

test("a receipt shows what a card was charged separately from what came from credit", async () => {
  const shop = await openShop();
  const customer = await startSubscriber(shop, "starter-monthly");
  await shop.api.database.pool.query(
    "update sandbox_customers set credit = 1428 where account_id = (select id::text from accounts where name = $1)",
    [customer.form["accountName"]],
  );
  await shop.pass(32 * dayMs);
  await customer.signIn();
  const [renewal] = await customer.invoices();
  expect([renewal!.total.amount, (await customer.payments())[0]!.amount.amount]).toEqual([2856, 1428]);
  const text = await receiptOf(shop, renewal!.number!);
  expect(text).toContain("We received $14.28 on");
  expect(text).toContain("$14.28 was paid from your credit.");
  await shop.api.database.pool.query(
    "update sandbox_customers set credit = 5000 where account_id = (select id::text from accounts where name = $1)",
    [customer.form["accountName"]],
  );
  await shop.pass(31 * dayMs);
  await customer.signIn();
  const [free] = await customer.invoices();
  expect(free!.number).not.toBe(renewal!.number);
  const whole = await receiptOf(shop, free!.number!);
  expect(whole).toContain("$28.56 was paid from your credit. Your card was not charged.");
  expect(whole).not.toContain("We received");
});

async function receiptOf(shop: TestShop, number: string): Promise<string> {
  const { rows } = await shop.api.database.pool.query("select text from mails where subject = $1", [`Your receipt: invoice ${number}`]);
  expect(rows).toHaveLength(1);
  return (rows[0] as { text: string }).text;
}
