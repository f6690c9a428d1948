import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accounts, gatewayCounts, usageChecks, usageDays, usagePeriods, users, workspaceJournal, workspaces } from "#database/tables.ts";
import { requestWorkspace } from "#domain/workspaces/desired/request-workspace.ts";
import { after, dayMs, minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { listDifferences, readGatewayCounts, saveGatewayCounts } from "./check-store.ts";
import type { SeenElsewhere, TellOperators } from "./check-usage.ts";
import type { UsedWorkspace } from "./newly-counted.ts";
import { recordUsage, type SaidCounter } from "./record-usage.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const noon = new Date("2026-11-21T12:00:00Z");
const periodStart = new Date("2026-11-10T09:00:00Z");
const nextPeriod = new Date("2026-12-10T09:00:00Z");
const [dayOne, dayTwo] = ["2026-11-21", "2026-11-22"] as const;

async function makeWorkspace(name: string): Promise<UsedWorkspace> {
  const { db } = database;
  const accountId = newId();
  await db.insert(accounts).values({ id: accountId, name, setUpAt: noon, createdAt: noon });
  await db
    .insert(users)
    .values({ id: newId(), accountId, email: `${name}@example.com`, fullName: "Ada", passwordHash: "-", createdAt: noon });
  await requestWorkspace(db, name, { accountId, engine: "n8n", version: "2.0.0", timezone: "Etc/UTC", memoryMb: 512, secrets: "-" }, noon);
  const [row] = await db.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.accountId, accountId));
  return { id: row!.id, accountId };
}

const gatewayRun = newId();
const see = ({ id }: UsedWorkspace, executions: number, date: string = dayOne, run = gatewayRun) =>
  saveGatewayCounts(database.db, run, [{ workspaceId: id, date, executions }]);

interface Look {
  /** The period that its counters claim. */
  named?: Date;
  /** Executions that it reports, by day; null: it does not answer. */
  reports?: Record<string, number> | null;
  limit?: number;
  now?: Date;
  statistics?: SeenElsewhere["statistics"];
}

/** A check as in pass-plan.ts; returns what operators were told. */
async function look(
  workspace: UsedWorkspace,
  { reports = {}, named = periodStart, limit = 1000, now = noon, statistics = null }: Look = {},
) {
  const told: Parameters<TellOperators>[0][] = [];
  const gateway = await readGatewayCounts(database.db, workspace.id);
  const counters = Object.entries(reports ?? {}).map(([date, executions]): SaidCounter => ({
    epoch: "one",
    periodStart: named,
    date,
    executions,
    failed: 0,
  }));
  const seen = { answered: reports !== null, gateway, statistics };
  await recordUsage(database.db, workspace, reports && { activeWorkflows: 1, counters }, {
    periodStarts: [periodStart, nextPeriod],
    limit,
    seen,
    tell: (difference) => told.push(difference),
    now,
  });
  return told;
}

const executionsIn = (periods: { startsAt: Date; executions: number }[], start: Date): number =>
  periods.find(({ startsAt }) => startsAt.getTime() === start.getTime())?.executions ?? 0;

async function onRecord({ id, accountId }: UsedWorkspace) {
  const { db } = database;
  const periods = await db.select().from(usagePeriods).where(eq(usagePeriods.accountId, accountId));
  const days = await db.select().from(usageDays).where(eq(usageDays.accountId, accountId)).orderBy(asc(usageDays.date));
  const journal = await db.select({ event: workspaceJournal.event }).from(workspaceJournal).where(eq(workspaceJournal.workspaceId, id));
  return {
    executions: executionsIn(periods, periodStart),
    /** Nothing belongs to another period unless a test says so. */
    otherPeriods: periods.reduce((sum, period) => sum + period.executions, 0) - executionsIn(periods, periodStart),
    days: Object.fromEntries(days.map(({ date, executions }) => [date, executions])),
    differs: journal.filter(({ event }) => event === "usage-differs").length,
  };
}

test("a workspace that reports nothing counts with what the gateways saw, once, however often it is checked or written", async () => {
  const workspace = await makeWorkspace("liar");
  const other = newId();
  for (let times = 0; times < 2; times++) {
    await see(workspace, 20);
    await see(workspace, 7, dayOne, other);
    // Late, from before the check.
    await see(workspace, 3);
    await look(workspace);
  }
  expect(await onRecord(workspace)).toEqual({ executions: 27, otherPeriods: 0, days: { [dayOne]: 27 }, differs: 0 });
});

test("a workspace that claims a past period counts in the current one, whatever it reports and the gateways saw", async () => {
  const workspace = await makeWorkspace("yesteryear");
  const lastPeriod = new Date("2026-10-10T09:00:00Z");
  await database.db.insert(usagePeriods).values({ accountId: workspace.accountId, startsAt: lastPeriod, executions: 0 });
  await see(workspace, 900_000);
  await look(workspace, { named: lastPeriod, limit: 2500, reports: { [dayOne]: 900_003 } });
  expect(await onRecord(workspace)).toEqual({ executions: 900_003, otherPeriods: 0, days: { [dayOne]: 900_003 }, differs: 0 });
  const silent = await makeWorkspace("nearly-silent");
  await database.db.insert(usagePeriods).values({ accountId: silent.accountId, startsAt: lastPeriod, executions: 0 });
  await see(silent, 900_000);
  await look(silent, {
    named: lastPeriod,
    limit: 2500,
    reports: { [dayOne]: 3 },
    statistics: { date: dayOne, life: "a", succeeded: 7, unfinished: 0 },
  });
  expect(await onRecord(silent)).toMatchObject({ executions: 900_000, otherPeriods: 0 });
});

test("late reports were counted already; only executions beyond that are added", async () => {
  const workspace = await makeWorkspace("late");
  await see(workspace, 20);
  await look(workspace, { reports: null });
  expect(await onRecord(workspace)).toMatchObject({ executions: 20 });
  await look(workspace, { reports: { [dayOne]: 12 } });
  expect(await onRecord(workspace)).toMatchObject({ executions: 20 });
  await look(workspace, { reports: { [dayOne]: 25 } });
  expect(await onRecord(workspace)).toEqual({ executions: 25, otherPeriods: 0, days: { [dayOne]: 25 }, differs: 0 });
});

test("an honest workspace has no difference: schedules beside webhooks, counts that are written late, and a day that turns", async () => {
  const workspace = await makeWorkspace("honest");
  await see(workspace, 4);
  await look(workspace, { reports: { [dayOne]: 10 } });
  await see(workspace, 9);
  await see(workspace, 2, dayTwo);
  await look(workspace, { reports: { [dayOne]: 10, [dayTwo]: 2 }, now: after(noon, dayMs) });
  expect(await onRecord(workspace)).toEqual({ executions: 12, otherPeriods: 0, days: { [dayOne]: 10, [dayTwo]: 2 }, differs: 0 });
  expect(await database.db.select().from(usageChecks).where(eq(usageChecks.workspaceId, workspace.id))).not.toContainEqual(
    expect.objectContaining({ added: expect.toSatisfy((added: number) => added > 0) as unknown }),
  );
});

test("calls that were refused because the plan is used up are not counted, neither then nor under a larger plan", async () => {
  const workspace = await makeWorkspace("used-up");
  await see(workspace, 10);
  await look(workspace, { reports: { [dayOne]: 10 }, limit: 10 });
  await see(workspace, 60);
  await look(workspace, { reports: { [dayOne]: 10 }, limit: 10, now: after(noon, minuteMs) });
  // The last of them are written after the larger plan is known.
  await see(workspace, 65);
  await look(workspace, { reports: { [dayOne]: 10 }, limit: 100, now: after(noon, 2 * minuteMs) });
  await see(workspace, 70);
  await look(workspace, { reports: { [dayOne]: 15 }, limit: 100, now: after(noon, 60 * minuteMs) });
  expect(await onRecord(workspace)).toEqual({ executions: 15, otherPeriods: 0, days: { [dayOne]: 15 }, differs: 0 });
  await see(workspace, 80);
  await look(workspace, { reports: { [dayOne]: 15 }, limit: 100, now: after(noon, 61 * minuteMs) });
  expect((await onRecord(workspace)).executions).toBeGreaterThan(15);
});

test("a workspace that keeps running with its plan used up counts with what its statistics say succeeded", async () => {
  const workspace = await makeWorkspace("unrefused");
  const statistics = (succeeded: number) => ({ date: dayOne, life: "a", succeeded, unfinished: 0 });
  await look(workspace, { reports: { [dayOne]: 10 }, limit: 10, statistics: statistics(500) });
  await look(workspace, { reports: { [dayOne]: 10 }, limit: 10, statistics: statistics(530) });
  expect(await onRecord(workspace)).toMatchObject({ executions: 30 });
});

test("a lasting difference is in the journal once, and operators are told each day", async () => {
  const workspace = await makeWorkspace("lasting");
  await see(workspace, 20);
  expect(await look(workspace)).toEqual([]);
  expect(await look(workspace, { now: after(noon, 5 * minuteMs) })).toMatchObject([
    { accountName: "lasting", date: dayOne, reported: 0, gateway: 20, added: 20, isFirst: true },
  ]);
  expect(await look(workspace, { now: after(noon, 6 * minuteMs) })).toEqual([]);
  await see(workspace, 30, dayTwo);
  await look(workspace, { now: after(noon, dayMs) });
  expect(await look(workspace, { now: after(noon, dayMs + 5 * minuteMs) })).toMatchObject([{ date: dayTwo, added: 30, isFirst: false }]);
  expect(await onRecord(workspace)).toEqual({ executions: 50, otherPeriods: 0, days: { [dayOne]: 20, [dayTwo]: 30 }, differs: 1 });
  expect((await listDifferences(database.db, 10)).filter(({ workspaceId }) => workspaceId === workspace.id)).toMatchObject([
    { date: dayTwo, added: 30 },
    { date: dayOne, added: 20 },
  ]);
  // After a day without a difference, the next one is new.
  await see(workspace, 30, "2026-11-24");
  await look(workspace, { now: after(noon, 3 * dayMs) });
  expect(await look(workspace, { now: after(noon, 3 * dayMs + 5 * minuteMs) })).toMatchObject([{ date: "2026-11-24", isFirst: true }]);
  expect(await onRecord(workspace)).toMatchObject({ differs: 2 });
});

test("executions found after the end of a period count for the period in which their day ended", async () => {
  const workspace = await makeWorkspace("rollover");
  await see(workspace, 20, "2026-12-09");
  await look(workspace, { now: new Date("2026-12-10T09:00:30Z") });
  const periods = await database.db.select().from(usagePeriods).where(eq(usagePeriods.accountId, workspace.accountId));
  expect(periods.find(({ startsAt }) => startsAt.getTime() === periodStart.getTime())).toMatchObject({ executions: 20 });
});

test("two simultaneous checks count once", async () => {
  const workspace = await makeWorkspace("racing");
  await see(workspace, 20);
  await Promise.all([look(workspace), look(workspace, { reports: { [dayOne]: 5 } }), look(workspace, { reports: null })]);
  expect(await onRecord(workspace)).toMatchObject({ executions: 20 });
});

test("impossible days change nothing", async () => {
  const workspace = await makeWorkspace("elsewhen");
  await see(workspace, 20, "2026-10-01");
  await see(workspace, 20, "2027-01-01");
  await look(workspace, { statistics: { date: "2027-01-01", life: "a", succeeded: 5, unfinished: 0 } });
  expect(await onRecord(workspace)).toEqual({ executions: 0, otherPeriods: 0, days: {}, differs: 0 });
  expect(await database.db.select().from(gatewayCounts).where(eq(gatewayCounts.workspaceId, workspace.id))).toMatchObject([
    { date: "2027-01-01" },
  ]);
});

test("absurd figures break neither the reading nor the column", async () => {
  const workspace = await makeWorkspace("huge");
  for (const succeeded of [0, Number.MAX_SAFE_INTEGER, 0])
    await look(workspace, { statistics: { date: dayOne, life: "a", succeeded, unfinished: 0 } });
  await see(workspace, 2_000_000_000);
  await see(workspace, 2_000_000_000, dayOne, newId());
  await look(workspace, { now: after(noon, minuteMs) });
  expect((await onRecord(workspace)).executions).toBeGreaterThanOrEqual(10_000_000);
});

test("a gateway's figures for removed workspaces do not affect the others", async () => {
  const workspace = await makeWorkspace("left");
  await saveGatewayCounts(database.db, gatewayRun, [
    { workspaceId: newId(), date: dayOne, executions: 3 },
    { workspaceId: workspace.id, date: dayOne, executions: 4 },
  ]);
  await saveGatewayCounts(database.db, gatewayRun, []);
  expect([...(await readGatewayCounts(database.db, workspace.id))]).toEqual([[dayOne, 4]]);
});
