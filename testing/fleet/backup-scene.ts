/** A simulated fleet whose backups are made by the real loop, with real encryption and storage. */
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, vi } from "vitest";
import { startBackupLoop, type BackupLoop } from "#apps/provisioner/backups/backup-loop.ts";
import { backups } from "#database/tables.ts";
import { requestBackup } from "#domain/backups/request-backup.ts";
import { readForBackup } from "#domain/backups/workspace-for-backup.ts";
import { systemClock } from "#platform/clock.ts";
import { settled } from "./sleepers.ts";
import { createTestFleet, type TestFleet } from "./test-fleet.ts";

/** What the backups of its workspaces count. */
export const counts = { workflows: 3, credentials: 2, executions: 1 };

/** Opens one for the tests of a file, and closes it after them. */
export function useBackupScene() {
  let fleet: TestFleet;
  let loop: BackupLoop;
  let names = 0;
  const startLoop = () => void (loop = startBackupLoop(fleet.backupTools));
  beforeAll(async () => {
    fleet = await createTestFleet();
    fleet.startLoop();
    startLoop();
  });
  afterAll(async () => {
    await loop?.stop();
    await fleet?.close();
  });
  const backupOf = async (id: string) => (await fleet.database.db.select().from(backups).where(eq(backups.id, id)))[0];
  return {
    get fleet() {
      return fleet;
    },
    get tools() {
      return fleet.backupTools;
    },
    /** An online workspace with some content. */
    async runWorkspace(): Promise<{ id: string; things: Map<string, string> }> {
      const id = await fleet.want(`backed-up-${(names += 1)}`);
      await fleet.until(id, settled);
      const things = fleet.world.get(id).storage;
      things.set("things/count.json", JSON.stringify(counts));
      things.set("things/flows.json", "as it was");
      things.set("counted.json", "not of the workspace");
      return { id, things };
    },
    workspaceOf: async (id: string) => (await readForBackup(fleet.database.db, { workspaceId: id, life: null }))!,
    backupOf,
    fileOf: ({ storedAs }: { storedAs: string | null }) => join(fleet.backupTools.storage.place, storedAs!),
    folderOf: () => join(fleet.backupTools.storage.place, "backups"),
    untilBackup: (id: string, state: string) =>
      vi.waitFor(
        async () => {
          loop.wake();
          const row = await backupOf(id);
          if (row?.state !== state) throw new Error(`not yet: ${JSON.stringify(row)}`);
          return row;
        },
        { timeout: 60_000, interval: 50 },
      ),
    /** As an owner requests one. */
    async request(id: string) {
      const row = await requestBackup(fleet.database.db, await fleet.row(id), "manual", systemClock.now());
      loop.wake();
      return row;
    },
    wake: () => loop.wake(),
    startLoop,
    stopLoop: () => loop.stop(),
  };
}
