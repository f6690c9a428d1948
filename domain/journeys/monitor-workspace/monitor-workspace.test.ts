import { afterAll, beforeAll, expect, test } from "vitest";
import { eq } from "drizzle-orm";
import { backups, workspaceHours, workspaces } from "#database/tables.ts";
import type { MonitoringMark } from "#contract/workspaces/monitoring/monitoring.ts";
import { say } from "#contract/sentences/say.ts";
import { deleteOldRows } from "#apps/program/retention/delete-old-rows.ts";
import { saveSamples, type LoadSample } from "#domain/workspaces/observed/load-store.ts";
import { writeJournal } from "#domain/workspaces/workspace-store.ts";
import { after, dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { setUpOwner } from "#testing/accounts/set-up-owner.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api[Symbol.asyncDispose]());

async function owner() {
  const { token, accountId, workspaceId: id } = await setUpOwner(api);
  const look = async (range: string) =>
    (await api.call("GET", `/api/instance/monitoring?range=${range}`, { token })).json() as {
      from: string;
      samples: ({ at: string } & LoadSample)[];
      marks: MonitoringMark[];
    };
  return { id, accountId, token, look };
}

const sample = (id: string, memoryMb: number, at: Date, more: Partial<LoadSample> = {}) =>
  saveSamples(api.database.db, new Map([[id, { memoryMb, cpuPercent: null, diskMb: null, ...more }]]), at);

const kinds = ({ marks }: { marks: MonitoringMark[] }) => marks.map(({ kind }) => kind);

test("the most memory of each minute, five minutes or hour is shown for an hour, a day, a week and a month, with what happened", async () => {
  const { id, accountId, look } = await owner();
  const { db } = api.database;
  const now = api.clock.now();
  const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs);
  await sample(id, 900, after(hour, -20 * dayMs));
  // Of one hour the highest stays, in whatever order they are saved.
  for (const [minutes, mb] of [
    [1, 300],
    [2, 700],
    [3, 500],
  ] as const)
    await sample(id, mb, after(hour, -3 * dayMs + minutes * minuteMs));
  // Ten minutes are two spans of a day.
  const tenMinutes = new Date(Math.floor(now.getTime() / (10 * minuteMs)) * 10 * minuteMs - 10 * hourMs);
  for (const [minutes, mb] of [
    [1, 200],
    [2, 250],
    [6, 220],
  ] as const)
    await sample(id, mb, after(tenMinutes, minutes * minuteMs));
  await sample(id, 400, after(now, -2 * minuteMs));
  await writeJournal(db, id, { event: "died", message: say("died") }, after(now, -2 * dayMs));
  await writeJournal(db, id, { event: "owner-changed", message: say("ownerChanged", { email: "a@example.com" }) }, after(now, -2 * dayMs));
  await writeJournal(
    db,
    id,
    { event: "updated", message: say("rolledBack", { engine: "n8n", version: "2.0.0" }) },
    after(now, -10 * dayMs),
  );
  const made = { accountId, workspaceId: id, engine: "n8n", engineVersion: "1", kind: "nightly", keptUntil: after(now, dayMs) } as const;
  await db.insert(backups).values({ ...made, id: newId(), state: "successful", createdAt: after(now, -hourMs / 2) });
  await db.insert(backups).values({ ...made, id: newId(), state: "failed", createdAt: after(now, -hourMs / 3) });

  const [anHour, day, week, month] = [await look("1h"), await look("24h"), await look("7d"), await look("30d")];
  expect(anHour.samples.map(({ memoryMb }) => memoryMb)).toEqual([400]);
  expect(kinds(anHour)).toEqual(["backup"]);
  expect(day.samples.map(({ memoryMb }) => memoryMb)).toEqual([250, 220, 400]);
  expect(week.samples.slice(0, 1)).toEqual([{ at: after(hour, -3 * dayMs).toISOString(), memoryMb: 700, cpuPercent: null, diskMb: null }]);
  expect(kinds(week)).toEqual(["stop", "backup"]);
  expect(week.marks[0]?.message).toBe(say("died"));
  expect(month.samples[0]?.memoryMb).toBe(900);
  expect(kinds(month)).toEqual(["version", "stop", "backup"]);
  // Rows from before the data was deleted do not belong to the new workspace.
  await db.update(workspaces).set({ renewedAt: now }).where(eq(workspaces.id, id));
  expect((await look("30d")).samples).toEqual([]);
});

test("rows from the future, recorded before a clock was set back, are not shown", async () => {
  const { id, accountId, look } = await owner();
  const { db } = api.database;
  const now = api.clock.now();
  await sample(id, 300, after(now, -2 * minuteMs));
  await sample(id, 900, after(now, 2 * hourMs));
  await writeJournal(db, id, { event: "died", message: say("died") }, after(now, 2 * hourMs));
  const made = { accountId, workspaceId: id, engine: "n8n", engineVersion: "1", kind: "nightly", keptUntil: after(now, dayMs) } as const;
  await db.insert(backups).values({ ...made, id: newId(), state: "successful", createdAt: after(now, 2 * hourMs) });
  for (const range of ["1h", "24h", "7d", "30d"]) {
    const { samples, marks } = await look(range);
    expect([samples.map(({ memoryMb }) => memoryMb), marks], range).toEqual([[300], []]);
  }
});

test("processor and disk have separate peaks, beside their limits", async () => {
  const { id, token, look } = await owner();
  const now = api.clock.now();
  const minute = new Date(Math.floor(now.getTime() / (5 * minuteMs)) * 5 * minuteMs - 10 * minuteMs);
  await sample(id, 400, minute, { cpuPercent: 3, diskMb: 60 });
  await sample(id, 300, after(minute, minuteMs), { cpuPercent: 97, diskMb: 50 });
  await sample(id, 200, after(minute, 2 * minuteMs));
  const day = await look("24h");
  expect(day.samples[0]).toEqual({ at: minute.toISOString(), memoryMb: 400, cpuPercent: 97, diskMb: 60 });
  expect(day.samples.at(-1)).toMatchObject({ memoryMb: 200, cpuPercent: null, diskMb: null });
  const [hour] = (await look("7d")).samples;
  expect(hour).toMatchObject({ cpuPercent: 97, diskMb: 60 });
  expect((await api.call("GET", "/api/instance/monitoring", { token })).json()).toMatchObject({
    limitMb: 1024,
    cpuLimitPercent: 100,
    diskLimitMb: 5120,
  });
});

test("the newest figures are the current ones, even if they are the peak of their minutes", async () => {
  const { id, look } = await owner();
  const minute = new Date(Math.floor(api.clock.now().getTime() / (5 * minuteMs)) * 5 * minuteMs - 5 * minuteMs);
  await sample(id, 300, minute, { cpuPercent: 97, diskMb: 60 });
  await sample(id, 400, after(minute, minuteMs), { cpuPercent: 2, diskMb: 50 });
  expect((await look("24h")).samples.map(({ at: _at, ...load }) => load)).toEqual([
    { memoryMb: 300, cpuPercent: 97, diskMb: 60 },
    { memoryMb: 400, cpuPercent: 2, diskMb: 50 },
  ]);
});

test("hours are kept as long as the longest graph, and no row is written for a lower value", async () => {
  const { id } = await owner();
  const { db, pool } = api.database;
  const now = api.clock.now();
  await sample(id, 500, now);
  const version = async () => (await pool.query("select xmin::text from workspace_hours where workspace_id = $1", [id])).rows;
  const before = await version();
  await sample(id, 499, after(now, 1));
  expect(await version()).toEqual(before);
  await deleteOldRows(db, now);
  expect(await db.$count(workspaceHours, eq(workspaceHours.workspaceId, id))).toBe(1);
  await deleteOldRows(db, after(now, 32 * dayMs));
  expect(await db.$count(workspaceHours, eq(workspaceHours.workspaceId, id))).toBe(0);
});

test("only the signed-in owner sees it, without a workspace there is nothing, and an unknown range is refused", async () => {
  const { token } = await owner();
  const other = await owner();
  await sample(other.id, 123, api.clock.now());
  expect((await api.call("GET", "/api/instance/monitoring", { token })).json()).toMatchObject({ samples: [], marks: [] });
  expect((await api.call("GET", "/api/instance/monitoring")).statusCode).toBe(401);
  expect((await api.call("GET", "/api/instance/monitoring?range=1y", { token })).statusCode).toBe(422);
  const { token: without } = await registerConfirmed(api);
  expect((await api.call("GET", "/api/instance/monitoring", { token: without })).json()).toMatchObject({ code: "workspace_not_found" });
});
