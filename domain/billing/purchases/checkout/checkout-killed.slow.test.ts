/** Wherever a process dies during a first payment: one subscription, one charge, and one message to each recipient. */
import { and, count, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { auditLog, checkouts, idempotencyKeys, mails, sandboxCheckouts, sandboxSubscriptions, timers, users } from "#database/tables.ts";
import { readCatalogue } from "#domain/plans/catalogue.ts";
import { savePlans } from "#domain/plans/plan-store.ts";
import { newId } from "#platform/ids.ts";
import { addTrialAccount } from "#testing/accounts/add-trial-account.ts";
import { openBilling, type BillingProcess, type BillingTask } from "#testing/program/billing-process.ts";
import { killMidway } from "#testing/program/kill-midway.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { createSandboxHarness, type SandboxHarness } from "#testing/payments/sandbox-harness.ts";
import type { Billing } from "../../billing.ts";
import { doWhatIsDue } from "../../provider-truth/billing-loop.ts";
import { completeCheckout } from "./complete-checkout.ts";
import { receiveEvent } from "../../provider-truth/provider-event-store.ts";
import { startCheckout } from "./start-checkout.ts";
import { findSubscription } from "../../subscription/subscription-store.ts";

let database: TestDatabase;
let billing: Billing & { close(): Promise<void> };
let harness: SandboxHarness;
beforeAll(async () => {
  database = await createTestDatabase();
  await savePlans(database.db, readCatalogue(), new Date());
  billing = openBilling(database.connection, () => 0);
  harness = await createSandboxHarness({ db: billing.db });
});
afterAll(async () => {
  await billing.close();
  await database.close();
});

const planId = "pro-1-monthly";
/** One kill at each of these times after the work has begun: a call takes some 40 ms in a new process, longer on a busy machine. */
const momentsMs = [0, 8, 16, 25, 40, 70];

const addAccount = () => addTrialAccount(billing.db, billing.clock.now());

const killDuring = (task: BillingTask, afterMs: number) =>
  killMidway(
    new URL("../../../../testing/program/billing-process.ts", import.meta.url),
    { connection: database.connection, aheadMs: 0, task } satisfies BillingProcess,
    afterMs,
  );

const click = (accountId: string, key: string) =>
  startCheckout(billing, accountId, { planId, quotas: null, currency: null }, { userId: null }, key);

/** A dead process's lease expires on its own; the tests do not wait for that. */
const forgetLease = (key: string) =>
  billing.db
    .update(idempotencyKeys)
    .set({ leaseUntil: new Date(0) })
    .where(eq(idempotencyKeys.key, key));

const pagesOf = (accountId: string) => billing.db.select().from(checkouts).where(eq(checkouts.accountId, accountId));

/** What the provider has, what we have recorded, and what the customer was told. */
async function expectPaidOnce(accountId: string): Promise<void> {
  const held = (await findSubscription(billing.db, accountId))!;
  const theirs = await billing.db.select().from(sandboxSubscriptions).where(eq(sandboxSubscriptions.accountId, accountId));
  expect(theirs).toMatchObject([{ id: held.providerSubscriptionId, status: "active" }]);
  expect(held).toMatchObject({ status: "active", planId, specId: "pro-1", providerCustomerId: theirs[0]!.customerId });
  const invoices = await billing.provider.listInvoices(held.providerCustomerId!);
  expect(invoices.map(({ status, payments }) => [status, payments.map((payment) => payment.status)])).toEqual([["paid", ["succeeded"]]]);
  expect((await pagesOf(accountId)).map(({ state, checkAt }) => [state, checkAt])).toEqual([["paid", null]]);
  const told = await billing.db
    .select({ name: mails.subject })
    .from(mails)
    .innerJoin(users, eq(users.email, mails.recipient))
    .where(eq(users.accountId, accountId));
  expect(told).toEqual([{ name: "subscription-started" }]);
  const [noted] = await billing.db.select({ times: count() }).from(auditLog).where(eq(auditLog.accountId, accountId));
  expect(noted!.times).toBe(2);
  // None of the trial's timers is left.
  expect(
    (await billing.db.select({ kind: timers.kind }).from(timers).where(eq(timers.accountId, accountId))).map(({ kind }) => kind),
  ).toEqual(["truth-check"]);
}

test("killed with -9 while the payment page is opened, the same click leads to one page, and so does another one", async () => {
  for (const afterMs of momentsMs) {
    const accountId = await addAccount();
    const key = newId();
    await killDuring({ kind: "start-checkout", accountId, planId, key }, afterMs);
    await forgetLease(key);
    const { url } = await click(accountId, key);
    expect((await click(accountId, newId())).url).toBe(url);
    const pages = await pagesOf(accountId);
    expect(pages.map((page) => page.url)).toEqual([url]);
    const theirs = (await billing.db.select({ id: sandboxCheckouts.id, request: sandboxCheckouts.request }).from(sandboxCheckouts)).filter(
      ({ request }) => JSON.stringify(request).includes(accountId),
    );
    expect(theirs.map(({ id }) => id)).toEqual([pages[0]!.checkoutId]);
    expect(await harness.pay(pages[0]!, "confirm-first")).toBe("paid");
    await completeCheckout(billing, accountId);
    await expectPaidOnce(accountId);
  }
});

test("killed with -9 while a payment is taken over, it is taken over once: by the customer's return, the event, or the check of open pages", async () => {
  const ids: string[] = [];
  for (const [index, afterMs] of momentsMs.entries()) {
    const accountId = await addAccount();
    ids.push(accountId);
    await click(accountId, newId());
    const [page] = await pagesOf(accountId);
    expect(await harness.pay(page!, "visa")).toBe("paid");
    await killDuring({ kind: "complete-checkout", accountId }, afterMs);
    if (index % 3 === 0) await completeCheckout(billing, accountId);
    else if (index % 3 === 1)
      await billing.db
        .update(checkouts)
        .set({ checkAt: new Date(0) })
        .where(and(eq(checkouts.accountId, accountId), eq(checkouts.state, "open")));
    else
      for (const { headers, body } of await harness.takeWebhooks())
        await receiveEvent(billing.db, "sandbox", harness.provider.readWebhook(headers, body, harness.now()), billing.clock.now());
    await doWhatIsDue(billing);
    await expectPaidOnce(accountId);
  }
  // Everything that is late arrives now and changes nothing.
  for (const { headers, body } of await harness.takeWebhooks())
    await receiveEvent(billing.db, "sandbox", harness.provider.readWebhook(headers, body, harness.now()), billing.clock.now());
  await doWhatIsDue(billing);
  for (const accountId of ids) await expectPaidOnce(accountId);
  expect(await billing.db.select().from(sandboxSubscriptions).where(inArray(sandboxSubscriptions.accountId, ids))).toHaveLength(ids.length);
});
