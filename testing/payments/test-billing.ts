/** Subscriptions over a real database, with an in-memory provider, a clock that only tests move, and mails reduced to their names. */
import { and, asc, eq, ne, sql } from "drizzle-orm";
import { expect, onTestFinished } from "vitest";
import { auditLog, backups, checkouts, mails, restores, timers, users, workspaces } from "#database/tables.ts";
import { doWhatIsDue } from "#domain/billing/provider-truth/billing-loop.ts";
import type { Actor, Billing } from "#domain/billing/billing.ts";
import { receiveEvent } from "#domain/billing/provider-truth/provider-event-store.ts";
import { startCheckout } from "#domain/billing/purchases/checkout/start-checkout.ts";
import { stateOf, type SubscriptionRow, type SubscriptionState } from "#domain/billing/subscription/subscription-states.ts";
import { findSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { lastBackupDays } from "#contract/billing/plans/plan-days.ts";
import { readCatalogue } from "#domain/plans/catalogue.ts";
import { savePlans } from "#domain/plans/plan-store.ts";
import { neverSetUp } from "#domain/workspaces/observed/never-set-up.ts";
import type { ProviderEvent } from "#payments/payment-provider.ts";
import { after, dayMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { createSecrets } from "#platform/secrets.ts";
import { addTrialAccount } from "../accounts/add-trial-account.ts";
import { createMemoryProvider, type MemoryProvider } from "./memory-provider.ts";
import { createTestDatabase, type TestDatabase } from "../postgres.ts";
import { createTestClock, type TestClock } from "../test-clock.ts";

export interface TestBilling extends AsyncDisposable {
  database: TestDatabase;
  clock: TestClock;
  billing: Billing;
  provider: MemoryProvider;
  /** A new account with its owner, workspace and trial, which starts now. */
  addAccount(): Promise<string>;
  /** Opens a page for a plan and pays there; the provider's event is not delivered yet. */
  buy(accountId: string, planId: string): Promise<void>;
  /** Moves the clock from one due time to the next, as the service does, and delivers events on the way. */
  pass(ms: number): Promise<void>;
  /** Delivers the provider's events, does what is due now, and removes workspaces like a worker: after a last backup. */
  settle(): Promise<void>;
  /** Whether last backups succeed; while they do not, nothing is removed. */
  backupsSucceed: boolean;
  /** The backups of restores that were requested, oldest first. */
  restored(): Promise<{ backupId: string; life: number }[]>;
  find(accountId: string): Promise<SubscriptionRow>;
  state(accountId: string): Promise<SubscriptionState>;
  /** The desired state of the account's workspace. */
  desiredState(accountId: string): Promise<string>;
  /** Names of the account's mails with their dates, oldest first. */
  mails(accountId: string): Promise<string[]>;
  audit(accountId: string): Promise<string[]>;
}

export const owner: Actor = { userId: null };
const months = Object.fromEntries(readCatalogue().plans.map(({ id, billingPeriod }) => [id, billingPeriod.unit === "yr" ? 12 : 1]));

export async function createTestBilling({ leastNoticeMs = 0, start = new Date("2027-01-10T09:00:00Z") } = {}): Promise<TestBilling> {
  const database = await createTestDatabase();
  const clock = createTestClock(start);
  const { db } = database;
  await savePlans(db, readCatalogue(), clock.now());
  const provider = createMemoryProvider(clock, (planId) => months[planId] ?? 1);
  const billing: Billing = {
    db,
    clock,
    log: createLog("silent"),
    secrets: createSecrets("a key for tests, long enough to be one"),
    provider,
    publicUrl: "http://localhost:3000",
    renderMail: ({ name, email, at }) =>
      Promise.resolve({ recipient: email, subject: `${name} ${at.toISOString().slice(0, 10)}`, text: "", html: "" }),
    settlePayments: () => Promise.resolve(),
    leastNoticeMs,
    lastBackupDays,
  };

  const test: TestBilling = {
    database,
    clock,
    billing,
    provider,
    backupsSucceed: true,
    restored: () => db.select({ backupId: restores.backupId, life: restores.life }).from(restores).orderBy(asc(restores.createdAt)),
    addAccount: () => addTrialAccount(db, clock.now()),
    async buy(accountId, planId) {
      await startCheckout(billing, accountId, { planId, quotas: null, currency: "USD" }, owner, newId());
      const page = (await db.query.checkouts.findFirst({
        where: (row, { and, eq: is }) => and(is(row.accountId, accountId), is(row.state, "open")),
        orderBy: (row, { desc }) => desc(row.createdAt),
      }))!;
      provider.pay(page.checkoutId);
    },
    async settle() {
      provider.runDue();
      for (const event of provider.takeEvents()) await receiveEvent(db, "sandbox", event, clock.now());
      await doWhatIsDue(billing);
      if (test.backupsSucceed) await removeDeleted(test);
    },
    async pass(ms) {
      const target = clock.now().getTime() + ms;
      for (;;) {
        await test.settle();
        const next = Math.min(target, ...(await dueMoments(test)).filter((at) => at > clock.now().getTime()));
        clock.advance(next - clock.now().getTime());
        if (next === target) return test.settle();
      }
    },
    find: async (accountId) => (await findSubscription(db, accountId))!,
    state: async (accountId) => stateOf(await findSubscription(db, accountId)),
    desiredState: async (accountId) =>
      (await db.select({ state: workspaces.desiredState }).from(workspaces).where(eq(workspaces.accountId, accountId)))[0]!.state,
    mails: async (accountId) =>
      (
        await db
          .select({ subject: mails.subject })
          .from(mails)
          .innerJoin(users, eq(users.email, mails.recipient))
          .where(eq(users.accountId, accountId))
          .orderBy(asc(mails.createdAt), sql`${mails}.ctid`)
      ).map(({ subject }) => subject),
    audit: async (accountId) =>
      (await db.select({ action: auditLog.action }).from(auditLog).where(eq(auditLog.accountId, accountId)).orderBy(asc(auditLog.id))).map(
        ({ action }) => action,
      ),
    [Symbol.asyncDispose]: () => database.close(),
  };
  return test;
}

/** What workers do: a last backup of each workspace that should be deleted, and its removal. */
async function removeDeleted({ database: { db }, clock }: TestBilling): Promise<void> {
  const now = clock.now();
  const leaving = await db
    .select()
    .from(workspaces)
    .where(and(eq(workspaces.desiredState, "deleted"), ne(workspaces.observedState, "deleted")));
  for (const { id, accountId, engine, desiredVersion, generation } of leaving) {
    await db.insert(backups).values({
      id: newId(now.getTime()),
      accountId,
      workspaceId: id,
      kind: "before-deletion",
      state: "successful",
      engine,
      engineVersion: desiredVersion,
      generation,
      verifiedAt: now,
      keptUntil: after(now, lastBackupDays * dayMs),
      createdAt: now,
      finishedAt: now,
    });
    await db
      .update(workspaces)
      .set({ ...neverSetUp, observedState: "deleted", observedGeneration: generation })
      .where(eq(workspaces.id, id));
  }
}

/** When timers are due or the provider acts. */
async function dueMoments({ database: { db }, provider }: TestBilling): Promise<number[]> {
  const ours = await db.select({ runAt: timers.runAt }).from(timers);
  const theirs = [...provider.subscriptions.values()].flatMap(({ status, periodEndsAt, retries }) =>
    status === "deleted" || status === "paused" ? [] : [periodEndsAt, ...retries.map(({ at }) => at)],
  );
  return [...ours.map(({ runAt }) => runAt), ...theirs].map((at) => at.getTime());
}

/** The same for one test; closed when it finishes. */
export async function openTestBilling(options: Parameters<typeof createTestBilling>[0] = {}): Promise<TestBilling> {
  const world = await createTestBilling(options);
  onTestFinished(() => world[Symbol.asyncDispose]());
  return world;
}

/** An account that has paid for its plan. */
export async function subscribe(world: TestBilling, planId = "pro-1-monthly"): Promise<string> {
  const accountId = await world.addAccount();
  await world.buy(accountId, planId);
  await world.settle();
  return accountId;
}

/** A second page of ours that is still payable, such as one already loaded in another window; returns its id at the provider. */
export async function openSecondPage(
  { provider, database, clock }: TestBilling,
  accountId: string,
  planId = "starter-monthly",
): Promise<string> {
  const { checkoutId, url } = await provider.createCheckout(
    {
      accountId,
      email: "",
      name: "",
      purchase: { planId, extraExecutionUnits: 0, extraWorkflowUnits: 0 },
      currency: "USD",
      customerId: null,
      details: null,
      successUrl: "",
      cancelUrl: "",
    },
    newId(),
  );
  const createdAt = clock.now();
  await database.db
    .insert(checkouts)
    .values({ provider: provider.name, checkoutId, url, accountId, planId, currency: "USD", state: "closing", createdAt });
  return checkoutId;
}

/** The provider tells of the account's subscription now. */
export async function receiveEventOf(
  { database, clock, find }: TestBilling,
  accountId: string,
  { id = newId(), kind = "subscription" }: { id?: string; kind?: ProviderEvent["kind"] } = {},
): Promise<void> {
  const { providerSubscriptionId: subscriptionId, providerCustomerId: customerId } = await find(accountId);
  const event = { id, kind, type: "test", occurredAt: clock.now(), subscriptionId, customerId, accountId, payload: {} };
  await receiveEvent(database.db, "sandbox", event, clock.now());
}

/** An API refusal with this code. */
export const refusal = (code: string): unknown => expect.objectContaining({ code });
