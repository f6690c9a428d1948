import { eq, inArray } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { say } from "#contract/sentences/say.ts";
import { backups, workspaceJournal, workspaces } from "#database/tables.ts";
import { nothingLeft } from "#domain/workspaces/hosts/host-names.ts";
import { setDesiredState } from "#domain/workspaces/desired/set-desired-state.ts";
import { minuteMs, systemClock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { createLog } from "#platform/log.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";
import { createBackups } from "../backups/create-backups.ts";
import { startMovingOut } from "./move-out.ts";

/** The drain of a host, whose time passes only on request. */
function startDrain(db: Database) {
  let now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => void vi.restoreAllMocks());
  const looks = vi.fn<() => boolean>(() => true);
  const host = { name: "main", isDraining: looks };
  const leaving = startMovingOut({ db, host, clock: systemClock, log: createLog("silent") }, 5);
  onTestFinished(() => leaving.stop());
  return {
    leaving,
    pass: (minutes: number) => void (now += minutes * minuteMs),
    afterSomeLooks: () => {
      const before = looks.mock.calls.length;
      return vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(before + 3), { timeout: 20_000, interval: 5 });
    },
  };
}

test("a workspace that cannot be copied is tried less and less often, because each attempt takes it offline", async () => {
  await using fleet = await createTestFleet();
  const id = await fleet.want("acme");
  const { leaving, pass, afterSomeLooks } = startDrain(fleet.database.db);
  const chosen = () => vi.waitFor(() => expect(leaving.has(id)).toBe(true), { timeout: 20_000, interval: 5 });
  await chosen();
  for (const minutes of [10, 20, 40, 80, 160, 320, 360, 360]) {
    leaving.putOff(id);
    pass(minutes - 1);
    await afterSomeLooks();
    expect(leaving.has(id)).toBe(false);
    pass(2);
    await chosen();
  }
});

test("workspaces that do not move for longer than a copy may take keep no others on the host", async () => {
  await using fleet = await createTestFleet();
  const ids: string[] = [];
  for (const name of ["one", "two", "three", "four", "five"]) ids.push(await fleet.want(name));
  const { db } = fleet.database;
  const { leaving, pass, afterSomeLooks } = startDrain(db);
  const chosen = () => ids.filter((id) => leaving.has(id));
  const untilChosen = (many: number) => vi.waitFor(() => expect(chosen()).toHaveLength(many), { timeout: 20_000, interval: 5 });
  await untilChosen(2);
  const silent = chosen();
  pass(74);
  // However much a chosen one is used, it stays chosen.
  await db.update(workspaces).set({ usedAt: new Date() }).where(eq(workspaces.id, silent[0]!));
  await afterSomeLooks();
  expect(chosen()).toEqual(silent);
  pass(2);
  await vi.waitFor(() => expect(chosen().filter((id) => !silent.includes(id))).toHaveLength(2), { timeout: 20_000, interval: 5 });
  expect(chosen()).toHaveLength(2);
  // One that has left makes room for another; the silent ones are tried again later.
  const next = chosen()[0]!;
  await db.update(workspaces).set({ host: "other" }).where(eq(workspaces.id, next));
  await vi.waitFor(() => expect(chosen()).not.toContain(next), { timeout: 20_000, interval: 5 });
  await untilChosen(2);
  expect(chosen().some((id) => silent.includes(id))).toBe(false);
  pass(11);
  await db.update(workspaces).set({ host: "other" }).where(inArray(workspaces.id, chosen()));
  await vi.waitFor(() => expect(chosen().toSorted()).toEqual(silent.toSorted()), { timeout: 20_000, interval: 5 });
});

test("a workspace whose backup is gone before its row could name it stays, keeps running, and is moved later", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  const first = fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, ({ observedState, leaseOwner }) => observedState === "online" && leaseOwner === null);
  fleet.world.get(id).storage.set("things/count.json", '{"workflows":1,"credentials":0,"executions":0}');
  await first.stop();
  await db.update(workspaces).set({ reconcileAt: new Date() }).where(eq(workspaces.id, id));
  const made = createBackups(fleet.backupTools);
  const leaves = new Set([id]);
  fleet.startLoop({
    leaving: { has: (each) => leaves.has(each), putOff: (each) => void leaves.delete(each) },
    backups: {
      ...made,
      async make(workspace, kind) {
        const row = await made.make(workspace, kind);
        await db.update(backups).set({ state: "removed" }).where(eq(backups.id, row.id));
        return row;
      },
    },
  });
  await vi.waitFor(async () => expect(await fleet.journal(id)).toContain("move-delayed"), { timeout: 20_000 });
  await fleet.until(id, (row) => row.observedState === "online" && row.gatewayOpen);
  expect(await fleet.row(id)).toMatchObject({ host: "main", arriving: null, failures: 0 });
  expect(await fleet.journal(id)).not.toContain("fault");
});

test.for(["running", "stopped"] as const)("a %s workspace without its files does not leave, and operators see why", async (desired) => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  const first = fleet.startLoop();
  const id = await fleet.want("acme");
  const { accountId } = await fleet.until(id, ({ observedState, leaseOwner }) => observedState === "online" && leaseOwner === null);
  if (desired === "stopped") {
    const line = { event: "subscription-paused", message: say("subscriptionPaused", { days: 30 }) } as const;
    await db.transaction((tx) => setDesiredState(tx, accountId, "stopped", line, new Date()));
    await fleet.until(id, ({ observedState, leaseOwner }) => observedState === "stopped" && leaseOwner === null);
  }
  await first.stop();
  fleet.world.reboot();
  const files = fleet.world.get(id);
  const leaves = new Set([id]);
  const makeDue = () => db.update(workspaces).set({ reconcileAt: new Date() }).where(eq(workspaces.id, id));
  const untilTold = () => fleet.until(id, (row) => row.reasonCode === "files-missing" && row.leaseOwner === null && !leaves.has(id));

  fleet.world.workspaces.delete(id);
  await makeDue();
  const loop = fleet.startLoop({ leaving: { has: (each) => leaves.has(each), putOff: (each) => void leaves.delete(each) } });
  await untilTold();
  // The leftovers of a failed restore are no longer its data.
  fleet.world.workspaces.set(id, files);
  await db.update(workspaces).set({ arriving: nothingLeft, reasonCode: null }).where(eq(workspaces.id, id));
  leaves.add(id);
  await makeDue();
  loop.wake();
  await untilTold();
  expect(await fleet.row(id)).toMatchObject({ host: "main", arriving: nothingLeft, desiredState: desired });
  const journal = await db.select().from(workspaceJournal).where(eq(workspaceJournal.workspaceId, id));
  expect(journal.flatMap(({ event, detail }) => (event === "move-delayed" ? [detail] : []))).toEqual([
    "this host has no files of the workspace",
    expect.stringContaining("left over from a restore"),
  ]);
});
