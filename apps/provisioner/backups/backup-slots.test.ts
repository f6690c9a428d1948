import { Readable } from "node:stream";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { backups } from "#database/tables.ts";
import { claimBackups } from "#domain/backups/backup-queue.ts";
import { requestBackup } from "#domain/backups/request-backup.ts";
import { newId } from "#platform/ids.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { startBackupLoop } from "./backup-loop.ts";
import { createBackupSlots } from "./backup-slots.ts";

async function online(fleet: TestFleet, name: string): Promise<string> {
  const id = await fleet.want(name);
  await fleet.until(id, (row) => row.observedState === "online");
  fleet.world.get(id).storage.set("things/flows.json", name);
  return id;
}

const backUp = async (fleet: TestFleet, id: string) => requestBackup(fleet.database.db, await fleet.row(id), "manual", new Date());

test("copies that hang while they are read do not block the packing of others", async () => {
  await using fleet = await createTestFleet();
  fleet.startLoop();
  const { driver } = fleet.backupTools;
  const hanging = new Map<string, Readable>();
  const hangs = new Set([await online(fleet, "hangs-1"), await online(fleet, "hangs-2")]);
  const well = await online(fleet, "well");
  const loop = startBackupLoop({
    ...fleet.backupTools,
    slots: createBackupSlots(200),
    driver: {
      ...driver,
      readStorage(place, paths) {
        if (!hangs.has(place.workspaceId)) return driver.readStorage(place, paths);
        const stream = new Readable({ read: () => undefined });
        hanging.set(place.workspaceId, stream);
        return Promise.resolve(stream);
      },
    },
  });
  for (const id of hangs) await backUp(fleet, id);
  await vi.waitFor(
    () => {
      loop.wake();
      expect(hanging.size).toBe(2);
    },
    { timeout: 20_000 },
  );
  const { id } = await backUp(fleet, well);
  loop.wake();
  await vi.waitFor(
    async () => expect((await fleet.database.db.select().from(backups).where(eq(backups.id, id)))[0]!.state).toBe("successful"),
    { timeout: 20_000, interval: 50 },
  );
  for (const stream of hanging.values()) stream.destroy(new Error("the test is over"));
  await loop.stop();
});

test("backups not tried yet come before failed ones, however long those have been due", async () => {
  await using fleet = await createTestFleet();
  fleet.startLoop();
  const { db } = fleet.database;
  const failed = await backUp(fleet, await online(fleet, "failed"));
  await db
    .update(backups)
    .set({ attempts: 1, dueAt: new Date(0) })
    .where(eq(backups.id, failed.id));
  const fresh = await backUp(fleet, await online(fleet, "fresh"));
  expect((await claimBackups(db, newId(), new Date(), 1)).map(({ id }) => id)).toEqual([fresh.id]);
  expect((await claimBackups(db, newId(), new Date(), 1)).map(({ id }) => id)).toEqual([failed.id]);
});
