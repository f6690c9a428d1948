import { expect, test, vi } from "vitest";
import type { ProviderInvoice } from "#payments/payment-provider.ts";
import { assignPlan } from "#domain/billing/subscription/assign-plan.ts";
import { receiveEvent } from "#domain/billing/provider-truth/provider-event-store.ts";
import { syncSubscription } from "#domain/billing/provider-truth/sync-subscription.ts";
import { newId } from "#platform/ids.ts";
import { openTestBilling, subscribe } from "#testing/payments/test-billing.ts";
import { copyInvoices } from "./copy-invoices.ts";
import { insertInvoice, listInvoices, listPayments } from "../invoice-store.ts";

const usd = (amount: number) => ({ amount, currency: "USD" });
const seller = { name: "Slipway", address: "", vatId: "", country: "DE" } as unknown as Parameters<typeof copyInvoices>[0]["seller"];

const invoiceSeen = (
  subscriptionId: string,
  at: Date,
  status: ProviderInvoice["status"],
  payment: "failed" | "succeeded" | "refunded",
): ProviderInvoice[] => [
  {
    id: "invoice-1",
    subscriptionId,
    number: null,
    issuedAt: at,
    status,
    takenBack: null,
    lines: [],
    tax: null,
    total: usd(2400),
    creditUsed: usd(0),
    buyer: null,
    payments: [{ id: "payment-1", at, amount: usd(2400), status: payment, card: null, reason: null }],
  },
];

test("a list requested earlier that arrives later does not undo a payment", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  const { id: subscriptionId } = [...world.provider.subscriptions.values()][0]!;
  const at = world.clock.now();
  const seen = (status: ProviderInvoice["status"], payment: "failed" | "succeeded" | "refunded") =>
    invoiceSeen(subscriptionId, at, status, payment);
  const copy = (list: ProviderInvoice[]) =>
    copyInvoices(
      { db: world.database.db, clock: world.clock, provider: { ...world.provider, listInvoices: () => Promise.resolve(list) }, seller },
      accountId,
    );
  const kept = async () => [
    (await listInvoices(world.database.db, accountId)).map(({ status }) => status),
    (await listPayments(world.database.db, accountId)).map(({ status }) => status),
  ];
  await copy(seen("open", "failed"));
  expect(await kept()).toEqual([["open"], ["failed"]]);
  await copy(seen("paid", "succeeded"));
  await copy(seen("open", "failed"));
  expect(await kept()).toEqual([["paid"], ["succeeded"]]);
  await copy(seen("refunded", "refunded"));
  await copy(seen("open", "failed"));
  expect(await kept()).toEqual([["refunded"], ["refunded"]]);
  // A dispute that we won returns the money to the seller.
  await copy(seen("paid", "succeeded"));
  expect(await kept()).toEqual([["paid"], ["succeeded"]]);
});

test("a payment of an invoice that another account has already is recorded for that account", async () => {
  const world = await openTestBilling();
  const { db } = world.database;
  const [theirs, asking] = [await subscribe(world), await subscribe(world)];
  const { id: subscriptionId } = [...world.provider.subscriptions.values()][0]!;
  const copy = (accountId: string, list: ProviderInvoice[]) =>
    copyInvoices({ db, clock: world.clock, provider: { ...world.provider, listInvoices: () => Promise.resolve(list) }, seller }, accountId);
  await copy(theirs, invoiceSeen(subscriptionId, world.clock.now(), "open", "failed"));
  await copy(asking, invoiceSeen(subscriptionId, world.clock.now(), "paid", "succeeded"));
  expect((await listPayments(db, theirs)).map(({ status }) => status)).toEqual(["succeeded"]);
  expect(await listPayments(db, asking)).toEqual([]);
  // One that is new, too.
  const [invoice] = invoiceSeen(subscriptionId, world.clock.now(), "paid", "succeeded");
  const second = { ...invoice!.payments[0]!, id: "payment-2" };
  await copy(asking, [{ ...invoice!, status: "refunded", payments: [...invoice!.payments, second] }]);
  expect(await listPayments(db, theirs)).toHaveLength(2);
});

test("an answer requested before another one and arriving after it changes nothing", async () => {
  const world = await openTestBilling();
  const { db } = world.database;
  const accountId = await subscribe(world);
  const { id: subscriptionId } = [...world.provider.subscriptions.values()][0]!;
  const seen = (status: ProviderInvoice["status"], payment: "succeeded" | "refunded") =>
    invoiceSeen(subscriptionId, world.clock.now(), status, payment);
  const copy = (answer: Promise<ProviderInvoice[]>) =>
    copyInvoices({ db, clock: world.clock, provider: { ...world.provider, listInvoices: () => answer }, seller }, accountId);
  await copy(Promise.resolve(seen("paid", "succeeded")));
  const slow = Promise.withResolvers<ProviderInvoice[]>();
  const asked = Promise.withResolvers<void>();
  const late = copyInvoices(
    { db, clock: world.clock, provider: { ...world.provider, listInvoices: () => (asked.resolve(), slow.promise) }, seller },
    accountId,
  );
  await asked.promise;
  await copy(Promise.resolve(seen("refunded", "refunded")));
  slow.resolve(seen("paid", "succeeded"));
  await late;
  expect((await listInvoices(db, accountId)).map(({ status }) => status)).toEqual(["refunded"]);
  expect((await listPayments(db, accountId)).map(({ status }) => status)).toEqual(["refunded"]);
});

test("a refund of an earlier payment is recorded even after the account was given a plan by hand", async () => {
  const world = await openTestBilling();
  const { db } = world.database;
  const accountId = await subscribe(world);
  const [theirs] = [...world.provider.subscriptions.values()];
  const at = world.clock.now();
  world.billing.settlePayments = (id) => copyInvoices({ db, clock: world.clock, provider: world.provider, seller }, id);
  world.provider.listInvoices = () => Promise.resolve(invoiceSeen(theirs!.id, at, "paid", "succeeded"));
  await world.billing.settlePayments(accountId);
  Object.assign(theirs!, { status: "deleted", providerStatus: "deleted", endedAt: at, changedAt: at });
  await syncSubscription(world.billing, accountId);
  expect(await assignPlan(world.billing, accountId, "enterprise-yearly", null, "grace")).toBeNull();
  world.provider.listInvoices = () => Promise.resolve(invoiceSeen(theirs!.id, at, "refunded", "refunded"));
  await receiveEvent(
    db,
    "sandbox",
    {
      id: "evt_back",
      kind: "refund",
      type: "payment.refunded",
      occurredAt: at,
      subscriptionId: theirs!.id,
      customerId: theirs!.customerId,
      accountId: null,
      payload: {},
    },
    at,
  );
  await world.settle();
  expect((await listInvoices(db, accountId)).map(({ status }) => status)).toEqual(["refunded"]);
  expect(await world.find(accountId)).toMatchObject({ status: "active", provider: null, planId: "enterprise-yearly" });
});

test("an invoice below zero is a credit note that names the invoices that charged its time, not the newest one", async () => {
  const world = await openTestBilling();
  const { db } = world.database;
  const accountId = await subscribe(world);
  const { id: subscriptionId } = [...world.provider.subscriptions.values()][0]!;
  const at = (minute: number) => new Date(world.clock.now().getTime() + minute * 60_000);
  const invoice = (id: string, amount: number, minute: number, corrects?: string[]): ProviderInvoice => ({
    ...invoiceSeen(subscriptionId, at(minute), "paid", "succeeded")[0]!,
    id,
    total: usd(amount),
    payments: [],
    ...(corrects && { corrects }),
  });
  const list = [
    invoice("in_1", 2400, 0),
    invoice("in_2", 600, 1),
    invoice("in_3", 900, 2),
    invoice("in_4", -500, 3, ["in_2", "in_1"]),
    invoice("in_5", -100, 4),
  ];
  await copyInvoices(
    { db, clock: world.clock, provider: { ...world.provider, listInvoices: () => Promise.resolve(list) }, seller },
    accountId,
  );
  const documents = (await listInvoices(db, accountId))
    .toReversed()
    .map(({ document }) => document as { kind: string; number: string; corrects: string | null });
  expect(documents.map(({ kind, number, corrects }) => [kind, number, corrects])).toEqual([
    ["invoice", "2027-000001", null],
    ["invoice", "2027-000002", null],
    ["invoice", "2027-000003", null],
    ["credit-note", "2027-000004", "2027-000001, 2027-000002"],
    // If the provider names none.
    ["credit-note", "2027-000005", "2027-000003"],
  ]);
});

test("an open invoice that an operator voided at the provider is cancelled by our own document when its event comes", async () => {
  const world = await openTestBilling();
  const { db } = world.database;
  const accountId = await subscribe(world);
  const { id: subscriptionId } = [...world.provider.subscriptions.values()][0]!;
  let list = invoiceSeen(subscriptionId, world.clock.now(), "open", "failed");
  const provider = { ...world.provider, listInvoices: () => Promise.resolve(list) };
  world.billing.settlePayments = (id) => copyInvoices({ db, clock: world.clock, provider, seller }, id);
  await world.billing.settlePayments(accountId);
  list = invoiceSeen(subscriptionId, world.clock.now(), "void", "failed");
  await receiveEvent(
    db,
    "sandbox",
    {
      id: "evt_void",
      kind: "invoice",
      type: "invoice.voided",
      occurredAt: world.clock.now(),
      subscriptionId,
      customerId: null,
      accountId,
      payload: {},
    },
    world.clock.now(),
  );
  await world.settle();
  expect((await listInvoices(db, accountId)).map(({ status, total }) => [status, total]).toSorted()).toEqual([
    ["paid", -2400],
    ["void", 2400],
  ]);
});

test("two workers whose documents take numbers from several years, in different orders, both finish, and no number is missing", async () => {
  const world = await openTestBilling();
  const { db, pool } = world.database;
  const [one, two] = [await subscribe(world), await subscribe(world)];
  const [ofOne, ofTwo] = [...world.provider.subscriptions.values()].map(({ id }) => id) as [string, string];
  const invoice = (id: string, subscriptionId: string, day: string): ProviderInvoice => ({
    ...invoiceSeen(subscriptionId, new Date(day), "paid", "succeeded")[0]!,
    id,
    payments: [],
  });
  const copy = (accountId: string, list: ProviderInvoice[]) =>
    copyInvoices({ db, clock: world.clock, provider: { ...world.provider, listInvoices: () => Promise.resolve(list) }, seller }, accountId);
  const known = invoice("in_known", ofTwo, "2025-12-01");
  await copy(two, [known]);
  const [kept] = await listInvoices(db, two);

  // A third party's locked rows let each worker take its first number and no further.
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holder = db.transaction(async (tx) => {
    for (const providerInvoiceId of ["in_first", "refund:re_known"])
      await insertInvoice(tx, { ...kept!, id: newId(), number: null, providerInvoiceId });
    held.resolve();
    await release.promise;
    throw new Error("rolled back");
  });
  await held.promise;
  const both = Promise.allSettled([
    copy(one, [invoice("in_first", ofOne, "2026-12-01"), invoice("in_second", ofOne, "2027-01-02")]),
    copy(two, [
      { ...known, refunds: [{ id: "re_known", at: new Date("2027-01-03"), amount: usd(1000) }] },
      invoice("in_late", ofTwo, "2026-12-05"),
    ]),
  ]);
  try {
    await vi.waitFor(
      async () =>
        expect(
          (await pool.query("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).rowCount,
        ).toBe(2),
      { timeout: 60_000 },
    );
  } finally {
    release.resolve();
  }
  await expect(holder).rejects.toThrow("rolled back");
  expect(
    (await both).map((outcome) => (outcome.status === "rejected" ? String((outcome.reason as Error).cause ?? outcome.reason) : "done")),
  ).toEqual(["done", "done"]);
  const numbers = [...(await listInvoices(db, one)), ...(await listInvoices(db, two))].map(({ number }) => number).toSorted();
  expect(numbers).toEqual(["2025-000001", "2026-000001", "2026-000002", "2027-000001", "2027-000002"]);
});
