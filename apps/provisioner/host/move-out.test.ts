import { eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { backups, workspaces } from "#database/tables.ts";
import { minuteMs, systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";
import { createBackups } from "../backups/create-backups.ts";
import { startMovingOut } from "./move-out.ts";

test("a workspace that cannot be copied is tried less and less often: each try takes it offline", async () => {
  await using fleet = await createTestFleet();
  const id = await fleet.want("acme");
  let now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => void vi.restoreAllMocks());
  const looks = vi.fn<() => boolean>(() => true);
  const host = { name: "main", isDraining: looks };
  const leaving = startMovingOut({ db: fleet.database.db, host, clock: systemClock, log: createLog("silent") }, 5);
  onTestFinished(() => leaving.stop());
  const chosen = () => vi.waitFor(() => expect(leaving.has(id)).toBe(true), { timeout: 20_000, interval: 5 });
  const afterSomeLooks = () => {
    const before = looks.mock.calls.length;
    return vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(before + 3), { timeout: 20_000, interval: 5 });
  };
  await chosen();
  for (const minutes of [10, 20, 40, 80, 160, 320, 360, 360]) {
    leaving.putOff(id);
    now += (minutes - 1) * minuteMs;
    await afterSomeLooks();
    expect(leaving.has(id)).toBe(false);
    now += 2 * minuteMs;
    await chosen();
  }
});

test("a workspace whose backup is gone before its row could name it stays, runs on, and is moved later", async () => {
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
