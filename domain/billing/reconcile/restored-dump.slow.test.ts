import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { invoices, serviceState, subscriptions, workspaces } from "#database/tables.ts";
import { listInvoices, takeInvoiceNumber } from "#domain/invoices/invoice-store.ts";
import { stateOf } from "#domain/billing/subscription/subscription-states.ts";
import { findSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { beat, isGapOpen, readMemoryGap } from "#domain/memory-gap/memory-gap-store.ts";
import { dayMs, hourMs } from "#platform/clock.ts";
import { copyRows } from "#testing/database/copy-of-rows.ts";
import { createStripeHarness, type StripeHarness } from "#testing/payments/stripe-harness.ts";
import { buyPlan, createTestShop, startCustomer, startSubscriber, type Customer, type TestShop } from "#testing/payments/test-shop.ts";
import { countFindings, listFindings } from "./finding-store.ts";
import { reconcileIfDue } from "./reconcile-loop.ts";
import { reconcile, reconcileSince } from "./reconcile.ts";

/** A shop with Stripe, whose memory is outside the database. */
async function openShop(): Promise<TestShop & { harness: StripeHarness }> {
  const shop = await createTestShop({}, createStripeHarness);
  onTestFinished(() => shop[Symbol.asyncDispose]());
  const { services, clock } = shop.api;
  await beat(services.db, clock.now(), null);
  return shop as TestShop & { harness: StripeHarness };
}

/** Takes the dump; the result restores it, as a program does that starts on it a day later. */
async function dump(shop: TestShop): Promise<() => Promise<void>> {
  const { database, clock } = shop.api;
  const restore = await copyRows(database.pool, `dump_${clock.now().getTime()}`);
  return async () => {
    await restore();
    // The machine's clock cannot be moved, so the beat is made older.
    await database.pool.query(
      `update service_state set value = value || jsonb_build_object('beatAt', clock_timestamp() - interval '1 day') where key = 'memory gap'`,
    );
    await beat(database.db, clock.now(), null);
  };
}

const accountOf = async ({ api }: TestShop, customer: Customer): Promise<string> =>
  (await api.database.pool.query<{ account_id: string }>("select account_id from users where email = $1", [customer.form["email"]]))
    .rows[0]!.account_id;

test("a purchase that a restored dump has forgotten is found: the workspace runs on, nothing is charged twice, and its invoice keeps its number", async () => {
  const shop = await openShop();
  const { billing, db } = shop.api.services;
  const customer = await startCustomer(shop);
  const other = await startSubscriber(shop);
  const accountId = await accountOf(shop, customer);
  const restore = await dump(shop);
  await shop.pass(hourMs);
  await buyPlan(shop, customer, "pro-1-monthly");
  await shop.catchUp();
  const before = (await listInvoices(db, accountId)).map(({ number, total, issuedAt, providerInvoiceId }) => ({
    number,
    total,
    issuedAt,
    providerInvoiceId,
  }));
  expect(before).toHaveLength(1);

  await restore();
  const state = async () => stateOf(await findSubscription(db, accountId));
  expect(await state()).toBe("trial");
  // Fifteen days pass and everything is due, but nothing happens before the comparison.
  await shop.pass(15 * dayMs);
  expect(await state()).toBe("trial");
  await customer.signIn();
  expect((await customer.pay("POST", "/v1/paddle/plan/pro-1-monthly/generatePayLink", {})).statusCode).toBe(503);
  expect((await db.select().from(workspaces).where(eq(workspaces.accountId, accountId)))[0]).toMatchObject({ desiredState: "running" });

  const dry = await reconcile(billing, { since: await reconcileSince(billing), dryRun: true });
  expect(dry.healed.find((each) => each.accountId === accountId)?.what).toContain(
    "trial on trial-1 becomes active on pro-1-monthly; 1 document missing",
  );
  expect(await state()).toBe("trial");
  expect(await isGapOpen(db)).toBe(true);

  await reconcileIfDue(billing);
  expect(await isGapOpen(db)).toBe(false);
  expect(await customer.billing()).toMatchObject({ status: "active", planId: "pro-1-monthly" });
  await other.signIn();
  expect(await other.billing()).toMatchObject({ status: "active" });
  const after = (await listInvoices(db, accountId)).map(({ number, total, issuedAt, providerInvoiceId }) => ({
    number,
    total,
    issuedAt,
    providerInvoiceId,
  }));
  expect(after).toEqual(before);
  await shop.pass(3 * dayMs);
  expect(await customer.billing()).toMatchObject({ status: "active" });
  expect(shop.harness.state.subscriptions.size).toBe(2);
  expect(await listFindings(db)).toEqual([]);
});

test("an invoice number that was mailed before the restore is never given to another customer", async () => {
  const shop = await openShop();
  const { billing, db } = shop.api.services;
  const [first, second] = [await startCustomer(shop), await startCustomer(shop)];
  const restore = await dump(shop);
  await buyPlan(shop, first, "pro-1-monthly");
  await shop.catchUp();
  const [mailed] = await listInvoices(db, await accountOf(shop, first));
  expect((await first.mails()).some(({ attachment }) => attachment?.name.includes(mailed!.number!))).toBe(true);

  await restore();
  // Paid after the restore and before the comparison: the document waits for its number.
  const { subscriptions: theirs } = shop.harness.state;
  const link = await shop.harness.provider.createCheckout(
    {
      accountId: await accountOf(shop, second),
      email: String(second.form["email"]),
      name: "Grace",
      purchase: { planId: "starter-monthly", extraExecutionUnits: 0, extraWorkflowUnits: 0 },
      currency: "USD",
      customerId: null,
      details: null,
      successUrl: "http://localhost:3000/",
      cancelUrl: "http://localhost:3000/",
    },
    "a key",
  );
  await shop.harness.pay(link, "visa");
  await shop.catchUp();
  expect(theirs.size).toBe(2);
  expect(await db.select().from(invoices)).toEqual([]);
  await reconcileIfDue(billing);
  await shop.pass(hourMs);
  const numbers = [
    (await listInvoices(db, await accountOf(shop, first)))[0]?.number,
    (await listInvoices(db, await accountOf(shop, second)))[0]?.number,
  ];
  expect(numbers[0]).toBe(mailed!.number);
  expect(numbers[1]).toMatch(/-000002$/);
});

test("a customer whose account was lost with the dump is listed with name and sum, counted once, and not touched", async () => {
  const shop = await openShop();
  const { billing, db, clock } = shop.api.services;
  const restore = await dump(shop);
  const lost = await startSubscriber(shop);
  const sum = [...shop.harness.state.invoices.values()][0]!.total;
  await restore();
  await reconcileIfDue(billing);
  const [finding, ...more] = await listFindings(db);
  expect(more).toEqual([]);
  expect(finding).toMatchObject({ kind: "no-account", accountId: null, name: expect.stringMatching(/\S/), paid: { USD: sum } });
  expect(finding!.detail).toContain("will be charged again");
  expect([...shop.harness.state.subscriptions.values()].map(({ status }) => status)).toEqual(["active"]);
  expect(lost.form).toBeDefined();

  // Its renewal is an event without an owner, and the next night finds it again.
  await shop.pass(32 * dayMs);
  await reconcile(billing, { since: new Date(clock.now().getTime() - 40 * dayMs) });
  expect(await countFindings(db)).toMatchObject({ "no-account": 1 });
  expect((await listFindings(db))[0]!.paid["USD"]).toBe(2 * sum);
});

test("an event that names an account which does not exist is put on the list at once; one of what we did not sell is not", async () => {
  const shop = await openShop();
  const { db } = shop.api.services;
  const restore = await dump(shop);
  await startSubscriber(shop);
  await restore();
  await shop.pass(31 * dayMs);
  expect(await listFindings(db)).toMatchObject([{ kind: "no-account", detail: expect.stringContaining("does not exist") }]);
  await db.delete(serviceState);
  await db.execute("delete from billing_findings");
  for (const each of shop.harness.state.subscriptions.values()) each.metadata = {};
  for (const each of shop.harness.state.customers.values()) each.metadata = {};
  await shop.pass(31 * dayMs);
  expect(await listFindings(db)).toEqual([]);
  await reconcile(shop.api.services.billing, { since: new Date(0) });
  expect(await listFindings(db), "sold by somebody else in the same Stripe account").toEqual([]);
});

test("while Stripe does not answer, the gap stays open", async () => {
  const shop = await openShop();
  const { billing, db } = shop.api.services;
  const restore = await dump(shop);
  await restore();
  shop.isDown = true;
  await expect(reconcileIfDue(billing)).rejects.toThrow("cut");
  expect(await isGapOpen(db)).toBe(true);
  shop.isDown = false;
  await reconcileIfDue(billing);
  expect(await readMemoryGap(db)).toMatchObject({ since: null, reconciledAt: expect.any(Date) });
});

test("a database restored while its program runs is noticed, however short the lost time is", async () => {
  const shop = await openShop();
  const { db, clock } = shop.api.services;
  const first = await beat(db, clock.now(), null);
  const restore = await copyRows(shop.api.database.pool, "short");
  const second = await beat(db, clock.now(), first);
  expect(await isGapOpen(db)).toBe(false);
  await restore();
  await beat(db, clock.now(), second);
  expect(await isGapOpen(db)).toBe(true);
});

test("a second subscription of an account is listed for a person, and neither refunded nor ended", async () => {
  const shop = await openShop();
  const { billing, db } = shop.api.services;
  const customer = await startSubscriber(shop);
  const accountId = await accountOf(shop, customer);
  const { state } = shop.harness;
  const [only] = [...state.subscriptions.values()];
  state.subscriptions.set("sub_second", { ...only!, id: "sub_second", created: only!.created + 1, latestInvoice: null });
  const { findings } = await reconcile(billing, { since: new Date(0) });
  expect(findings).toMatchObject([{ kind: "second-subscription", objectId: "sub_second", accountId }]);
  expect(state.refunds.size).toBe(0);
  expect([...state.subscriptions.values()].map(({ status }) => status)).toEqual(["active", "active"]);
  expect((await db.select().from(subscriptions).where(eq(subscriptions.accountId, accountId)))[0]!.providerSubscriptionId).toBe(only!.id);
});

test("numbers of live and test invoices are counted apart", async () => {
  const { db } = (await openShop()).api.services;
  expect(await takeInvoiceNumber(db, "live", 2031)).toBe(1);
  expect(await takeInvoiceNumber(db, "test", 2031)).toBe(1);
  expect(await takeInvoiceNumber(db, "live", 2031)).toBe(2);
});

test("an event of Stripe's test mode is refused with live keys", async () => {
  const shop = await openShop();
  const { harness, api } = shop;
  const body = Buffer.from(String(harness.unknownEvent()).replace('"livemode":true', '"livemode":false'));
  const headers = harness.sign(body, { at: harness.now(), secret: "current" });
  expect(() => harness.provider.readWebhook(headers, body, api.clock.now())).toThrow("test mode");
  expect(harness.provider.name).toBe("stripe");
});
