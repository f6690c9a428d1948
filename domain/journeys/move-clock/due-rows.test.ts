import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { accounts, mails, providerEvents, timers } from "#database/tables.ts";
import { after, dayMs, minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { dueRows } from "./due-rows.ts";

let database: TestDatabase;
const now = new Date("2026-11-21T12:00:00Z");
const accountId = newId();
beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.insert(accounts).values({ id: accountId, name: "ada", createdAt: now });
});
afterAll(() => database.close());
beforeEach(async () => {
  for (const table of [timers, providerEvents, mails]) await database.db.delete(table);
});

const dueOf = async (index: number) => dueRows(database.db)[index]!.nextDueAt();
const timer = (changes: Partial<typeof timers.$inferInsert>) =>
  database.db.insert(timers).values({ accountId, kind: "trial-end", dueAt: now, runAt: now, ...changes });

test("an empty database has nothing due", async () => {
  expect(await Promise.all([0, 1, 2].map(dueOf))).toEqual([null, null, null]);
});

test("a claimed timer is due until it has run; one that failed or was postponed waits for its next moment", async () => {
  await timer({ attempts: 1, runAt: after(now, 2 * minuteMs) });
  expect(await dueOf(0)).toEqual(now);
  await database.db.update(timers).set({ lastError: "the provider is down" });
  expect(await dueOf(0)).toEqual(after(now, 2 * minuteMs));
  await database.db.update(timers).set({ attempts: 0, lastError: null, runAt: after(now, dayMs) });
  expect(await dueOf(0)).toEqual(after(now, dayMs));
});

test("a claimed event is due until it is handled; one that is done or given up is not", async () => {
  const event = {
    provider: "sandbox",
    kind: "subscription",
    type: "subscription.updated",
    occurredAt: now,
    payload: {},
    receivedAt: now,
  } as const;
  await database.db.insert(providerEvents).values([
    { ...event, eventId: "evt_1", runAt: after(now, minuteMs) },
    { ...event, eventId: "evt_2", runAt: null, receivedAt: after(now, -dayMs) },
  ]);
  expect(await dueOf(1)).toEqual(now);
});

test("a mail being sent is due until it is out", async () => {
  const mail = { recipient: "ada@example.com", subject: "", text: "", html: "", createdAt: now };
  await database.db.insert(mails).values([
    { ...mail, id: newId(), sendAt: after(now, minuteMs) },
    { ...mail, id: newId(), sendAt: null, createdAt: after(now, -dayMs) },
  ]);
  expect(await dueOf(2)).toEqual(now);
});
