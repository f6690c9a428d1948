/** One account's provider calls never delay another account, however many hang and wherever they do. */
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { and, eq, isNull, sql } from "drizzle-orm";
import { billingLanes, checkouts, providerEvents, subscriptions, timers, workspaces } from "#database/tables.ts";
import { minuteMs, secondMs } from "#platform/clock.ts";
import { openDatabase } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { asSpan } from "#platform/tracing/current-work.ts";
import { createOtlpTracer } from "#platform/tracing/otlp-tracer.ts";
import { createNotifications } from "#platform/postgres/listen.ts";
import { startCollector } from "#testing/network/start-collector.ts";
import { openTestBilling, owner, subscribe, type TestBilling } from "#testing/payments/test-billing.ts";
import { waitFor } from "#testing/wait-for.ts";
import { startBillingLoop } from "./billing-loop.ts";
import type { Billing } from "../billing.ts";
import { createDealer, slotsAtOnce } from "./deal-accounts.ts";
import { handleEventsOf, sortEvents } from "./handle-events.ts";
import type { PaymentProvider, ProviderEvent } from "#payments/payment-provider.ts";
import { receiveEvent } from "./provider-event-store.ts";
import { startCheckout } from "../purchases/checkout/start-checkout.ts";
import { calledBy, withinTime } from "../ask-provider.ts";

/** The provider, with calls about these subscriptions and pages left unanswered until `letGo`. */
function hanging(world: TestBilling) {
  const names = new Set<string>();
  let letGo = (): void => undefined;
  const never = new Promise<void>((resolve) => (letGo = resolve));
  const provider: PaymentProvider = new Proxy(world.provider as PaymentProvider, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function" || name === "readWebhook") return member;
      return async (...asked: unknown[]) => {
        const about = typeof asked[0] === "string" ? asked[0] : (asked[0] as { accountId?: string }).accountId;
        if (about !== undefined && names.has(about)) await never;
        return Reflect.apply(member, target, asked) as unknown;
      };
    },
  });
  return { billing: { ...world.billing, provider } satisfies Billing, names, letGo };
}

const eventOf = (subscriptionId: string, accountId: string, at: Date): ProviderEvent => ({
  id: newId(),
  kind: "subscription",
  type: "subscription.updated",
  occurredAt: at,
  subscriptionId,
  customerId: null,
  accountId,
  payload: {},
});

const until = (isSo: () => Promise<boolean>) => waitFor(async () => expect(await isSo()).toBe(true), { timeout: minuteMs, interval: 20 });

/**
 * An idle machine takes half a second; a hanging call is cut off after 25 s. Waiting for one takes far longer than this limit, normal work
 * far less.
 */
const usualMs = 15 * secondMs;

test("with any number of accounts whose calls hang, at an event, a timer or a page, another account's event, timer, page and click work as usual", async () => {
  const kinds = ["event", "timer", "page"] as const;
  const arbitrary = fc.array(fc.constantFrom(...kinds), { minLength: 20, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(arbitrary, async (hung) => {
      const world = await openTestBilling();
      const { db } = world.database;
      const { billing, names, letGo } = hanging(world);
      const honest = await subscribe(world);
      const buyer = await world.addAccount();
      const { url } = await startCheckout(world.billing, buyer, { planId: "pro-1-monthly", quotas: null, currency: "USD" }, owner, newId());
      const begin = [];
      for (const kind of hung) begin.push(await hang(world, names, kind));
      for (const each of begin) await each();
      const late = await world.addAccount();
      world.clock.advance(minuteMs);
      const now = world.clock.now();
      const loop = await startBillingLoop(billing, createNotifications({ ...world.database, log: billing.log }));
      try {
        // All of them are under way before the other accounts' work begins.
        await until(async () => (await db.$count(billingLanes)) >= hung.filter((kind) => kind === "event").length);
        const began = performance.now();
        const { providerSubscriptionId } = await world.find(honest);
        await world.provider.cancelAtPeriodEnd(providerSubscriptionId!, newId());
        const event = eventOf(providerSubscriptionId!, honest, now);
        world.provider.pay(url.split("/").at(-1)!);
        await db.update(checkouts).set({ checkAt: now }).where(eq(checkouts.accountId, buyer));
        await db.update(subscriptions).set({ periodEndsAt: now }).where(eq(subscriptions.accountId, late));
        await db
          .update(timers)
          .set({ dueAt: now, runAt: now })
          .where(and(eq(timers.accountId, late), eq(timers.kind, "trial-end")));
        await receiveEvent(db, "sandbox", event, now);
        await startCheckout(
          billing,
          await world.addAccount(),
          { planId: "starter-monthly", quotas: null, currency: "USD" },
          owner,
          newId(),
        );
        await until(
          async () =>
            (await world.state(honest)) === "cancelling" &&
            (await world.state(buyer)) === "active" &&
            (await world.state(late)) === "ended",
        );
        expect(performance.now() - began).toBeLessThan(usualMs);
      } finally {
        letGo();
        await loop.stop();
      }
    }),
    { numRuns: 2, seed: 20261121, endOnFailure: true },
  );
});

/** Creates an account whose calls hang, and returns how to make something due for it. */
async function hang(world: TestBilling, names: Set<string>, kind: "event" | "timer" | "page"): Promise<() => Promise<unknown>> {
  const { db } = world.database;
  const now = world.clock.now();
  if (kind === "page") {
    const accountId = await world.addAccount();
    const { url } = await startCheckout(
      world.billing,
      accountId,
      { planId: "pro-1-monthly", quotas: null, currency: "USD" },
      owner,
      newId(),
    );
    names.add(url.split("/").at(-1)!);
    return () => db.update(checkouts).set({ checkAt: now }).where(eq(checkouts.accountId, accountId));
  }
  const accountId = await subscribe(world);
  const { providerSubscriptionId } = await world.find(accountId);
  names.add(providerSubscriptionId!);
  if (kind === "event") return () => receiveEvent(db, "sandbox", eventOf(providerSubscriptionId!, accountId, now), now);
  return () => db.update(timers).set({ dueAt: now, runAt: now }).where(eq(timers.accountId, accountId));
}

test("however many calls hang, at an event, a timer, a page or a document, and end at the same moment, billing keeps only a few database connections busy", async () => {
  const world = await openTestBilling();
  const { db } = world.database;
  const { billing, names, letGo } = hanging(world);
  const own = openDatabase(world.database.connection, createLog("silent"), { max: 20 });
  onTestFinished(() => own.close());
  // One for each account, and two for each with a document.
  let asked = 0;
  const provider = calledBy(billing.provider, (call) => ((asked += 1), call()));
  const settlePayments: Billing["settlePayments"] = async (accountId, _beside, calling = (call) => call()) => {
    // As the receipt of a payment does: first asks, then writes.
    await calling(() => provider.readSubscription(documents), "the invoice");
    await Promise.all([own.db.$count(timers), own.db.$count(timers, eq(timers.accountId, accountId))]);
  };
  const documents = "of a document";
  names.add(documents);
  const begin = [];
  const perKind = 8;
  for (const kind of ["event", "timer", "page"] as const)
    for (let index = 0; index < perKind; index += 1) begin.push(await hang(world, names, kind));
  for (let index = 0; index < perKind; index += 1) {
    const accountId = await subscribe(world);
    const { providerSubscriptionId } = await world.find(accountId);
    const event: ProviderEvent = { ...eventOf(providerSubscriptionId!, accountId, world.clock.now()), kind: "invoice" };
    begin.push(() => receiveEvent(db, "sandbox", event, world.clock.now()));
  }
  for (const each of begin) await each();
  world.clock.advance(minuteMs);
  const loop = await startBillingLoop(
    { ...billing, db: own.db, provider, settlePayments },
    createNotifications({ ...world.database, log: billing.log }),
  );
  let most = 0;
  try {
    await until(async () => asked >= 5 * perKind);
    own.pool.on("acquire", () => (most = Math.max(most, own.pool.totalCount - own.pool.idleCount)));
    letGo();
    await until(async () => (await db.$count(providerEvents, isNull(providerEvents.handledAt))) === 0);
  } finally {
    letGo();
    await loop.stop();
  }
  // One more for the loop's own look at due work. A document's two queries belong to one account.
  expect(most).toBeLessThanOrEqual(2 * slotsAtOnce + 1);
});

test("an account's events are handled in order and by one process at a time, however many there are", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  const { db } = world.database;
  let [under, most] = [0, 0];
  const order: string[] = [];
  const provider: PaymentProvider = new Proxy(world.provider as PaymentProvider, {
    get: (target, name) =>
      name !== "readSubscription"
        ? Reflect.get(target, name)
        : async (id: string) => {
            most = Math.max(most, (under += 1));
            if (id.startsWith("named")) order.push(id);
            await new Promise((resolve) => setTimeout(resolve, 5));
            under -= 1;
            return target.readSubscription(id);
          },
  });
  const billing = { ...world.billing, provider };
  const events = Array.from({ length: 12 }, (_each, index) =>
    eventOf(`named-${index}`, accountId, new Date(world.clock.now().getTime() + index)),
  );
  for (const [index, event] of events.entries()) await receiveEvent(db, "sandbox", event, new Date(world.clock.now().getTime() + index));
  world.clock.advance(secondMs);
  const processes = Array.from({ length: 5 }, () => createDealer(billing, () => undefined));
  await until(async () => {
    await Promise.all(processes.map((process) => process.deal()));
    await Promise.all(processes.map((process) => process.idle()));
    return (await db.$count(providerEvents, isNull(providerEvents.handledAt))) === 0;
  });
  expect(most).toBe(1);
  expect(order).toEqual(events.map(({ subscriptionId }) => subscriptionId));
  expect(await handleEventsOf(billing, accountId)).toBe(0);
  expect(await db.$count(billingLanes)).toBe(0);
});

test("a killed process's lane becomes free after a while, and a clock that was set back does not block it", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  const { db } = world.database;
  const { providerSubscriptionId } = await world.find(accountId);
  const event = async () => {
    await receiveEvent(db, "sandbox", eventOf(providerSubscriptionId!, accountId, world.clock.now()), world.clock.now());
    await sortEvents(world.billing);
  };
  await event();
  await db.insert(billingLanes).values({ accountId, takenUntil: sql`clock_timestamp() + interval '2 minutes'` });
  expect(await handleEventsOf(world.billing, accountId)).toBe(0);
  await db.update(billingLanes).set({ takenUntil: sql`clock_timestamp() - interval '1 second'` });
  expect(await handleEventsOf(world.billing, accountId)).toBe(1);
  await event();
  // By a clock that was a day ahead.
  await db.insert(billingLanes).values({ accountId, takenUntil: sql`clock_timestamp() + interval '1 day'` });
  expect(await handleEventsOf(world.billing, accountId)).toBe(1);
});

test("each attempt to handle an event is counted with its outcome; one that never succeeds is given up", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  const { db } = world.database;
  const { providerSubscriptionId } = await world.find(accountId);
  const outcomes: string[] = [];
  let fails = true;
  const provider: PaymentProvider = new Proxy(world.provider as PaymentProvider, {
    get: (target, name) =>
      name === "readSubscription" && fails ? () => Promise.reject(new Error("no answer")) : (Reflect.get(target, name) as unknown),
  });
  const billing = { ...world.billing, provider, onEvent: (outcome: string) => void outcomes.push(outcome) };
  const event = async () => {
    await receiveEvent(db, "sandbox", eventOf(providerSubscriptionId!, accountId, world.clock.now()), world.clock.now());
    await sortEvents(billing);
    await handleEventsOf(billing, accountId);
  };
  await event();
  expect(outcomes).toEqual(["failed"]);
  await db.update(providerEvents).set({ attempts: 29, runAt: world.clock.now() }).where(isNull(providerEvents.handledAt));
  await handleEventsOf(billing, accountId);
  expect(outcomes).toEqual(["failed", "given-up"]);
  fails = false;
  await event();
  expect(outcomes).toEqual(["failed", "given-up", "handled"]);
});

test("handling an event is part of the trace of the webhook that brought it, and so is the work it causes", async () => {
  await using collector = await startCollector();
  const world = await openTestBilling();
  const tracer = createOtlpTracer({ endpoint: collector.url, headers: {} }, {}, world.billing.log);
  const accountId = await subscribe(world);
  const { db } = world.database;
  const { providerSubscriptionId } = await world.find(accountId);
  await world.provider.cancelNow(providerSubscriptionId!, "a key");
  await asSpan({}, tracer.begin("POST /webhook"), () =>
    receiveEvent(db, "sandbox", eventOf(providerSubscriptionId!, accountId, world.clock.now()), world.clock.now()),
  );
  const billing = { ...world.billing, tracer };
  await sortEvents(billing);
  expect(await handleEventsOf(billing, accountId)).toBe(1);
  await expect.poll(() => collector.spans().some(({ name }) => name === "billing event")).toBe(true);
  await tracer.close();
  const [handled, webhook] = collector.traceOf("POST /webhook").toSorted((one, other) => one.name.localeCompare(other.name));
  expect(handled).toMatchObject({
    name: "billing event",
    parentSpanId: webhook!.spanId,
    attributes: { "slipway.event.kind": "subscription" },
  });
  const [workspace] = await db.select().from(workspaces).where(eq(workspaces.accountId, accountId));
  expect(workspace).toMatchObject({ desiredState: "stopped", traceparent: `00-${webhook!.traceId}-${handled!.spanId}-01` });
});

test("a provider's call ends within its time limit", async () => {
  const world = await openTestBilling();
  const { billing, names, letGo } = hanging(world);
  names.add("sub-hung");
  await expect(withinTime(billing.provider, 50).readSubscription("sub-hung")).rejects.toThrow(
    "readSubscription was not answered within 50 ms",
  );
  expect(await withinTime(billing.provider, 1000).readSubscription("sub-nobodys")).toBeNull();
  letGo();
});
