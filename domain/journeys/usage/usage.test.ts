import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { User } from "#contract/accounts/account.ts";
import type { UsedLimits } from "#contract/workspaces/monitoring/usage.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { accounts, mails, subscriptions, usagePeriods, workspaceJournal, workspaces } from "#database/tables.ts";
import { planForWorkspace } from "#domain/plans/plan-for-workspace.ts";
import { recordUsage } from "#domain/usage/record-usage.ts";
import { alertFor, tellOfUsage } from "#domain/usage/tell-of-usage.ts";
import { dayMs, hourMs } from "#platform/clock.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
  // What is counted belongs to a day, which must not end in between.
  const leftMs = dayMs - (api.clock.now().getTime() % dayMs);
  if (leftMs < hourMs) api.clock.advance(leftMs);
});
afterAll(() => api[Symbol.asyncDispose]());

/** An account whose trial has begun, and how a worker records the figures of its workspace. */
async function somebodyLaunched() {
  const { token, form } = await registerConfirmed(api);
  await api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } });
  const { db } = api.database;
  const [row] = await db
    .select({ id: workspaces.id, accountId: accounts.id })
    .from(workspaces)
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .where(eq(accounts.name, String(form["accountName"])));
  const owner = {
    ...row!,
    accountName: String(form["accountName"]),
    ownerEmail: String(form["email"]),
    ownerFullName: String(form["fullName"]),
    ownerLanguage: null,
    ownerTimezone: "Etc/UTC",
  };
  const say = async (executions: number, failed = 0) => {
    api.clock.advance(1000);
    const now = api.clock.now();
    const plan = (await planForWorkspace(db, owner.accountId, now))!;
    const counters = [
      {
        epoch: plan.periodStarts[0]!.toISOString(),
        periodStart: plan.periodStarts[0]!,
        date: now.toISOString().slice(0, 10),
        executions,
        failed,
      },
    ];
    await recordUsage(
      db,
      owner,
      { activeWorkflows: 3, counters },
      { periodStarts: plan.periodStarts, limit: plan.limits.executions, seen: null, tell: () => undefined, now },
    );
    const told = await Promise.all(
      [1, 2].map(() => tellOfUsage({ db, clock: api.clock, log: api.services.log, panelUrl: "http://localhost:3000" }, owner, plan)),
    );
    return told.filter((kind) => kind !== null);
  };
  const ask = () => api.call("GET", "/api/instance/used-limits", { token });
  const mailsSent = async () =>
    (await db.select({ subject: mails.subject }).from(mails).where(eq(mails.recipient, owner.ownerEmail)).orderBy(mails.createdAt))
      .map(({ subject }) => subject)
      .filter((subject) => subject.includes("executions"));
  return { token, owner, say, ask, mailsSent };
}

test("without any figures yet: 404", async () => {
  const { token } = await registerConfirmed(api);
  expect((await api.call("GET", "/api/instance/used-limits", { token })).json()).toMatchObject({ status: 404, code: "usage_unknown" });
  const { ask } = await somebodyLaunched();
  expect((await ask()).statusCode).toBe(404);
  expect((await api.call("GET", "/api/instance/used-limits")).statusCode).toBe(401);
});

test("usage, limit, end of the period, and each of the last 30 days", async () => {
  const { say, ask } = await somebodyLaunched();
  await say(12, 2);
  const answer = (await ask()).json<UsedLimits>();
  expect(answer).toMatchObject({ executions: 12, activeWorkflows: 3, limits: { executions: 1000, activeWorkflows: 5 } });
  expect(Date.parse(answer.timeframe.endsAt!) - Date.parse(answer.timeframe.startsAt)).toBe(14 * dayMs);
  expect(answer.history).toHaveLength(30);
  expect(answer.history.at(-1)).toEqual({ date: api.clock.now().toISOString().slice(0, 10), executions: 12, failed: 2 });
  expect(answer.history[0]).toMatchObject({ executions: 0, failed: 0 });
});

test("the workspace carries what is used of its plan, once something was counted, and nothing of an earlier period", async () => {
  const { token, owner, say } = await somebodyLaunched();
  const carried = async () => (await api.call("GET", "/api/instance", { token })).json<Instance>().usedLimits;
  expect(await carried()).toBeNull();
  await say(12);
  expect(await carried()).toEqual({ executions: 12, activeWorkflows: 3 });
  const { user } = (await api.call("GET", "/api/auth/me", { token })).json<{ user: User }>();
  expect(user.account.instance?.usedLimits).toEqual({ executions: 12, activeWorkflows: 3 });
  // Its usage restarts today, as at a first payment.
  const { db } = api.database;
  await db.update(subscriptions).set({ startedAt: api.clock.now() }).where(eq(subscriptions.accountId, owner.accountId));
  expect(await carried()).toEqual({ executions: 0, activeWorkflows: 3 });
});

test.each([
  [799, 1000, null],
  [800, 1000, "nearly"],
  [999, 1000, "nearly"],
  [1000, 1000, "reached"],
  [1, -1, null],
  [0, 0, "reached"],
  [4, 5, "nearly"],
] as const)("%i of %i executions is told as %s", (used, limit, kind) => expect(alertFor(used, limit)).toBe(kind));

test("the owner is told at 80 % and at 100 %, once each, however often usage is checked", async () => {
  const { owner, say, mailsSent } = await somebodyLaunched();
  await say(799);
  expect(await mailsSent()).toEqual([]);
  const told = [];
  for (const executions of [800, 900, 1000, 1100]) told.push(await say(executions));
  expect(told).toEqual([["nearly"], [], ["reached"], []]);
  expect(await mailsSent()).toEqual(["80% of your executions are used", "All your executions are used, so workflows have stopped"]);
  const journal = await api.database.db
    .select({ event: workspaceJournal.event })
    .from(workspaceJournal)
    .where(eq(workspaceJournal.workspaceId, owner.id));
  expect(journal.map(({ event }) => event)).toEqual(["requested", "quota-nearly-reached", "quota-reached"]);
});

test("usage that passes both marks together is reported only for the second; a larger plan warns at its own marks", async () => {
  const { owner, say, mailsSent } = await somebodyLaunched();
  await say(1000);
  expect(await mailsSent()).toHaveLength(1);
  await api.database.db.update(subscriptions).set({ customExecutions: 2000 }).where(eq(subscriptions.accountId, owner.accountId));
  await say(1500);
  expect(await mailsSent()).toHaveLength(1);
  await say(1600);
  expect(await mailsSent()).toEqual(["All your executions are used, so workflows have stopped", "80% of your executions are used"]);
});

test("a paid plan starts counting on its own day, and again each month", async () => {
  const { owner, say, ask } = await somebodyLaunched();
  await say(900);
  api.clock.advance(dayMs);
  const startedAt = api.clock.now();
  await api.database.db
    .update(subscriptions)
    .set({ planId: "starter-monthly", specId: "starter", status: "active", startedAt, periodStartsAt: startedAt, periodEndsAt: null })
    .where(eq(subscriptions.accountId, owner.accountId));
  expect((await ask()).json()).toMatchObject({ executions: 0, limits: { executions: 2500 } });
  await say(70);
  expect((await ask()).json()).toMatchObject({ executions: 70 });
  api.clock.advance(32 * dayMs);
  await say(5);
  const periods = await api.database.db
    .select({ executions: usagePeriods.executions })
    .from(usagePeriods)
    .where(eq(usagePeriods.accountId, owner.accountId))
    .orderBy(usagePeriods.startsAt);
  expect(periods.map(({ executions }) => executions)).toEqual([900, 70, 5]);
});

test("the busiest workflows of this period are those that the workspace last reported; those of an earlier period are not shown", async () => {
  const { owner, say, ask } = await somebodyLaunched();
  const { db } = api.database;
  await say(1);
  expect((await ask()).json<UsedLimits>().workflows).toBeNull();
  const plan = (await planForWorkspace(db, owner.accountId, api.clock.now()))!;
  const now = api.clock.now();
  const report = (periodStart: Date, workflows: { id: string; name: string; executions: number; failed: number }[]) =>
    recordUsage(
      db,
      owner,
      { activeWorkflows: 1, counters: [], busiest: { periodStart, workflows } },
      { periodStarts: plan.periodStarts, limit: -1, seen: null, tell: () => undefined, now },
    );
  const orders = { id: "a", name: "<b>Orders</b>", executions: 9, failed: 2 };
  await report(plan.periodStarts[0]!, [orders]);
  const version = async () =>
    (await api.database.pool.query("select xmin::text from workspace_looks where workspace_id = $1", [owner.id])).rows;
  const written = await version();
  await report(plan.periodStarts[0]!, [orders]);
  expect(await version()).toEqual(written);
  const answer = (await ask()).json<UsedLimits>();
  expect(answer.workflows).toEqual([orders]);
  // It bills nothing.
  expect(answer.executions).toBe(1);
  expect((await (await somebodyLaunched()).ask()).statusCode).toBe(404);
  await report(new Date(plan.periodStarts[0]!.getTime() - dayMs), [orders]);
  expect((await ask()).json<UsedLimits>().workflows).toBeNull();
});
