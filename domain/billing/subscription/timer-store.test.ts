/** Timers beside the release before, which knows no leases: it takes a timer by its `run_at`, and moves that to put one off. */
import { beforeEach, expect, test } from "vitest";
import { and, eq, lte } from "drizzle-orm";
import { timers } from "#database/tables.ts";
import { after, minuteMs, secondMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { openTestBilling, subscribe, type TestBilling } from "#testing/payments/test-billing.ts";
import { findDueAccounts } from "../provider-truth/deal-accounts.ts";
import { changeTimers, failTimers, firstDueTimer, freeTimers, hasTimer, leaseTimers, putOffTimer, type DueTimer } from "./timer-store.ts";

let world: TestBilling;
let accountId: string;
let now: Date;
let timer: DueTimer;

beforeEach(async () => {
  world = await openTestBilling();
  accountId = await subscribe(world);
  now = world.clock.now();
  const { db } = world.database;
  await db.delete(timers);
  const arm = [
    ["deletion", after(now, -secondMs)],
    ["truth-check", now],
  ] as const;
  await changeTimers(db, accountId, { arm: arm.map(([kind, dueAt]) => [kind, dueAt]), clear: [] });
  timer = (await firstDueTimer(db, accountId, now))!;
});

const runAt = async (kind: "deletion" | "truth-check") =>
  (await world.database.db.select({ at: timers.runAt }).from(timers).where(eq(timers.kind, kind)))[0]!.at;
/** As the release before sees them. */
const dueBefore = async () =>
  (
    await world.database.db
      .select({ kind: timers.kind })
      .from(timers)
      .where(and(eq(timers.accountId, accountId), lte(timers.runAt, now)))
  ).map(({ kind }) => kind);

test("the release before does not see timers that are leased, and sees them again once the attempt has ended", async () => {
  const { db } = world.database;
  const attempt = await leaseTimers(db, accountId, timer, now);
  expect(await dueBefore()).toEqual([]);
  expect(await hasTimer(db, accountId, timer, attempt)).toBe(true);
  await freeTimers(db, accountId, attempt, now);
  expect((await dueBefore()).toSorted()).toEqual(["deletion", "truth-check"]);
});

test("an attempt has lost a timer that the release before puts off, and does not shorten that when it ends", async () => {
  const { db } = world.database;
  const attempt = await leaseTimers(db, accountId, timer, now);
  const putOff = after(now, 15 * minuteMs);
  // It moves only this, and leaves the lease.
  await db.update(timers).set({ runAt: putOff }).where(eq(timers.kind, "deletion"));
  expect(await hasTimer(db, accountId, timer, attempt)).toBe(false);
  await failTimers(db, accountId, { timer, attempt }, now, after(now, 10 * secondMs), "refused");
  expect(await runAt("deletion")).toEqual(putOff);
  expect(await runAt("truth-check")).toEqual(after(now, 10 * secondMs));
});

test("an attempt has lost a timer that this release puts off", async () => {
  const { db } = world.database;
  const attempt = await leaseTimers(db, accountId, timer, now);
  await putOffTimer(db, accountId, "deletion", now, 15 * minuteMs);
  expect(await hasTimer(db, accountId, timer, attempt)).toBe(false);
});

test("the end of an attempt leaves the leases of another one", async () => {
  const { db } = world.database;
  const late = await leaseTimers(db, accountId, timer, now);
  const other = await leaseTimers(db, accountId, timer, after(now, 3 * minuteMs));
  await freeTimers(db, accountId, late, now);
  expect(await hasTimer(db, accountId, timer, other)).toBe(true);
});

test("leases that lie in the future since the database's clock was set back keep no account from being found", async () => {
  const { db, pool } = world.database;
  const found = () => findDueAccounts(db, now, [], 9);
  const [later, held] = ["clock_timestamp() + interval '2 hours'", "clock_timestamp() + interval '30 seconds'"];
  expect(await found()).toEqual([accountId]);
  await pool.query(`update timers set lease_owner = $1, lease_until = ${held}`, [newId()]);
  expect(await found()).toEqual([]);
  await pool.query(`update timers set lease_until = ${later}`);
  expect(await found()).toEqual([accountId]);

  await db.delete(timers);
  await pool.query(
    `insert into provider_events (provider, event_id, kind, type, owner_id, occurred_at, payload, received_at, run_at, lease_owner, lease_until)
     values ('sandbox', 'one', 'other', 'other', $1, $2, '{}', $2, $2, $3, ${held})`,
    [accountId, now, newId()],
  );
  expect(await found()).toEqual([]);
  await pool.query(`update provider_events set lease_until = ${later}`);
  expect(await found()).toEqual([accountId]);
  await pool.query(`insert into billing_lanes (account_id, taken_until) values ($1, ${held})`, [accountId]);
  expect(await found()).toEqual([]);
  await pool.query(`update billing_lanes set taken_until = ${later}`);
  expect(await found()).toEqual([accountId]);
});
