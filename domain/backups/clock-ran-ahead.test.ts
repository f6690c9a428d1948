/** A host whose clock ran ten days ahead for a night, then right again: what it wrote as "last" says nothing. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { backups, workspaces } from "#database/tables.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { after, dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { requestRestart } from "../workspaces/workspace-store.ts";
import { isNightlyDue, leastPauseMs } from "./nightly-schedule.ts";
import { beginNightlyBackup, dropFutureChecks, listNightlyCandidates, putOffNightly } from "./nightly-store.ts";

async function online(fleet: TestFleet) {
  const loop = fleet.startLoop();
  const id = await fleet.want("acme");
  const row = await fleet.until(id, (each) => each.observedState === "online" && each.leaseOwner === null);
  await loop.stop();
  return row;
}

test("a workspace has its next nightly backup on time, and one a night after that", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  const { id: workspaceId, accountId } = await online(fleet);
  const wanted = { workspaceId, accountId, engine: "n8n", engineVersion: "2.0.0" } as const;
  const now = new Date();
  // The night ten days ahead.
  const ahead = after(now, 10 * dayMs);
  await db.update(workspaces).set({ createdAt: after(now, -2 * dayMs) });
  await db.insert(backups).values({ ...wanted, id: newId(), kind: "nightly", state: "successful", createdAt: ahead });
  await putOffNightly(db, workspaceId, after(ahead, leastPauseMs));

  await dropFutureChecks(db, now);
  const [candidate] = await listNightlyCandidates(db, now, 10);
  expect(candidate).toBeDefined();
  expect(isNightlyDue(candidate!, now)).toBe(true);
  expect(await beginNightlyBackup(db, wanted, after(now, -leastPauseMs), now)).toBe(true);
  const [next] = await listNightlyCandidates(db, now, 10);
  expect(isNightlyDue(next!, after(now, hourMs))).toBe(false);
  expect(await beginNightlyBackup(db, wanted, after(now, -leastPauseMs), after(now, hourMs))).toBe(false);
});

test("a check that was put off for a night stays put off", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  const { id } = await online(fleet);
  const until = after(new Date(), 30 * hourMs);
  await putOffNightly(db, id, until);
  await dropFutureChecks(db, new Date());
  expect((await fleet.row(id)).nightlyAt).toEqual(until);
});

test("a restart is carried out, whatever the clock said when the last one was requested", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  const { id, accountId } = await online(fleet);
  const now = new Date();
  const soon = after(now, 3 * minuteMs);
  const values = { restartAskedAt: after(now, 10 * dayMs), observedGeneration: 0, failures: 3, reconcileAt: soon };
  await db.update(workspaces).set(values).where(eq(workspaces.id, id));
  expect(await requestRestart(db, accountId, now)).toMatchObject({ generation: 2, reconcileAt: now, restartAskedAt: now });
});
