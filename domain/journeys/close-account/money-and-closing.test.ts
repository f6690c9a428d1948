/** What keeps an account from being closed, and what is paid and due while it is. */
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { accounts, backups, billingFindings, checkouts, heldRefunds, invoices, workspaceJournal, workspaces } from "#database/tables.ts";
import { expireOfClosed } from "#domain/backups/expired-backup-store.ts";
import { cancelSubscription } from "#domain/billing/purchases/cancel-subscription.ts";
import { syncSubscription } from "#domain/billing/provider-truth/sync-subscription.ts";
import { startCheckout } from "#domain/billing/purchases/checkout/start-checkout.ts";
import { dayMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { waitForLocks } from "#testing/database/held-lock.ts";
import { openTestBilling, owner, subscribe, type TestBilling } from "#testing/payments/test-billing.ts";
import { closeAccount } from "./close-account.ts";
import { readBlockers } from "./closing-blockers.ts";
import { reopenAccount } from "./reopen-account.ts";

const grace = { kind: "operator", operator: "grace", reason: "The company is gone." } as const;
const close = (world: TestBilling, accountId: string) => closeAccount({ ...world.billing, closedAccountDays: 30 }, accountId, grace);
const reopen = (world: TestBilling, accountId: string) => reopenAccount(world.billing, accountId, { operator: "grace" });
const kinds = async (world: TestBilling, accountId: string) =>
  (await readBlockers(world.database.db, accountId, world.clock.now())).map(({ kind }) => kind);
const isClosed = async (world: TestBilling, accountId: string) =>
  (await world.database.db.select().from(accounts).where(eq(accounts.id, accountId)))[0]!.closedAt !== null;
const workspaceOf = async (world: TestBilling, accountId: string) =>
  (await world.database.db.select().from(workspaces).where(eq(workspaces.accountId, accountId)))[0]!;

test("a subscription that renews or still runs keeps the account open, and says until when; once it ended, nothing does", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  expect(await close(world, accountId)).toEqual({ blockers: [{ kind: "subscription", until: null }] });
  await cancelSubscription(world.billing, accountId, { reason: null }, owner, newId());
  const { cancelAt } = await world.find(accountId);
  expect(await close(world, accountId)).toEqual({ blockers: [{ kind: "subscription", until: cancelAt }] });
  expect(await isClosed(world, accountId)).toBe(false);
  await world.pass(40 * dayMs);
  expect(await close(world, accountId)).toEqual({ eraseAt: expect.any(Date) as Date });
});

test("a debt, an open payment page, an open or disputed invoice, a held refund and a finding keep the account open", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  const { db } = world.database;
  const now = world.clock.now();
  expect(await kinds(world, accountId)).toEqual([]);
  await startCheckout(world.billing, accountId, { planId: "pro-1-monthly", quotas: null, currency: null } as never, owner, newId());
  expect(await kinds(world, accountId)).toEqual(["checkout"]);
  await world.pass(5 * dayMs);
  // Over, but whether it was paid is not read yet.
  expect(await close(world, accountId)).toEqual({ blockers: [{ kind: "checkout", until: null }] });
  for (const id of world.provider.checkouts.keys()) await world.provider.expireCheckout(id);
  await syncSubscription(world.billing, accountId);
  expect(await kinds(world, accountId)).toEqual([]);
  const page = { accountId, provider: "sandbox", planId: "pro-1-monthly", currency: "USD", url: "" } as const;
  const left = { ...page, checkoutId: "opening-left", state: "opening", createdAt: new Date(now.getTime() - dayMs) } as const;
  await db.insert(checkouts).values(left);
  expect(await kinds(world, accountId)).toEqual([]);
  const base = { accountId, provider: "sandbox", issuedAt: now, description: "Pro", currency: "USD", total: 1, tax: 0 };
  await db.insert(invoices).values([
    { ...base, id: newId(), providerInvoiceId: "1", status: "open" },
    { ...base, id: newId(), providerInvoiceId: "2", status: "disputed" },
    { ...base, id: newId(), providerInvoiceId: "3", status: "paid" },
  ]);
  expect(await kinds(world, accountId)).toEqual(["invoice", "dispute"]);
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local slipway.changing_money = 'on'`);
    await tx.delete(invoices);
  });
  await db.insert(heldRefunds).values({ provider: "sandbox", subscriptionId: "s", accountId, amount: 1, currency: "USD", heldAt: now });
  expect(await kinds(world, accountId)).toEqual(["refund"]);
  await db.update(heldRefunds).set({ decision: "keep", decidedAt: now });
  expect(await kinds(world, accountId)).toEqual([]);
  await db.insert(billingFindings).values({
    provider: "sandbox",
    kind: "customer",
    objectId: "c",
    accountId,
    name: "Ada",
    paid: {},
    detail: "?",
    foundAt: now,
    seenAt: now,
  });
  expect(await kinds(world, accountId)).toEqual(["refund"]);
  expect(await close(world, accountId)).toEqual({ blockers: [{ kind: "refund", until: null }] });
});

test("a payment page that is requested while the closing is being written is not opened", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  const blocker = await world.database.pool.connect();
  await blocker.query("begin; lock table mails in exclusive mode");
  const closing = close(world, accountId);
  await waitForLocks(world.database.pool, 1);
  const paying = startCheckout(
    world.billing,
    accountId,
    { planId: "pro-1-monthly", quotas: null, currency: null } as never,
    owner,
    newId(),
  ).then(
    () => "opened",
    (error: { code?: string }) => error.code,
  );
  await waitForLocks(world.database.pool, 2);
  await blocker.query("commit");
  blocker.release();
  expect(await closing).toEqual({ eraseAt: expect.any(Date) as Date });
  expect(await paying).toBe("account_closed");
});

test("a closing that waits for a payment page finds it, and closes nothing", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  const blocker = await world.database.pool.connect();
  await blocker.query("begin; lock table checkouts in exclusive mode");
  const paying = startCheckout(
    world.billing,
    accountId,
    { planId: "pro-1-monthly", quotas: null, currency: null } as never,
    owner,
    newId(),
  );
  await waitForLocks(world.database.pool, 1);
  const closing = close(world, accountId);
  await waitForLocks(world.database.pool, 2);
  await blocker.query("commit");
  blocker.release();
  await paying;
  expect(await closing).toMatchObject({ blockers: [{ kind: "checkout" }] });
  expect(await isClosed(world, accountId)).toBe(false);
});

test("a trial that ends while the account is closed sends no mail; reopened and paid, the workspace comes back with its last backup", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  await close(world, accountId);
  await world.settle();
  const told = (await world.mails(accountId)).length;
  await world.pass(25 * dayMs);
  expect((await world.mails(accountId)).length).toBe(told);
  expect(await workspaceOf(world, accountId)).toMatchObject({ desiredState: "deleted", observedState: "deleted", resumesAs: "stopped" });
  expect(await reopen(world, accountId)).toBe(true);
  expect(await world.state(accountId)).toBe("gone");
  expect(await workspaceOf(world, accountId)).toMatchObject({ desiredState: "deleted", life: 1, resumesAs: null });
  await world.buy(accountId, "pro-1-monthly");
  await world.settle();
  expect(await workspaceOf(world, accountId)).toMatchObject({ desiredState: "running", life: 2 });
  expect((await world.restored()).map(({ life }) => life)).toEqual([2]);
});

test("reopened during the trial, the workspace comes back with its last backup", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  await close(world, accountId);
  await world.settle();
  expect(await workspaceOf(world, accountId)).toMatchObject({ observedState: "deleted" });
  await reopen(world, accountId);
  expect(await workspaceOf(world, accountId)).toMatchObject({ desiredState: "running", life: 2 });
  expect((await world.restored()).map(({ life }) => life)).toEqual([2]);
});

test("a workspace that was used and comes back without any backup says so, in its journal and in the log", async () => {
  const world = await openTestBilling();
  const { db } = world.database;
  const [used, never] = [await world.addAccount(), await world.addAccount()];
  const { id } = await workspaceOf(world, used);
  await db
    .insert(workspaceJournal)
    .values({ workspaceId: id, at: world.clock.now(), event: "online", message: "The workspace is online." });
  for (const accountId of [used, never]) await close(world, accountId);
  await world.settle();
  await db.update(backups).set({ keptUntil: world.clock.now() });
  const lines: string[] = [];
  const log = createLog("info", undefined, { write: (line) => void lines.push(line) });
  const parts = { ...world.billing, log };
  for (const accountId of [used, never]) expect(await reopenAccount(parts, accountId, { operator: "grace" })).toBe(true);
  const journal = await db.select().from(workspaceJournal).where(eq(workspaceJournal.event, "no-last-backup"));
  expect(journal.map(({ workspaceId }) => workspaceId)).toEqual([id]);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ level: 50, accountId: used, workspaceId: id }]);
});

test("money that arrives although the account is closed is received and starts nothing; reopened, it runs", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  await close(world, accountId);
  await world.settle();
  await world.database.pool.query("update accounts set closed_at = null where id = $1", [accountId]);
  await world.buy(accountId, "pro-1-monthly");
  await world.database.pool.query("update accounts set closed_at = now() where id = $1", [accountId]);
  await world.settle();
  expect(await world.state(accountId)).toBe("active");
  expect(await workspaceOf(world, accountId)).toMatchObject({ desiredState: "deleted", resumesAs: "running" });
  await reopen(world, accountId);
  expect(await workspaceOf(world, accountId)).toMatchObject({ desiredState: "running", life: 2 });
});

test("on its day the backups of a closed account expire, however long they were kept, and no other account's", async () => {
  const world = await openTestBilling();
  const [closed, reopened, other] = [await world.addAccount(), await world.addAccount(), await world.addAccount()];
  for (const accountId of [closed, reopened]) await close(world, accountId);
  await world.settle();
  await reopen(world, reopened);
  const { db } = world.database;
  const keptUntil = new Date("2030-01-01T00:00:00Z");
  await db.update(backups).set({ keptUntil });
  const [made] = await db.select().from(backups).where(eq(backups.accountId, closed));
  await db.insert(backups).values({ ...made!, id: newId(), accountId: other });
  const left = async () =>
    (await db.select().from(backups).where(eq(backups.keptUntil, keptUntil))).map(({ accountId }) => accountId).toSorted();
  const { eraseAt } = (await db.select().from(accounts).where(eq(accounts.id, closed)))[0]!;
  await expireOfClosed(db, new Date(eraseAt!.getTime() - 1));
  expect(await left()).toEqual([closed, reopened, other].toSorted());
  await expireOfClosed(db, eraseAt!);
  expect(await left()).toEqual([reopened, other].toSorted());
});
