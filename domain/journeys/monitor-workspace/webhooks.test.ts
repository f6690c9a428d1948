/** What an owner sees of the calls that gateways counted. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { eq } from "drizzle-orm";
import { deleteOldRows } from "#apps/program/retention/delete-old-rows.ts";
import { webhookCalls, workspaces } from "#database/tables.ts";
import { addWebhookCalls } from "#domain/workspaces/webhooks/webhook-store.ts";
import { latencyClass, noCalls, type WebhookCalls } from "#domain/workspaces/webhooks/webhook-calls.ts";
import { after, dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { setUpOwner } from "#testing/accounts/set-up-owner.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api[Symbol.asyncDispose]());

interface Figures {
  calls: number;
  clientErrors: number;
  failed: number;
  waited: number;
  medianMs: number | null;
  p95Ms: number | null;
}

async function owner() {
  const { token, workspaceId: id } = await setUpOwner(api);
  const look = async (range: string) =>
    (await api.call("GET", `/api/instance/webhooks?range=${range}`, { token })).json() as {
      spanMinutes: number;
      total: Figures;
      points: (Figures & { at: string })[];
    };
  return { id, token, look };
}

/** So many calls, all answered in this time. */
const answered = (calls: number, ms: number, more: Partial<WebhookCalls> = {}): WebhookCalls => {
  const seen = { ...noCalls(), calls, ...more };
  seen.latency[latencyClass(ms)] = calls - (more.failed ?? 0);
  return seen;
};
const add = (id: string, calls: WebhookCalls, at: Date) => addWebhookCalls(api.database.db, new Map([[id, calls]]), at);

test("counts of several gateways add up, in minutes, quarters of an hour, hours and half days", async () => {
  const { id, look } = await owner();
  const quarter = new Date(Math.floor(api.clock.now().getTime() / (15 * minuteMs)) * 15 * minuteMs - 15 * minuteMs);
  await add(id, answered(10, 40, { clientErrors: 3, failed: 2, waited: 1 }), quarter);
  await add(id, answered(20, 40), after(quarter, 20_000));
  await add(id, answered(1, 4000), after(quarter, minuteMs));
  await add(id, answered(5, 7), after(quarter, -3 * dayMs));

  const [hour, day, week, month] = [await look("1h"), await look("24h"), await look("7d"), await look("30d")];
  expect([hour, day, week, month].map(({ spanMinutes }) => spanMinutes)).toEqual([1, 15, 180, 720]);
  expect(hour.points.map(({ at, calls }) => [at, calls])).toEqual([
    [quarter.toISOString(), 30],
    [after(quarter, minuteMs).toISOString(), 1],
  ]);
  expect(day).toMatchObject({ spanMinutes: 15, points: [{ at: quarter.toISOString(), calls: 31, clientErrors: 3, failed: 2, waited: 1 }] });
  expect(day.total).toMatchObject({ calls: 31, clientErrors: 3, failed: 2, waited: 1 });
  // In the class from 30 to 50 ms; the one slow answer is beyond 95 %, and alone in its own minute.
  expect(day.total.medianMs).toBeGreaterThan(30);
  expect(day.total.p95Ms).toBeLessThanOrEqual(50);
  expect(hour.points[1]!.medianMs).toBeGreaterThan(3000);
  expect(week.total.calls).toBe(36);
  expect(week.points).toHaveLength(2);
  expect(month.total).toEqual(week.total);
});

test("a workspace has two rows for a busy minute, whatever is called, and none of another's", async () => {
  const { id } = await owner();
  const other = await owner();
  const now = api.clock.now();
  for (let save = 0; save < 5; save++)
    await addWebhookCalls(
      api.database.db,
      new Map([
        [id, answered(1000, 3)],
        // Deleted since it was called.
        [newId(), answered(1, 3)],
      ]),
      now,
    );
  expect(await api.database.db.$count(webhookCalls, eq(webhookCalls.workspaceId, id))).toBe(2);
  expect((await other.look("24h")).total).toEqual({ calls: 0, clientErrors: 0, failed: 0, waited: 0, medianMs: null, p95Ms: null });
});

test("two gateways that save at the same moment lose nothing", async () => {
  const { id, look } = await owner();
  const second = await owner();
  const both = () =>
    new Map([
      [second.id, answered(1, 3)],
      [id, answered(1, 3)],
    ]);
  const now = api.clock.now();
  await Promise.all(Array.from({ length: 20 }, () => addWebhookCalls(api.database.db, both(), now)));
  expect((await look("1h")).total.calls).toBe(20);
  expect((await second.look("30d")).total.calls).toBe(20);
});

test("minutes are kept for two days and hours for a month; calls before the data was deleted are not shown", async () => {
  const { id, look } = await owner();
  const { db } = api.database;
  const now = api.clock.now();
  for (const ago of [40 * dayMs, 3 * dayMs, hourMs]) await add(id, answered(1, 3), after(now, -ago));
  await deleteOldRows(db, now);
  const rows = await db.select().from(webhookCalls).where(eq(webhookCalls.workspaceId, id));
  expect(rows.map(({ spanMinutes }) => spanMinutes).toSorted((one, other) => one - other)).toEqual([1, 60, 60]);
  await db.update(workspaces).set({ renewedAt: now }).where(eq(workspaces.id, id));
  expect((await look("30d")).total.calls).toBe(0);
});

test("calls that were counted before the clock was set back are not shown until their time has come", async () => {
  const { id, look } = await owner();
  const now = api.clock.now();
  await add(id, answered(1, 3), now);
  await add(id, answered(7, 3), after(now, 2 * hourMs));
  for (const range of ["1h", "24h", "7d", "30d"]) expect((await look(range)).total.calls, range).toBe(1);
});

test("only the signed-in owner sees it, without a workspace there is nothing, and an unknown range is refused", async () => {
  const { token } = await owner();
  expect((await api.call("GET", "/api/instance/webhooks", { token })).json()).toMatchObject({ spanMinutes: 15, points: [] });
  expect((await api.call("GET", "/api/instance/webhooks")).statusCode).toBe(401);
  expect((await api.call("GET", "/api/instance/webhooks?range=1y", { token })).statusCode).toBe(422);
  const { token: without } = await registerConfirmed(api);
  expect((await api.call("GET", "/api/instance/webhooks", { token: without })).json()).toMatchObject({ code: "workspace_not_found" });
});
