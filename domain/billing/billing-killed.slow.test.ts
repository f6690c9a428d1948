import { count, eq, inArray, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkouts, idempotencyKeys, mails, subscriptions, timers, users } from "#database/tables.ts";
import { readCatalogue } from "#domain/plans/catalogue.ts";
import { savePlans } from "#domain/plans/plan-store.ts";
import { dayMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { addTrialAccount } from "#testing/accounts/add-trial-account.ts";
import { openBilling, type BillingProcess, type BillingTask } from "#testing/program/billing-process.ts";
import { killMidway } from "#testing/program/kill-midway.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { createSandboxHarness } from "#testing/payments/sandbox-harness.ts";
import type { Billing } from "./billing.ts";
import { completeCheckout } from "./purchases/checkout/complete-checkout.ts";
import { confirmChange } from "./purchases/change/confirm-change.ts";
import { quoteChange } from "./purchases/change/quote-change.ts";
import { runDue } from "./subscription/run-timers.ts";
import { startCheckout } from "./purchases/checkout/start-checkout.ts";
import { findSubscription } from "./subscription/subscription-store.ts";

let database: TestDatabase;
let billing: Billing & { close(): Promise<void> };
let aheadMs = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  await savePlans(database.db, readCatalogue(), new Date());
  billing = openBilling(database.connection, () => aheadMs);
});
afterAll(async () => {
  await billing.close();
  await database.close();
});

const addAccount = () => addTrialAccount(billing.db, billing.clock.now());

const killDuring = (task: BillingTask, withinMs: number) =>
  killMidway(
    new URL("../../testing/program/billing-process.ts", import.meta.url),
    { connection: database.connection, aheadMs, task } satisfies BillingProcess,
    Math.random() * withinMs,
  );

const succeeded = async (customerId: string) =>
  (await billing.provider.listInvoices(customerId)).flatMap(({ payments }) => payments).filter(({ status }) => status === "succeeded")
    .length;

test("killed with -9 in the middle of a change, the same key finishes it: changed once, charged once", async () => {
  const harness = await createSandboxHarness({ db: billing.db });
  for (let round = 0; round < 4; round++) {
    const accountId = await addAccount();
    await startCheckout(billing, accountId, { planId: "starter-monthly", quotas: null, currency: "USD" }, { userId: null }, newId());
    const [page] = await billing.db.select().from(checkouts).where(eq(checkouts.accountId, accountId));
    await harness.pay(page!, "visa");
    await completeCheckout(billing, accountId);
    const { providerCustomerId } = (await findSubscription(billing.db, accountId))!;
    const wanted = { planId: "pro-1-monthly", quotas: null };
    const agreed = { ...wanted, previewId: (await quoteChange(billing, accountId, wanted)).previewId };
    const key = newId();
    await killDuring({ kind: "change", accountId, agreed, key }, 60);
    // A dead process's lease expires on its own; the test does not wait for that.
    await billing.db
      .update(idempotencyKeys)
      .set({ leaseUntil: new Date(0) })
      .where(eq(idempotencyKeys.key, key));
    await confirmChange(billing, accountId, agreed, { userId: null }, key);
    expect(await findSubscription(billing.db, accountId)).toMatchObject({
      planId: "pro-1-monthly",
      specId: "pro-1",
      pendingKey: null,
      status: "active",
    });
    expect(await succeeded(providerCustomerId!)).toBe(2);
  }
});

test("killed with -9 repeatedly while timers run, each timer has run once in the end", async () => {
  const ids: string[] = [];
  for (let left = 40; left > 0; left--) ids.push(await addAccount());
  aheadMs += 15 * dayMs;
  const dueNow = async () =>
    (
      await billing.db
        .select({ due: count() })
        .from(timers)
        .where(sql`${timers.accountId} in ${ids} and ${timers.dueAt} <= ${billing.clock.now().toISOString()}::timestamptz`)
    )[0]!.due;
  for (let round = 0; round < 4; round++) {
    await killDuring({ kind: "run-due" }, 120);
    // As above: releases the lease of a timer that was asking the provider.
    await billing.db.update(timers).set({ runAt: sql`${timers.dueAt}`, leaseOwner: null, leaseUntil: null });
  }
  await runDue(billing);
  expect(await dueNow()).toBe(0);
  const rows = await billing.db
    .select({ status: subscriptions.status, deletedAt: subscriptions.deletedAt })
    .from(subscriptions)
    .where(inArray(subscriptions.accountId, ids));
  expect(rows.filter(({ status, deletedAt }) => status === "deleted" && deletedAt === null)).toHaveLength(40);
  const told = await billing.db
    .select({ name: mails.subject, times: count() })
    .from(mails)
    .innerJoin(users, eq(users.email, mails.recipient))
    .where(inArray(users.accountId, ids))
    .groupBy(mails.subject);
  expect(Object.fromEntries(told.map(({ name, times }) => [name, times]))).toEqual({ "trial-ending": 80, "trial-ended": 40 });
});
