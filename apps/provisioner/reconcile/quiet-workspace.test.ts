/** When a quiet workspace is looked at again after a pass over it. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { invitations, subscriptions, usagePeriods } from "#database/tables.ts";
import { readCatalogue } from "#domain/plans/catalogue.ts";
import { savePlans } from "#domain/plans/plan-store.ts";
import { startTrial } from "#domain/billing/subscription/start-trial.ts";
import { saveInvitations } from "#domain/invitations/invitation-store.ts";
import { saveGatewayCounts } from "#domain/usage/check-store.ts";
import { hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { EngineRefusal } from "../engines/engine.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";

/** A workspace on trial in which nothing has happened for ten hours. `look` passes over it and returns the wait until the next look. */
async function createQuiet() {
  const fleet = await createTestFleet();
  const { db, pool } = fleet.database;
  await savePlans(db, readCatalogue(), new Date());
  const id = await fleet.want("acme");
  const { accountId } = await fleet.row(id);
  await startTrial(db, accountId, new Date());
  const loop = fleet.startLoop();
  const isOver = (row: { observedState: string; leaseOwner: string | null; reconcileAt: Date | null }) =>
    row.observedState === "online" && row.leaseOwner === null && row.reconcileAt! > new Date();
  await fleet.until(id, isOver);
  const look = async (): Promise<number> => {
    await pool.query(
      "update workspaces set started_at = now() - interval '10 hours', updated_at = now() - interval '10 hours', active_at = null, reconcile_at = now()",
    );
    loop.wake();
    return (await fleet.until(id, isOver)).reconcileAt!.getTime() - Date.now();
  };
  return { fleet, db, id, accountId, look };
}

const aMinute = (ms: number) => expect(ms).toBeLessThanOrEqual(minuteMs);

test("a quiet workspace is left alone for hours", async () => {
  const { fleet, look } = await createQuiet();
  await using _fleet = fleet;
  expect(await look()).toBeGreaterThan(4 * hourMs);
});

test("new executions, and a report that is too low, keep a look each minute; half of the quota keeps one each hour", async () => {
  const { fleet, id, look } = await createQuiet();
  await using _fleet = fleet;
  const date = new Date().toISOString().slice(0, 10);
  const ran = (executions: number) =>
    fleet.engine.usage.set(id, { counters: [{ epoch: "one", periodStart: null, date, executions, failed: 0 }] });
  ran(3);
  aMinute(await look());
  expect(await look()).toBeGreaterThan(4 * hourMs);
  ran(600);
  aMinute(await look());
  const ms = await look();
  expect([ms > 50 * minuteMs, ms <= hourMs]).toEqual([true, true]);
  await fleet.database.pool.query("insert into gateway_counts (workspace_id, date, run, executions) values ($1, $2, $1, 700)", [id, date]);
  aMinute(await look());
  aMinute(await look());
});

test("calls that a quiet workspace refused just before more is allowed are not counted", async () => {
  const { fleet, db, id, accountId, look } = await createQuiet();
  await using _fleet = fleet;
  const date = new Date().toISOString().slice(0, 10);
  fleet.engine.usage.set(id, {
    counters: [{ epoch: "one", periodStart: null, date, executions: 1000, failed: 0 }],
    statistics: { life: "a", succeeded: 1000, unfinished: 0 },
  });
  aMinute(await look());
  const untilNextMs = await look();
  // Nothing happens until shortly before its next look. It then refuses calls, and its owner chooses a larger plan.
  await fleet.database.pool.query("update usage_checks set limited_at = limited_at - make_interval(secs => $1)", [untilNextMs / secondMs]);
  await saveGatewayCounts(db, newId(), [{ workspaceId: id, date, executions: 1003 }]);
  await db.update(subscriptions).set({ customExecutions: 5000 });
  await look();
  const [period] = await db.select().from(usagePeriods).where(eq(usagePeriods.accountId, accountId));
  expect(period!.executions).toBe(1000);
});

test("data that could not be sent to a quiet workspace is sent again within a minute", async () => {
  const { fleet, db, accountId, look } = await createQuiet();
  await using _fleet = fleet;
  fleet.engine.usageFails = new Error("it does not answer");
  aMinute(await look());
  fleet.engine.usageFails = null;
  await fleet.database.pool.query("update users set full_name = 'Grace'");
  fleet.engine.ownerFails = new Error("it does not answer");
  aMinute(await look());
  fleet.engine.ownerFails = null;
  await look();
  await fleet.database.pool.query("update accounts set profile_changed_at = now()");
  fleet.engine.profileFails = new Error("it does not answer");
  aMinute(await look());
  fleet.engine.profileFails = null;
  await look();
  expect(await look()).toBeGreaterThan(4 * hourMs);
  // An invitation has a separate pause.
  fleet.engine.members.fails = new EngineRefusal("no");
  await saveInvitations(db, accountId, ["bob@example.com"], new Date());
  aMinute(await look());
  await db.update(invitations).set({ dueAt: new Date(Date.now() + 10 * minuteMs) });
  const ms = await look();
  expect([ms > 10 * minuteMs - 20 * secondMs, ms <= 10 * minuteMs]).toEqual([true, true]);
});
