import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { findSubscription } from "#domain/billing/subscription/subscription-store.ts";
import type { ProviderInvoice } from "#payments/payment-provider.ts";
import { dayMs, hourMs } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { startAnswering } from "#testing/network/start-answering.ts";
import { testSeller } from "#testing/payments/test-seller.ts";
import { openTestBilling, subscribe } from "#testing/payments/test-billing.ts";
import { copyInvoices } from "../issuing/copy-invoices.ts";
import { insertRates } from "./exchange-rate-store.ts";
import { centralBankRates, convert, convertTax, readRates, taxCurrencyOf } from "./exchange-rates.ts";
import { listInvoices, markReceiptQueued } from "../invoice-store.ts";
import { settleWaiting } from "../issuing/settle-waiting.ts";

const file = `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope><Cube>
<Cube time="2027-01-08"><Cube currency="USD" rate="1.0800"/><Cube currency="CZK" rate="24.300"/></Cube>
<Cube time="2027-01-07"><Cube currency="USD" rate="1.0500"/><Cube currency="JPY" rate="160.00"/></Cube>
</Cube></gesmes:Envelope>`;

test("the bank's file contains days with rates; anything else is refused", () => {
  expect(readRates(file)).toEqual([
    { day: "2027-01-08", currency: "USD", perEuro: "1.0800" },
    { day: "2027-01-08", currency: "CZK", perEuro: "24.300" },
    { day: "2027-01-07", currency: "USD", perEuro: "1.0500" },
    { day: "2027-01-07", currency: "JPY", perEuro: "160.00" },
  ]);
  expect(() => readRates("<html>maintenance</html>")).toThrow("no rates");
});

test.each([
  [1140, "USD", "1.08", "EUR", "1", 1056],
  [-1140, "USD", "1.08", "EUR", "1", -1056],
  [1900, "JPY", "160", "EUR", "1", 1188],
  [100, "EUR", "1", "HUF", "404.85", 40_485],
  [12_345, "KWD", "0.3321", "CZK", "24.3", 90_329],
] as const)("%i of %s at %s are %s at %s: %i", (amount, currency, from, to, into, expected) => {
  expect(convert({ amount, currency }, from, to, into)).toBe(expected);
});

test("the tax currency is the euro or the country's own, and none outside the EU", () => {
  expect([taxCurrencyOf("DE"), taxCurrencyOf("BG"), taxCurrencyOf("SE"), taxCurrencyOf("US")]).toEqual(["EUR", "EUR", "SEK", null]);
});

const rateOf = (day: string) => `<Cube time="${day}"><Cube currency="USD" rate="1.0900"/></Cube>`;

test("a future day in the file does not keep earlier days' rates out", async () => {
  const days = ["2999-01-01", "2027-01-08"];
  const server = await startAnswering((response) => void response.end(days.map(rateOf).join("")));
  onTestFinished(() => server[Symbol.asyncDispose]());
  const world = await openTestBilling({ start: new Date("2027-01-10T09:00:00Z") });
  const { db } = world.database;
  const rates = centralBankRates({ url: server.url, clock: world.clock, log: createLog("silent") });
  await rates.refresh(db);
  world.clock.advance(2 * dayMs);
  days.push("2027-01-11");
  await rates.refresh(db);
  expect(await convertTax(db, { amount: 1090, currency: "USD" }, "EUR", world.clock.now())).toMatchObject({
    amount: { amount: 1000 },
    day: "2027-01-11",
  });
});

test("a caller that comes while rates are being fetched gets them too", async () => {
  const held: ServerResponse[] = [];
  const server = await startAnswering((response) => void held.push(response));
  onTestFinished(() => server[Symbol.asyncDispose]());
  const world = await openTestBilling({ start: new Date("2027-01-10T09:00:00Z") });
  const { db } = world.database;
  const rates = centralBankRates({ url: server.url, clock: world.clock, log: createLog("silent") });
  const seen = [0, 1].map(async () => {
    await rates.refresh(db);
    return (await convertTax(db, { amount: 1090, currency: "USD" }, "EUR", world.clock.now()))?.day;
  });
  await vi.waitFor(() => expect(held).toHaveLength(1), 20_000);
  held[0]!.end(rateOf("2027-01-08"));
  expect(await Promise.all(seen)).toEqual(["2027-01-08", "2027-01-08"]);
});

test("tax billed in dollars is on a German seller's invoice in euros, at the newest rate of its day; without a rate the invoice waits and takes no number", async () => {
  const answers: ((response: ServerResponse) => void)[] = [
    (response) => void response.writeHead(503).end(),
    (response) => void response.end(file),
  ];
  const server = await startAnswering((response) => (answers.length > 1 ? answers.shift()! : answers[0]!)(response));
  onTestFinished(() => server[Symbol.asyncDispose]());
  const world = await openTestBilling({ start: new Date("2027-01-10T09:00:00Z") });
  const { db } = world.database;
  const accountId = await subscribe(world);
  const { id: subscriptionId } = [...world.provider.subscriptions.values()][0]!;
  const rates = centralBankRates({ url: `${server.url}/eurofxref-hist-90d.xml`, clock: world.clock, log: createLog("silent") });
  const money = (amount: number, currency: string) => ({ amount, currency });
  const invoice = (id: string, currency: string): ProviderInvoice => ({
    id,
    subscriptionId,
    number: null,
    issuedAt: new Date("2027-01-10T08:00:00Z"),
    status: "paid",
    takenBack: null,
    lines: [{ label: "Pro", quantity: 1, amount: money(6000, currency), isProration: false }],
    tax: { name: "VAT", ratePercent: 19, amount: money(1140, currency), inclusive: false },
    total: money(7140, currency),
    creditUsed: money(0, currency),
    buyer: null,
    payments: [],
  });
  const list = [invoice("in_1", "USD")];
  const copy = () =>
    copyInvoices(
      { db, clock: world.clock, provider: { ...world.provider, listInvoices: () => Promise.resolve(list) }, seller: testSeller, rates },
      accountId,
    );
  await copy();
  expect((await listInvoices(db, accountId)).map(({ number, document }) => [number, document])).toEqual([[null, null]]);
  // A service that is down is tried again an hour later, and others do not wait.
  list.push(invoice("in_2", "EUR"));
  await copy();
  expect(server.asked).toHaveLength(1);
  world.clock.advance(hourMs + 1);
  await copy();
  await copy();
  expect(server.asked).toHaveLength(2);
  const documents = (await listInvoices(db, accountId))
    .map(({ number, document }) => ({ number, ...(document as object) }))
    .toSorted((one, other) => (one.number! < other.number! ? -1 : 1));
  expect(documents.map(({ number }) => number)).toEqual(["2027-000001", "2027-000002"]);
  expect(documents[0]).not.toHaveProperty("taxInSellerCurrency");
  expect(documents[1]).toMatchObject({
    taxInSellerCurrency: { amount: { amount: 1056, currency: "EUR" }, rate: "1 EUR = 1.0800 USD", day: "2027-01-08" },
  });
  // A refund is shown in both currencies.
  list[0] = {
    ...list[0]!,
    refunds: [
      { id: "re_1", at: world.clock.now(), amount: money(3570, "USD") },
      { id: "re_2", at: world.clock.now(), amount: money(3570, "USD") },
    ],
  };
  await copy();
  const notes = (await listInvoices(db, accountId))
    .filter(({ corrects }) => corrects !== null)
    .map(({ document }) => document as { taxInSellerCurrency: { amount: { amount: number } }; tax: { amount: { amount: number } } });
  expect(notes.map(({ tax, taxInSellerCurrency }) => [tax.amount.amount, taxInSellerCurrency.amount.amount])).toEqual([
    [-570, -528],
    [-570, -528],
  ]);
});

test("an invoice that waited for its rate is written within an hour of having one, without any further event for its account", async () => {
  const world = await openTestBilling();
  const { db } = world.database;
  const accountId = await subscribe(world);
  const other = await subscribe(world);
  const subscriptionOf = async (id: string) => (await findSubscription(db, id))!.providerSubscriptionId!;
  const money = (amount: number) => ({ amount, currency: "USD" });
  const listed = (accountIdOf: string, subscriptionId: string): ProviderInvoice[] => [
    {
      id: `in_${accountIdOf}`,
      subscriptionId,
      number: null,
      issuedAt: world.clock.now(),
      status: "paid",
      takenBack: null,
      lines: [],
      tax: { name: "VAT", ratePercent: 19, amount: money(1140), inclusive: false },
      total: money(7140),
      creditUsed: money(0),
      buyer: null,
      payments: [],
    },
  ];
  const lists = new Map([
    [accountId, listed(accountId, await subscriptionOf(accountId))],
    [other, listed(other, await subscriptionOf(other))],
  ]);
  const provider = { ...world.provider, listInvoices: (_customer: string, account: string) => Promise.resolve(lists.get(account)!) };
  let isKnown = false;
  const rates = {
    refresh: () => (isKnown ? insertRates(db, [{ day: dayOf(world.clock.now()), currency: "USD", perEuro: "1.08" }]) : Promise.resolve()),
  };
  const settled: string[] = [];
  const settlePayments = (id: string) => {
    settled.push(id);
    return copyInvoices({ db, clock: world.clock, provider, seller: testSeller, rates }, id);
  };
  for (const id of [accountId, other]) await settlePayments(id);
  const waiting = { ...world.billing, provider, settlePayments };
  const numbers = async () => (await Promise.all([accountId, other].map((id) => listInvoices(db, id)))).flat().map(({ number }) => number);
  await settleWaiting(waiting);
  expect(await numbers()).toEqual([null, null]);
  isKnown = true;
  await settleWaiting(waiting);
  expect((await numbers()).toSorted()).toEqual([expect.stringMatching(/-000001$/), expect.stringMatching(/-000002$/)]);
  // Once the receipt is sent too, nothing is checked any more.
  for (const { id } of (await Promise.all([accountId, other].map((each) => listInvoices(db, each)))).flat())
    await markReceiptQueued(db, id, world.clock.now());
  settled.length = 0;
  await settleWaiting(waiting);
  expect(settled).toEqual([]);
});

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
