/** One invoice as a page: its parties, lines and tax as issued, and what was paid and corrected since. */
import { expect, onTestFinished, test } from "vitest";
import type { InvoiceSheet } from "#contract/billing/invoice.ts";
import { inGerman } from "#contract/sentences/in-german.ts";
import { testSeller } from "#testing/payments/test-seller.ts";
import { createPaddleHarness } from "#testing/payments/paddle-harness.ts";
import { dayMs } from "#platform/clock.ts";
import { pdfText } from "#testing/content/pdf-text.ts";
import {
  buyPlan,
  createTestShop,
  germanDetails,
  startCustomer,
  startSubscriber,
  type Customer,
  type TestShop,
} from "#testing/payments/test-shop.ts";

async function openShop(open?: Parameters<typeof createTestShop>[1]): Promise<TestShop> {
  const shop = await createTestShop({}, open);
  onTestFinished(() => shop[Symbol.asyncDispose]());
  return shop;
}

const sheetOf = async (customer: Customer, id: string): Promise<InvoiceSheet> => {
  const answer = await customer.call("GET", `/account/transactions/${id}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().invoice;
};

test("an invoice names both parties, its period, lines, tax and total, and the card that paid it", async () => {
  const shop = await openShop();
  const customer = await startSubscriber(shop, "starter-monthly");
  const [listed] = await customer.invoices();
  const sheet = await sheetOf(customer, listed!.id);
  expect(sheet).toMatchObject({
    number: listed!.number,
    kind: "invoice",
    status: "paid",
    total: { amount: 2856, currency: "USD" },
    paid: { byCard: { amount: 2856 }, fromCredit: { amount: 0 }, otherwise: { amount: 0 }, open: { amount: 0 } },
    payments: [{ status: "succeeded", brand: "visa", lastFour: "4242", amount: { amount: 2856 } }],
    corrects: null,
    corrections: [],
  });
  const document = sheet.document!;
  expect(document.seller).toMatchObject({ name: testSeller.name, vatId: testSeller.vatId });
  expect(document.buyer).toMatchObject({ accountName: customer.form["accountName"], details: { country: "DE", postalCode: "10115" } });
  expect(document.lines).toEqual([
    {
      label: "Starter, monthly",
      quantity: 1,
      unitAmount: { amount: 2400, currency: "USD" },
      amount: { amount: 2400, currency: "USD" },
      isProration: false,
    },
  ]);
  expect(document).toMatchObject({
    subtotal: { amount: 2400 },
    discount: { amount: 0 },
    net: { amount: 2400 },
    tax: { ratePercent: 19, amount: { amount: 456 } },
  });
  expect(document.servicePeriod!.to).toBe((await customer.subscription()).periodEndsAt);
  // Everything the service wrote on it has German words.
  for (const text of [sheet.description, document.tax!.name, ...document.lines.map(({ label }) => label)])
    expect(inGerman(text)).not.toBe(text);
});

test("details entered later do not change it, and no other account can open it", async () => {
  const shop = await openShop();
  const [customer, other] = [await startSubscriber(shop, "starter-monthly"), await startCustomer(shop)];
  const [listed] = await customer.invoices();
  const before = await sheetOf(customer, listed!.id);
  await customer.call("PUT", "/account/billing/details", { body: germanDetails });
  expect((await sheetOf(customer, listed!.id)).document).toEqual(before.document);
  for (const id of [listed!.id, "nothing", "../../etc/passwd", "00000000-0000-7000-8000-000000000000"])
    expect((await other.call("GET", `/account/transactions/${encodeURIComponent(id)}`)).json()).toMatchObject({
      status: 404,
      code: "invoice_not_found",
    });
});

test("an unpaid invoice says what is due and why each attempt failed; a refunded one links to its credit note and back", async () => {
  const shop = await openShop();
  const customer = await startSubscriber(shop, "starter-monthly", "renewal-soft");
  const [first] = await customer.invoices();
  await shop.pass(32 * dayMs);
  await customer.signIn();
  const [open] = await customer.invoices();
  const unpaid = await sheetOf(customer, open!.id);
  expect(unpaid).toMatchObject({ status: "open", paid: { open: { amount: 2856 }, byCard: { amount: 0 } } });
  expect(unpaid.payments.length).toBeGreaterThan(0);
  for (const { status, reason } of unpaid.payments)
    expect([status, inGerman(reason ?? "")]).toEqual(["failed", "Die Karte ist nicht gedeckt."]);

  const { rows } = await shop.api.database.pool.query(
    "select provider_customer_id as id from subscriptions s join accounts a on a.id = s.account_id where a.name = $1",
    [customer.form["accountName"]],
  );
  await shop.harness.refundNewest((rows[0] as { id: string }).id);
  await shop.catchUp();
  await customer.signIn();
  const paid = await sheetOf(customer, first!.id);
  const [note] = paid.corrections;
  expect(note).toMatchObject({ kind: "credit-note", total: { amount: -2856 } });
  expect(await sheetOf(customer, note!.id)).toMatchObject({
    kind: "credit-note",
    corrects: { id: first!.id, number: first!.number },
    document: { because: "refunded" },
    paid: { open: { amount: 0 } },
    payments: [],
  });
});

test("an invoice stays in the language that its owner had when it was issued, and so does its credit note", async () => {
  const shop = await openShop();
  const customer = await startCustomer(shop);
  const speak = (language: string | null) => customer.call("PATCH", "/account/profile", { body: { language } });
  expect((await speak("de")).statusCode).toBe(200);
  await buyPlan(shop, customer, "starter-monthly");
  expect((await speak("en")).statusCode).toBe(200);
  const printed = async (id: string) => pdfText((await customer.call("GET", `/account/transactions/${id}/invoice`)).rawPayload);
  const [first] = await customer.invoices();
  const text = await printed(first!.id);
  for (const words of ["Rechnung", "Starter, monatlich", "Gesamtbetrag", "Deutschland"]) expect(text).toContain(words);
  await shop.pass(32 * dayMs);
  await customer.signIn();
  const [second] = await customer.invoices();
  expect(await printed(second!.id)).toContain("Service period");
  expect(await printed(first!.id)).toBe(text);
});

test("if the payment provider is the seller, the sums and payments are shown without the document", async () => {
  const shop = await openShop(createPaddleHarness);
  const customer = await startSubscriber(shop, "starter-monthly");
  await shop.catchUp();
  const [listed] = await customer.invoices();
  expect(await sheetOf(customer, listed!.id)).toMatchObject({
    number: listed!.number,
    document: null,
    total: listed!.total,
    paid: { byCard: listed!.total, open: { amount: 0 } },
    payments: [{ status: "succeeded", lastFour: expect.any(String) }],
  });
});
