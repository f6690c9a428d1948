import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { accounts, backups, engineInstalls, fleetUpdates, mails, providerEvents, workspaces } from "#database/tables.ts";
import { failureReasons } from "#domain/backups/backup-failure.ts";
import { mostAttempts } from "#domain/mail/sending/deliver-mail.ts";
import { after, dayMs, hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { daysLeft, mostDays } from "./capacity.ts";
import { noteDown, readDown } from "./down-store.ts";
import { noteDump } from "./dump-store.ts";
import { capacities, changeObservations, readObservations, withCheck, withHost } from "./observation-store.ts";
import { readSignals } from "./read-signals.ts";
import { promises, type PromiseName } from "./signal.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query(
    "begin; set local slipway.changing_money = 'on'; truncate accounts, fleet_updates, mails, provider_events, engine_installs, service_state cascade; commit",
  );
});

const now = new Date("2026-03-02T12:00:00Z");
const ago = (ms: number) => after(now, -ms);
let number = 0;

async function addWorkspace(row: Partial<typeof workspaces.$inferInsert> = {}) {
  const [id, accountId] = [newId(), newId()];
  await database.db.insert(accounts).values({ id: accountId, name: `signal-${(number += 1)}`, createdAt: ago(dayMs) });
  await database.db.insert(workspaces).values({
    id,
    accountId,
    engine: "n8n",
    desiredState: "running",
    desiredVersion: "1",
    timezone: "Etc/UTC",
    memoryMb: 512,
    secrets: "-",
    observedState: "online",
    observedGeneration: 1,
    ownerSetUpAt: ago(hourMs),
    createdAt: ago(dayMs),
    updatedAt: ago(minuteMs),
    ...row,
  });
  return { id, accountId };
}

const signal = async (name: PromiseName, at = now) => (await readSignals(database.db, at)).find(({ promise }) => promise === name)!;

test("a database in which nothing happened has every promise, and none of them is broken", async () => {
  const signals = await readSignals(database.db, now);
  expect(signals.map(({ promise }) => promise)).toEqual([...promises]);
  for (const { openSeconds, failures, successSeconds } of signals) {
    expect(openSeconds).toBe(0);
    expect(failures).toEqual({});
    expect(successSeconds).toBeNull();
  }
});

test("a workspace is down since the first look that found it so, across processes and until it answers", async () => {
  const { id } = await addWorkspace({ observedState: "offline" });
  await addWorkspace();
  await addWorkspace({ asleepSince: ago(dayMs), coldSince: ago(hourMs) });
  await addWorkspace({ desiredState: "stopped", observedState: "stopped" });
  expect(await noteDown(database.db, ago(16 * minuteMs))).toMatchObject({ expected: 3, down: 0, oldestSeconds: 0 });
  await Promise.all(Array.from({ length: 4 }, () => noteDown(database.db, ago(minuteMs))));
  const found = await noteDown(database.db, now);
  expect(found).toMatchObject({ expected: 3, down: 1, oldestSeconds: 16 * 60 });
  expect(found.accounts).toHaveLength(1);
  expect(await readDown(database.db, now)).toMatchObject({ down: 1 });
  expect(await signal("online")).toEqual({ promise: "online", openSeconds: 960, failures: { down: 1 }, successSeconds: 0 });
  await database.db
    .update(workspaces)
    .set({ observedState: "online" })
    .where(sql`id = ${id}`);
  expect(await noteDown(database.db, now)).toMatchObject({ down: 0, oldestSeconds: 0 });
});

test("a sleeping workspace is down only while a request waits for it", async () => {
  const { id } = await addWorkspace({ asleepSince: ago(dayMs), wakeAskedAt: ago(20 * minuteMs) });
  await noteDown(database.db, ago(20 * minuteMs));
  expect(await noteDown(database.db, now)).toMatchObject({ down: 1 });
  expect(await signal("wake")).toMatchObject({ openSeconds: 1200, failures: {} });
  await database.db
    .update(workspaces)
    .set({ wakeAskedAt: null })
    .where(sql`id = ${id}`);
  expect(await noteDown(database.db, now)).toMatchObject({ down: 0 });
});

test("after the clock is set back, a workspace is down from now on, not from the future", async () => {
  await addWorkspace({ observedState: "offline" });
  await noteDown(database.db, after(now, 5 * hourMs));
  await noteDown(database.db, now);
  expect(await noteDown(database.db, after(now, 16 * minuteMs))).toMatchObject({ down: 1, oldestSeconds: 960 });
});

const backup = (of: { id: string; accountId: string }, row: Partial<typeof backups.$inferInsert>) =>
  database.db.insert(backups).values({
    id: newId(),
    workspaceId: of.id,
    accountId: of.accountId,
    kind: "nightly",
    engine: "n8n",
    engineVersion: "1",
    createdAt: now,
    ...row,
  });

test("a workspace without a backup for a day and a half is open, by the cause of its newest failure", async () => {
  const late = await addWorkspace({ ownerSetUpAt: ago(9 * dayMs) });
  const failing = await addWorkspace({ ownerSetUpAt: ago(9 * dayMs) });
  const fresh = await addWorkspace({ ownerSetUpAt: ago(9 * dayMs) });
  await addWorkspace({ ownerSetUpAt: ago(hourMs) });
  await addWorkspace({ ownerSetUpAt: ago(9 * dayMs), desiredState: "stopped" });
  await backup(late, { state: "successful", finishedAt: ago(2 * dayMs) });
  await backup(failing, { state: "successful", finishedAt: ago(3 * dayMs) });
  for (const days of [2, 1])
    await backup(failing, { state: "failed", reason: failureReasons.no_room, finishedAt: ago(days * dayMs), createdAt: ago(days * dayMs) });
  await backup(fresh, { state: "failed", reason: failureReasons.again, finishedAt: ago(2 * hourMs), createdAt: ago(2 * hourMs) });
  await backup(fresh, { state: "successful", finishedAt: ago(hourMs) });
  expect(await signal("backup")).toEqual({
    promise: "backup",
    openSeconds: (3 * dayMs) / secondMs,
    successSeconds: hourMs / secondMs,
    failures: { late: 1, no_room: 1 },
  });
});

test("mails that were given up are told from refused ones, and from those that wait", async () => {
  const mail = (row: Partial<typeof mails.$inferInsert>) =>
    database.db
      .insert(mails)
      .values({ id: newId(), recipient: "a@example.com", subject: "s", text: "t", html: "h", createdAt: ago(hourMs), ...row });
  await mail({ failedAt: ago(minuteMs), attempts: mostAttempts });
  await mail({ failedAt: ago(minuteMs), attempts: 1 });
  await mail({ failedAt: ago(2 * dayMs), attempts: mostAttempts });
  await mail({ sendAt: now, attempts: 3 });
  await mail({ sendAt: now, lastError: "connect ECONNREFUSED" });
  await mail({ sendAt: now });
  await mail({ sentAt: ago(30 * secondMs) });
  expect(await signal("mail")).toEqual({
    promise: "mail",
    openSeconds: 3600,
    successSeconds: 30,
    failures: { "given-up": 1, refused: 1, retried: 2 },
  });
});

test("events of the provider, launches and installs are open until they are done", async () => {
  const event = (row: Partial<typeof providerEvents.$inferInsert>) =>
    database.db
      .insert(providerEvents)
      .values({ provider: "stripe", eventId: newId(), kind: "k", type: "t", occurredAt: now, receivedAt: ago(hourMs), ...row });
  await event({ runAt: now, attempts: 2 });
  await event({ runAt: after(now, minuteMs), attempts: 0, lastError: "Paddle was not asked: it refuses calls for now" });
  await event({ runAt: now });
  await event({ runAt: null, attempts: 30 });
  await event({ handledAt: ago(minuteMs) });
  expect(await signal("billing_event")).toEqual({
    promise: "billing_event",
    openSeconds: 3600,
    successSeconds: 60,
    failures: { retried: 2, "given-up": 1 },
  });
  await addWorkspace({ ownerSetUpAt: null, observedState: "starting", reasonCode: "start-failed", createdAt: ago(2 * hourMs) });
  await addWorkspace({ ownerSetUpAt: null, observedState: "none", createdAt: ago(minuteMs) });
  expect(await signal("launch")).toEqual({ promise: "launch", openSeconds: 7200, failures: { "start-failed": 1 }, successSeconds: null });
  const install = { host: "main", engine: "n8n", updatedAt: ago(minuteMs) };
  await database.db.insert(engineInstalls).values([
    { ...install, version: "1", state: "failed", reason: "registry: no answer" },
    { ...install, version: "2", state: "failed", reason: "registry: no answer", updatedAt: ago(dayMs) },
    { ...install, version: "3", state: "installed" },
  ]);
  expect(await signal("install")).toEqual({ promise: "install", openSeconds: 60, failures: { registry: 1 }, successSeconds: 60 });
});

test("a dump is missed a day and a half after the last one, or after the first account", async () => {
  await addWorkspace();
  expect(await signal("dump")).toMatchObject({ openSeconds: 0, successSeconds: null });
  expect(await signal("dump", after(now, 13 * hourMs))).toMatchObject({ openSeconds: 3600, failures: { never: 1 } });
  await noteDump(database.db, now);
  expect(await signal("dump", after(now, hourMs))).toMatchObject({ openSeconds: 0, failures: {}, successSeconds: 3600 });
  expect(await signal("dump", after(now, 37 * hourMs))).toMatchObject({ openSeconds: 3600, failures: { late: 1 } });
});

test("a fleet update is open until it is done, and a stopped one is a failure since it was stopped", async () => {
  const update = (row: Partial<typeof fleetUpdates.$inferInsert>) =>
    database.db.insert(fleetUpdates).values({
      id: newId(),
      engine: "n8n",
      toVersion: "2",
      waves: 1,
      soakSeconds: 60,
      steppedAt: now,
      atOnce: 3,
      mostFailures: 1,
      mostFailedPercent: 10,
      operator: "ada",
      startedAt: ago(2 * hourMs),
      ...row,
    });
  await update({ state: "done", finishedAt: ago(hourMs) });
  await update({});
  expect(await signal("fleet_update")).toEqual({ promise: "fleet_update", openSeconds: 7200, failures: {}, successSeconds: 3600 });
  await database.db
    .update(fleetUpdates)
    .set({ state: "stopped", stoppedAt: ago(minuteMs) })
    .where(sql`finished_at is null`);
  expect(await signal("fleet_update")).toMatchObject({ openSeconds: 60, failures: { stopped: 1 } });
  await database.db
    .update(fleetUpdates)
    .set({ state: "ended", finishedAt: now })
    .where(sql`finished_at is null`);
  expect(await signal("fleet_update")).toMatchObject({ openSeconds: 0, failures: {} });
});

test("an erasure is open from its account's day until it has ended, and waiting is no failure", async () => {
  const close = (row: Partial<typeof accounts.$inferInsert>) =>
    database.db.insert(accounts).values({
      id: newId(),
      name: `signal-${(number += 1)}`,
      createdAt: ago(dayMs),
      closedAt: ago(dayMs),
      eraseAt: ago(2 * hourMs),
      ...row,
    });
  await close({ erasedAt: ago(hourMs) });
  await close({ eraseAt: after(now, hourMs) });
  expect(await signal("erasure")).toEqual({ promise: "erasure", openSeconds: 0, failures: {}, successSeconds: 3600 });
  await close({ erasureWaitsFor: "money" });
  expect(await signal("erasure")).toMatchObject({ openSeconds: 7200, failures: {} });
  await close({ erasureAttempts: 2, erasureError: "Error" });
  expect(await signal("erasure")).toMatchObject({ openSeconds: 7200, failures: { retried: 1 } });
});

test("capacity is days left by the last week's line, and none is promised before a day is known", () => {
  const week = (perDay: number) =>
    Array.from({ length: 7 * 24 }, (_, hour) => ({ at: hour * hourMs, freeMb: 10_000 - (perDay * hour) / 24 + (hour % 2 ? 5 : -5) }));
  expect(daysLeft(week(500), 6_500, 1_000)).toBeCloseTo(11, 0);
  expect(daysLeft(week(0), 6_500, 1_000)).toBeGreaterThan(300);
  expect(daysLeft(week(-500), 6_500, 1_000)).toBe(mostDays);
  expect(daysLeft(week(500).slice(0, 12), 6_500, 1_000)).toBe(mostDays);
  expect(daysLeft([], 900, 1_000)).toBe(0);
});

test("observations of two hosts keep each other, samples are one an hour, and a check that fails keeps since when", async () => {
  const reading = (host: string, freeMb: number) => ({ host, resources: { disk: { freeMb, floorMb: 100 } }, overdue: ["mails"] });
  await Promise.all([
    changeObservations(database.db, (known) => withHost(known, reading("one", 500), ago(30 * minuteMs))),
    changeObservations(database.db, (known) => withHost(known, reading("two", 700), ago(30 * minuteMs))),
  ]);
  await changeObservations(database.db, (known) => withHost(known, reading("one", 400), now));
  for (const at of [ago(hourMs), now]) await changeObservations(database.db, (known) => withCheck(known, "storage", "no bucket", at));
  const known = await readObservations(database.db);
  expect(known.hosts["one"]).toMatchObject({ overdue: { mails: ago(30 * minuteMs).toISOString() } });
  expect(known.hosts["one"]!.resources.disk!.samples).toEqual([{ at: ago(30 * minuteMs).getTime(), freeMb: 500 }]);
  expect(known.checks.storage).toEqual({ okAt: null, failingSince: ago(hourMs).toISOString(), reason: "no bucket" });
  expect(capacities(known, now).map(({ host, freeMb }) => [host, freeMb])).toEqual([
    ["one", 400],
    ["two", 700],
  ]);
  expect(capacities(known, after(now, 2 * hourMs))).toEqual([]);
  await changeObservations(database.db, (last) => withCheck(last, "storage", null, now));
  expect((await readObservations(database.db)).checks.storage).toEqual({ okAt: now.toISOString(), failingSince: null, reason: null });
});
