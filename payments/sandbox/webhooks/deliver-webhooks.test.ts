import { afterEach, beforeEach, expect, test } from "vitest";
import { after, dayMs, minuteMs, secondMs } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { createTestClock, type TestClock } from "#testing/test-clock.ts";
import { deliverDue, type PostWebhook } from "./deliver-webhooks.ts";
import { emitEvent } from "./emit-event.ts";
import { readEvent } from "./read-event.ts";
import { saveControls, webhookControls, type WebhookControls } from "./webhook-controls.ts";
import { checkSignature, signatureHeader } from "./webhook-signature.ts";
import { claimWebhook, countWebhooks, nextWebhookDue, sendAgain } from "./webhook-store.ts";

const secrets = [Buffer.from("one"), Buffer.from("two")];
let database: TestDatabase;
let clock: TestClock;
let arrived: string[];
let answer: PostWebhook;

beforeEach(async () => {
  database = await createTestDatabase();
  clock = createTestClock();
  arrived = [];
  answer = () => Promise.resolve(200);
});
afterEach(() => database.close());

const deliver = () => {
  const post: PostWebhook = async (headers, body) => {
    checkSignature(headers[signatureHeader], secrets, body, clock.now());
    const status = await answer(headers, body);
    if (status === 200) arrived.push(readEvent(body).type);
    return status;
  };
  return deliverDue({ db: database.db, clock, log: createLog("silent"), secrets, post });
};
const emit = (type: string) =>
  emitEvent(database.db, type, { customerId: "cus_1", accountId: "account" }, { at: clock.now(), now: clock.now() });
const control = (changes: Partial<WebhookControls>) => saveControls(database.db, webhookControls.parse(changes));

test("events arrive in order, signed, once", async () => {
  for (const type of ["a", "b", "c"]) await emit(type);
  expect(await deliver()).toBe(3);
  expect(await deliver()).toBe(0);
  expect(arrived).toEqual(["a", "b", "c"]);
});

test("an event that does not arrive is retried at growing intervals and blocks no other", async () => {
  await emit("a");
  answer = () => Promise.resolve(500);
  await deliver();
  answer = () => Promise.reject(new Error("nobody listens"));
  await deliver();
  expect((await nextWebhookDue(database.db))!.getTime() - clock.now().getTime()).toBe(secondMs);
  clock.advance(secondMs);
  await deliver();
  expect((await nextWebhookDue(database.db))!.getTime() - clock.now().getTime()).toBe(2 * secondMs);
  expect((await countWebhooks(database.db)).lastError).toContain("nobody listens");
  answer = () => Promise.resolve(200);
  await emit("b");
  await deliver();
  clock.advance(2 * secondMs);
  await deliver();
  expect(arrived).toEqual(["b", "a"]);
});

test("after three days and more than ten attempts delivery is abandoned", async () => {
  await emit("a");
  answer = () => Promise.resolve(503);
  for (let tries = 0; tries < 100 && (await nextWebhookDue(database.db)); tries += 1) {
    clock.advance(Math.max(secondMs, (await nextWebhookDue(database.db))!.getTime() - clock.now().getTime()));
    await deliver();
  }
  expect(await nextWebhookDue(database.db)).toBeNull();
});

test("a tester can have events late, twice, in reverse order, or not at all", async () => {
  await control({ delaySeconds: 600 });
  await emit("late");
  await deliver();
  expect(arrived).toEqual([]);
  clock.advance(10 * minuteMs);
  await deliver();
  expect(arrived.splice(0)).toEqual(["late"]);

  await control({ duplicate: true });
  await emit("twice");
  await deliver();
  expect(arrived.splice(0)).toEqual(["twice", "twice"]);

  await control({ reorder: true });
  for (const type of ["a", "b", "c"]) await emit(type);
  await deliver();
  expect(arrived.splice(0)).toEqual(["c", "b", "a"]);

  await control({ drop: true });
  await emit("lost");
  clock.advance(30 * dayMs);
  await deliver();
  expect(arrived).toEqual([]);
  expect(await countWebhooks(database.db)).toMatchObject({ waiting: 0, dropped: 1 });
  expect(await sendAgain(database.db, "dropped", clock.now())).toBe(1);
  await deliver();
  expect(arrived).toEqual(["lost"]);
});

test("the newest event can be sent once more", async () => {
  for (const type of ["a", "b"]) await emit(type);
  await deliver();
  expect(await sendAgain(database.db, "newest", clock.now())).toBe(2);
  await deliver();
  expect(arrived).toEqual(["a", "b", "a", "b"]);
});

test("deliveries of a dead worker are made after its lease", async () => {
  await emit("a");
  expect(await claimWebhook(database.db, clock.now(), false)).toBeDefined();
  expect(await deliver()).toBe(0);
  // A test that waits for all work to finish still sees it as due.
  expect(await nextWebhookDue(database.db)).toEqual(clock.now());
  clock.advance(minuteMs);
  expect(await deliver()).toBe(0);
  await database.pool.query("update sandbox_webhooks set lease_until = clock_timestamp() - interval '1 second'");
  expect(await deliver()).toBe(1);
});

test("two concurrent workers deliver each event once", async () => {
  for (let index = 0; index < 25; index += 1) await emit(`event-${index}`);
  await Promise.all([deliver(), deliver(), deliver()]);
  expect(arrived).toHaveLength(25);
  expect(new Set(arrived).size).toBe(25);
});

test("a future event is not delivered early", async () => {
  await emitEvent(
    database.db,
    "future",
    { customerId: "cus_1", accountId: "account" },
    { at: clock.now(), now: after(clock.now(), dayMs) },
  );
  expect(await deliver()).toBe(0);
});
