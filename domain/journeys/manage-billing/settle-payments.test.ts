/** Which receipts are sent, and when, depending on what the provider says was paid. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { mails } from "#database/tables.ts";
import type { ProviderInvoice } from "#payments/payment-provider.ts";
import { dayMs } from "#platform/clock.ts";
import { testSeller } from "#testing/payments/test-seller.ts";
import { openTestBilling, subscribe } from "#testing/payments/test-billing.ts";
import { settlePayments } from "./settle-payments.ts";

const usd = (amount: number) => ({ amount, currency: "USD" });

async function openSettling() {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  const { id: subscriptionId } = [...world.provider.subscriptions.values()][0]!;
  const { db } = world.database;
  const paid: ProviderInvoice = {
    id: "in_1",
    subscriptionId,
    number: null,
    issuedAt: world.clock.now(),
    status: "paid",
    takenBack: null,
    lines: [{ label: "Pro", quantity: 1, amount: usd(2400), isProration: false }],
    tax: null,
    total: usd(2400),
    creditUsed: usd(0),
    buyer: null,
    payments: [],
  };
  const payment = (id: string, amount: number) => ({
    id,
    at: world.clock.now(),
    amount: usd(amount),
    status: "succeeded" as const,
    card: { brand: "visa" as const, lastFour: "4242", expiryMonth: 1, expiryYear: 2030 },
    reason: null,
  });
  return {
    ...world,
    paid,
    payment,
    settle: (invoice: ProviderInvoice) =>
      settlePayments(
        {
          db,
          clock: world.clock,
          provider: { ...world.provider, listInvoices: () => Promise.resolve([invoice]) },
          seller: testSeller,
          publicUrl: "http://localhost:3000",
        },
        accountId,
      ),
    receipts: async () =>
      (await db.select({ text: mails.text }).from(mails).where(eq(mails.subject, "Your receipt: invoice 2027-000001"))).map(
        ({ text }) => text ?? "",
      ),
  };
}

test("an invoice whose payment is not listed yet gets its receipt once it is, for the amount received", async () => {
  const { paid, payment, settle, receipts } = await openSettling();
  await settle(paid);
  expect(await receipts()).toEqual([]);
  await settle({ ...paid, payments: [payment("py_1", 1000), payment("py_2", 1400)] });
  await settle({ ...paid, payments: [payment("py_1", 1000), payment("py_2", 1400)] });
  const [receipt, ...others] = await receipts();
  expect(others).toEqual([]);
  expect(receipt).toContain("We received $24.00 on");
});

test("an invoice that is paid without a listed payment for a day was paid otherwise, and its receipt mentions no card charge", async () => {
  const { paid, clock, settle, receipts } = await openSettling();
  await settle(paid);
  clock.advance(dayMs + 1);
  await settle(paid);
  const [receipt] = await receipts();
  expect(receipt).toContain("Invoice 2027-000001 is paid.");
  expect(receipt).not.toContain("We received");
});
