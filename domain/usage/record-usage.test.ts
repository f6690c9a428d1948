import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accounts, usageCounters, usageDays, usagePeriods, users, workspaces } from "#database/tables.ts";
import { requestWorkspace } from "#domain/workspaces/desired/request-workspace.ts";
import { newId } from "#platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import type { UsedWorkspace } from "./newly-counted.ts";
import { recordUsage, type SaidCounter } from "./record-usage.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const now = new Date("2026-11-21T12:00:00Z");
const periodStart = new Date("2026-11-10T09:00:00Z");
const nextPeriod = new Date("2026-12-10T09:00:00Z");
const starts = [periodStart, nextPeriod];

async function makeWorkspace(name: string): Promise<UsedWorkspace> {
  const { db } = database;
  const accountId = newId();
  await db.insert(accounts).values({ id: accountId, name, setUpAt: now, createdAt: now });
  await db
    .insert(users)
    .values({ id: newId(), accountId, email: `${name}@example.com`, fullName: "Ada", passwordHash: "-", createdAt: now });
  await requestWorkspace(db, name, { accountId, engine: "n8n", version: "2.0.0", timezone: "Etc/UTC", memoryMb: 512, secrets: "-" }, now);
  const [row] = await db.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.accountId, accountId));
  return { id: row!.id, accountId };
}

const counter = (changes: Partial<SaidCounter> = {}): SaidCounter => ({
  epoch: "one",
  periodStart,
  date: "2026-11-21",
  executions: 5,
  failed: 1,
  ...changes,
});
const onItsOwn = (periodStarts: Date[]) => ({ periodStarts, limit: 1000, seen: null, tell: () => undefined, now });
const record = (workspace: UsedWorkspace, counters: SaidCounter[], activeWorkflows = 2) =>
  recordUsage(database.db, workspace, { activeWorkflows, counters }, onItsOwn(starts));

async function onRecord({ accountId }: UsedWorkspace) {
  const { db } = database;
  const periods = await db.select().from(usagePeriods).where(eq(usagePeriods.accountId, accountId));
  const days = await db.select().from(usageDays).where(eq(usageDays.accountId, accountId));
  return {
    periods: Object.fromEntries(periods.map(({ startsAt, executions }) => [startsAt.toISOString().slice(0, 10), executions])),
    days: Object.fromEntries(days.map(({ date, executions, failed }) => [date, [executions, failed]])),
  };
}

test("reports that come twice, late, or through two readers are counted once", async () => {
  const workspace = await makeWorkspace("twice");
  await Promise.all([1, 2, 3, 4].map(() => record(workspace, [counter()])));
  await record(workspace, [counter({ executions: 8, failed: 2 })]);
  await record(workspace, [counter()]);
  expect(await onRecord(workspace)).toEqual({ periods: { "2026-11-10": 8 }, days: { "2026-11-21": [8, 2] } });
  const [row] = await database.db.select().from(workspaces).where(eq(workspaces.id, workspace.id));
  expect(row).toMatchObject({ usageReadAt: now, activeWorkflows: 2 });
});

test("another epoch counts from zero, beside the one before it", async () => {
  const workspace = await makeWorkspace("epochs");
  await record(workspace, [counter({ executions: 8 })]);
  await record(workspace, [counter({ executions: 3 }), counter({ epoch: "two", executions: 4, failed: 0 })]);
  expect(await onRecord(workspace)).toEqual({ periods: { "2026-11-10": 12 }, days: { "2026-11-21": [12, 1] } });
});

test("an idle workspace has a period as well", async () => {
  const workspace = await makeWorkspace("quiet");
  await record(workspace, []);
  expect(await onRecord(workspace)).toEqual({ periods: { "2026-11-10": 0 }, days: {} });
});

test("a period that is not the account's is replaced by the one that the day belongs to", async () => {
  const workspace = await makeWorkspace("periods");
  await record(workspace, [
    counter({ periodStart: null }),
    counter({ periodStart: new Date("2020-01-01T00:00:00Z") }),
    counter({ periodStart: nextPeriod, date: "2026-11-20" }),
  ]);
  expect(await onRecord(workspace)).toEqual({ periods: { "2026-11-10": 15 }, days: { "2026-11-20": [5, 1], "2026-11-21": [10, 2] } });
});

test("executions from before an upgrade count for the trial, even if reported later", async () => {
  const workspace = await makeWorkspace("upgrade");
  const trial = new Date("2026-11-14T09:00:00Z");
  const bought = new Date("2026-11-21T10:00:00Z");
  const before = new Date("2026-11-21T09:59:00Z");
  await recordUsage(
    database.db,
    workspace,
    { activeWorkflows: 0, counters: [counter({ periodStart: trial })] },
    { ...onItsOwn([trial]), now: before },
  );
  const counters = [counter({ periodStart: trial, executions: 6 }), counter({ periodStart: bought, executions: 2, failed: 0 })];
  await recordUsage(database.db, workspace, { activeWorkflows: 0, counters }, onItsOwn([bought]));
  expect((await onRecord(workspace)).periods).toEqual({ "2026-11-14": 6, "2026-11-21": 2 });
});

describe("a workspace that claims a past period", () => {
  const lastPeriod = new Date("2026-10-10T09:00:00Z");
  const at = (time: string) => new Date(`2026-11-10T${time}Z`);
  const boundaryDay = "2026-11-10";
  const hear = (workspace: UsedWorkspace, time: Date, periodStarts: Date[], counters: SaidCounter[]) =>
    recordUsage(database.db, workspace, { activeWorkflows: 0, counters }, { ...onItsOwn(periodStarts), now: time });

  test("is accepted only if that period overlaps the day", async () => {
    const workspace = await makeWorkspace("forged");
    await hear(
      workspace,
      new Date("2026-10-12T00:00:00Z"),
      [lastPeriod, periodStart],
      [counter({ periodStart: lastPeriod, date: "2026-10-11" })],
    );
    await record(workspace, [counter({ periodStart: lastPeriod, executions: 900_000 })]);
    await record(workspace, [counter({ epoch: "two", periodStart: lastPeriod, date: "2026-11-11", executions: 7 })]);
    expect((await onRecord(workspace)).periods).toEqual({ "2026-10-10": 5, "2026-11-10": 900_007 });
  });

  test("is accepted once after the period's end, and later growth counts for the current one", async () => {
    const workspace = await makeWorkspace("forged-boundary");
    const old = (executions: number, changes: Partial<SaidCounter> = {}) =>
      counter({ periodStart: lastPeriod, date: boundaryDay, executions, ...changes });
    await hear(workspace, at("08:59:00"), [lastPeriod, periodStart], [old(10)]);
    await hear(workspace, at("09:00:30"), starts, [old(12)]);
    expect((await onRecord(workspace)).periods).toEqual({ "2026-10-10": 12, "2026-11-10": 0 });
    await hear(workspace, at("12:00:00"), starts, [old(900_012), old(50, { epoch: "two" })]);
    // Another day of the old period does not get around it.
    await hear(workspace, at("12:01:00"), starts, [old(30, { date: "2026-11-09" })]);
    expect((await onRecord(workspace)).periods).toEqual({ "2026-10-10": 12, "2026-11-10": 900_080 });
  });

  test("is accepted if it could not be reached when the period ended", async () => {
    const workspace = await makeWorkspace("away");
    await hear(workspace, new Date("2026-11-08T12:00:00Z"), [lastPeriod, periodStart], []);
    await hear(workspace, new Date("2026-11-12T12:00:00Z"), starts, [
      counter({ periodStart: lastPeriod, date: "2026-11-09" }),
      counter({ periodStart: lastPeriod, date: boundaryDay }),
      counter({ date: boundaryDay, executions: 3 }),
    ]);
    expect((await onRecord(workspace)).periods).toEqual({ "2026-10-10": 10, "2026-11-10": 3 });
  });

  test("is not accepted for another account's period", async () => {
    const [workspace, other] = [await makeWorkspace("envious"), await makeWorkspace("envied")];
    const foreign = new Date("2026-11-21T10:00:00Z");
    await hear(other, now, [foreign], []);
    await record(workspace, [counter({ periodStart: foreign })]);
    expect((await onRecord(workspace)).periods).toEqual({ "2026-11-10": 5 });
  });
});

test("a day is accepted once it has begun, so that it does not count for the previous period", async () => {
  const workspace = await makeWorkspace("early");
  const eve = new Date("2026-12-09T20:00:00Z");
  const tomorrow = counter({ date: "2026-12-10", executions: 800 });
  const said = { activeWorkflows: 0, counters: [tomorrow] };
  await recordUsage(database.db, workspace, said, { ...onItsOwn(starts), now: eve });
  expect(await onRecord(workspace)).toEqual({ periods: { "2026-11-10": 0 }, days: {} });
  await recordUsage(database.db, workspace, said, { ...onItsOwn([nextPeriod]), now: new Date("2026-12-10T12:00:00Z") });
  expect((await onRecord(workspace)).days).toEqual({ "2026-12-10": [800, 1] });
});

test.each([-5, Number.NaN, Number.POSITIVE_INFINITY])("a count of %s changes nothing", async (executions) => {
  const workspace = await makeWorkspace(`odd-${executions}`.toLowerCase());
  await record(workspace, [counter({ executions, failed: 0 })]);
  expect(await onRecord(workspace)).toEqual({ periods: { "2026-11-10": 0 }, days: {} });
});

test("days in the distant past or the future, and absurd figures, are ignored", async () => {
  const workspace = await makeWorkspace("absurd");
  await record(workspace, [
    counter({ date: "2026-10-01" }),
    counter({ date: "2027-01-01" }),
    counter({ executions: 1e12 }),
    counter({ epoch: "two" }),
  ]);
  expect((await onRecord(workspace)).days).toEqual({ "2026-11-21": [5, 1] });
});

test("of any number of invented counters, a few thousand are kept", async () => {
  const workspace = await makeWorkspace("inventive");
  for (let round = 0; round < 4; round++) {
    await record(
      workspace,
      Array.from({ length: 1000 }, (_, index) => counter({ epoch: `${round} ${index}`, executions: 1, failed: 0 })),
    );
  }
  // Whatever they claim, the sums can hold it.
  await record(
    workspace,
    Array.from({ length: 1000 }, (_, index) => counter({ epoch: `0 ${index}`, executions: 10_000_000, failed: 0 })),
  );
  expect((await onRecord(workspace)).periods).toEqual({ "2026-11-10": 2_000_000_000 });
  const kept = await database.db.$count(usageCounters, eq(usageCounters.workspaceId, workspace.id));
  expect(kept).toBe(3000);
});
