/** A key belongs to one attempt at a time, which renews its lease; an attempt that lost it changes nothing any more. */
import { setTimeout as delay } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { idempotencyKeys } from "#database/tables.ts";
import { AppError } from "#platform/app-error.ts";
import { createTestBilling, type TestBilling } from "#testing/payments/test-billing.ts";
import { once } from "./idempotency.ts";

let world: TestBilling;
beforeAll(async () => void (world = await createTestBilling()));
afterAll(() => world[Symbol.asyncDispose]());

const keyTimes = { leaseMs: 60_000, renewMs: 20, waitMs: 100 };
let keys = 0;

async function newCall() {
  const call = { accountId: await world.addAccount(), key: `key ${(keys += 1)}`, call: "change", request: {} };
  const find = async () => (await world.database.db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, call.key)))[0]!;
  const set = (values: Partial<typeof idempotencyKeys.$inferInsert>) =>
    world.database.db.update(idempotencyKeys).set(values).where(eq(idempotencyKeys.key, call.key));
  return { call, find, set };
}

test("the lease is renewed while an attempt works, so that no other attempt begins", async () => {
  const { call, find } = await newCall();
  const release = Promise.withResolvers<string>();
  const times = { ...keyTimes, leaseMs: 1_000 };
  const first = once({ ...world.billing, keyTimes: times }, call, () => release.promise);
  await delay(300);
  const before = (await find()).leaseUntil;
  await delay(300);
  expect((await find()).leaseUntil.getTime()).toBeGreaterThan(before.getTime());
  const second = once({ ...world.billing, keyTimes: times }, call, () => Promise.resolve("again"));
  await expect(second).rejects.toMatchObject({ code: "still_in_progress", details: { retryAfterSeconds: 5 } });
  release.resolve("once");
  expect(await first).toBe("once");
  expect(await once(world.billing, call, () => Promise.resolve("again"))).toBe("once");
});

test("an attempt whose key was taken over settles nothing, may change nothing, and does not renew the other's lease", async () => {
  const { call, find, set } = await newCall();
  const [stalled, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const begun = Promise.withResolvers<void>();
  const first = once({ ...world.billing, keyTimes }, call, async (_key, stillOurs) => {
    await world.billing.db.transaction(stillOurs);
    begun.resolve();
    await stalled.promise;
    await world.billing.db.transaction(stillOurs);
    return "stalled";
  });
  await begun.promise;
  await set({ leaseUntil: new Date(0), owner: "" });
  const second = once({ ...world.billing, keyTimes: { ...keyTimes, renewMs: 60_000 } }, call, () => other.promise.then(() => "taken over"));
  await delay(100);
  const lease = (await find()).leaseUntil;
  stalled.resolve();
  await expect(first).rejects.toMatchObject({ code: "still_in_progress" });
  expect((await find()).leaseUntil).toEqual(lease);
  expect((await find()).state).toBe("running");
  other.resolve();
  expect(await second).toBe("taken over");
  expect(await find()).toMatchObject({ state: "done", response: "taken over" });
});

test("a result that comes after the key was taken over does not replace the other's", async () => {
  const { call, find, set } = await newCall();
  const result = await once({ ...world.billing, keyTimes }, call, async () => {
    await set({ leaseUntil: new Date(0), owner: "another" });
    return "late";
  });
  expect(result).toBe("late");
  expect(await find()).toMatchObject({ state: "running", response: null });
  const refused = once({ ...world.billing, keyTimes }, call, async () => {
    await set({ leaseUntil: new Date(0), owner: "a third" });
    throw new AppError("payment_declined");
  });
  await expect(refused).rejects.toMatchObject({ code: "payment_declined" });
  expect(await find()).toMatchObject({ state: "running", response: null, owner: "a third" });
});
