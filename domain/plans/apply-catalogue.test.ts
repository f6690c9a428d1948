import { trialDays } from "#contract/billing/plans/plan-days.ts";
import { eq } from "drizzle-orm";
import type { Pool } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { plans, subscriptions, workspaces } from "#database/tables.ts";
import { createTestBilling } from "#testing/payments/test-billing.ts";
import { applyCatalogue, compareCatalogue } from "./apply-catalogue.ts";
import { catalogue, readCatalogue, trialPlanId } from "./catalogue.ts";
import { waitForLocks } from "#testing/database/held-lock.ts";

async function open() {
  const world = await createTestBilling();
  onTestFinished(() => world[Symbol.asyncDispose]());
  return world;
}

test("an applied catalogue does not differ from itself", async () => {
  const { database } = await open();
  expect(await compareCatalogue(database.db, readCatalogue())).toEqual({ lines: [], changedSpecs: [] });
});

test("the trial that is sold is as long as the one that is granted", () => {
  const trial = readCatalogue().plans.find(({ id }) => id === trialPlanId)!;
  expect(trial.billingPeriod).toEqual({ unit: "day", count: trialDays });
});

test("a plan removed from the file is withdrawn and kept by existing customers; price and limit changes are shown first", async () => {
  const world = await open();
  const { db } = world.database;
  const accountId = await world.addAccount();
  await world.buy(accountId, "starter-monthly");
  await world.settle();
  await db.update(workspaces).set({ reconcileAt: null });
  const next = readCatalogue();
  next.plans = next.plans.filter(({ id }) => id !== "starter-monthly");
  next.plans.find(({ id }) => id === "pro-1-monthly")!.recurringPrice["USD"] = 6500;
  next.specs.find(({ id }) => id === "starter")!.activeWorkflowsLimit = 7;
  const difference = await compareCatalogue(db, next);
  expect(difference.lines).toEqual([
    "~ spec starter: activeWorkflowsLimit 5 → 7",
    '~ plan pro-1-monthly: recurringPrice {"EUR":5500,"USD":6000} → {"EUR":5500,"USD":6500}',
    "- plan starter-monthly (withdrawn; existing customers keep it)",
  ]);
  expect(await applyCatalogue(db, next, difference, { operator: "ada", now: world.clock.now() })).toEqual([]);
  expect((await compareCatalogue(db, next)).lines).toEqual([]);
  expect((await db.select().from(plans).where(eq(plans.id, "starter-monthly")))[0]!.withdrawnAt).not.toBeNull();
  expect((await db.select().from(subscriptions))[0]).toMatchObject({ planId: "starter-monthly", specId: "starter" });
  // Workspaces whose limits changed are told now.
  expect((await db.select().from(workspaces))[0]!.reconcileAt).toEqual(world.clock.now());
});

test("plans of before the number of kept executions was sold get it; a smaller one is refused for customers who have it", async () => {
  const world = await open();
  const { db } = world.database;
  const accountId = await world.addAccount();
  await world.buy(accountId, "pro-2-monthly");
  await world.settle();
  await world.database.pool.query("update plan_specs set spec = spec - 'executionsKept' where id = 'pro-2'");
  const apply = async (next = readCatalogue()) => {
    const difference = await compareCatalogue(db, next);
    return [difference.lines, await applyCatalogue(db, next, difference, { operator: "ada", now: world.clock.now() })];
  };
  expect(await apply()).toEqual([["~ spec pro-2: executionsKept nothing → 50000"], []]);
  const less = readCatalogue();
  less.specs.find(({ id }) => id === "pro-2")!.executionsKept = 20_000;
  expect((await apply(less))[1]).toEqual(["spec pro-2, which 1 account has: executionsKept 50000 → 20000"]);
});

test("plans are applied while gateways save visits of many workspaces, without a deadlock", async () => {
  const world = await open();
  const { db, pool } = world.database;
  await world.addAccount();
  await world.addAccount();
  const [low, high] = (await db.select({ id: workspaces.id }).from(workspaces)).map(({ id }) => id).toSorted();
  // Last on disk, so that an update in no particular order reaches it last.
  await db.update(workspaces).set({ reconcileAt: null }).where(eq(workspaces.id, low!));
  await using gateway = await holdConnection(pool);
  const hold = (id: string) => gateway.query("select from workspaces where id = $1 for update", [id]);
  await gateway.query("begin");
  await hold(low!);
  const next = readCatalogue();
  next.specs.find(({ id }) => id === "trial-1")!.activeWorkflowsLimit = 7;
  const applying = applyCatalogue(db, next, await compareCatalogue(db, next), { operator: "ada", now: world.clock.now() });
  await waitForLocks(pool, 1);
  await hold(high!);
  await gateway.query("commit");
  expect(await applying).toEqual([]);
  expect((await db.select().from(workspaces)).map(({ reconcileAt }) => reconcileAt)).toEqual([world.clock.now(), world.clock.now()]);
});

async function holdConnection(pool: Pool) {
  const client = await pool.connect();
  return {
    query: (text: string, values: unknown[] = []) => client.query(text, values),
    // Ends what a failed test left open.
    [Symbol.asyncDispose]: () => Promise.resolve(client.release(true)),
  };
}

test("a file with mistakes is refused with all of them", () => {
  const broken = {
    ...readCatalogue(),
    plans: [...readCatalogue().plans, { ...readCatalogue().plans[1]!, spec: "none", recurringPrice: { EUR: 1 } }],
  };
  expect(catalogue.safeParse(broken).error?.issues.map(({ message }) => message)).toEqual([
    "plan starter-monthly sells none, which is not a spec",
    "plan starter-monthly has no price in USD, which plans are sorted by",
    "starter-monthly is listed twice",
  ]);
});
