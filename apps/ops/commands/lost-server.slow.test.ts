/** The steps of docs/runbooks/move-the-control-plane.md after the loss of a server, with a driver that cannot tell what it stores. */
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { startBackupLoop } from "#apps/provisioner/backups/backup-loop.ts";
import { createMemoryDriver } from "#apps/provisioner/drivers/memory/create-memory-driver.ts";
import { keepHost } from "#apps/provisioner/host/keep-host.ts";
import { backups, hosts } from "#database/tables.ts";
import { requestBackup } from "#domain/backups/request-backup.ts";
import { insertRestore } from "#domain/backups/restores/restore-store.ts";
import { listFound, noteRestored } from "#domain/workspaces/hosts/found-store.ts";
import { joinHost } from "#domain/workspaces/hosts/join-host.ts";
import { after, dayMs, systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { settled } from "#testing/fleet/sleepers.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";
import type { OpsContext } from "../command.ts";
import { restoreWorkspaces } from "./restore-workspaces.ts";

test(
  "on Docker or Kubernetes, all workspaces of a lost server are restored, and one that runs there is kept",
  { timeout: 180_000 },
  async () => {
    const fleet = await createTestFleet();
    onTestFinished(() => fleet.close());
    const { db } = fleet.database;
    const { listStored: _cannotTell, ...driver } = createMemoryDriver({ world: fleet.world, clock: systemClock, listen: true });
    const before = fleet.startLoop({ driver });
    const copies = startBackupLoop(fleet.backupTools);
    onTestFinished(() => copies.stop());
    const contentsOf = (id: string) => fleet.world.get(id).storage.get("things/flows.json");
    const launch = async (name: string) => {
      const id = await fleet.want(name);
      await fleet.until(id, settled);
      const { storage } = fleet.world.get(id);
      storage.set("things/count.json", '{"workflows":1,"credentials":0,"executions":0}');
      storage.set("things/flows.json", `of ${name}`);
      const backup = (await requestBackup(db, await fleet.row(id), "manual", new Date()))!;
      await vi.waitFor(
        async () => {
          copies.wake();
          const [row] = await db.select().from(backups).where(eq(backups.id, backup.id));
          expect(row!.state).toBe("successful");
        },
        { timeout: 60_000, interval: 50 },
      );
      return { id, backupId: backup.id };
    };
    const lost = [await launch("first"), await launch("second")];
    const running = await launch("third");
    await before.stop();
    await joinHost(db, { name: "main", address: null, freeMb: 1 });
    await db.update(hosts).set({ seenAt: after(new Date(), -dayMs) });
    // The dump is from the middle of its restore.
    await insertRestore(db, { workspaceId: running.id, backupId: running.backupId, actor: "Ada" }, after(new Date(), -dayMs));
    fleet.world.get(running.id).storage.set("things/flows.json", "changed since");
    for (const { id } of lost) {
      fleet.world.end(id, { code: 0, signal: null });
      fleet.world.workspaces.delete(id);
    }

    // Step 1.
    await noteRestored(db, new Date());
    // Step 2.
    const lines: string[] = [];
    const context = { db, clock: systemClock, config: { lastBackupDays: 30 }, operator: "grace", reason: "the server burned" };
    const print = (line: string) => lines.push(line);
    await restoreWorkspaces.run({ ...context, print } as unknown as OpsContext, { arguments: [], options: { host: "main", confirm: "2" } });
    // Step 3.
    const log = createLog("silent");
    const host = await keepHost({ db, driver, name: "main", address: null, availableMb: () => 9_000, onLost: () => undefined, log });
    onTestFinished(() => host.stop());
    const loop = fleet.startLoop({ driver, host });
    expect((await listFound(db)).map(({ id, reason }) => [id, reason])).toEqual([[running.id, "changing"]]);
    for (const [at, { id }] of lost.entries())
      await vi.waitFor(
        async () => {
          loop.wake();
          expect(settled(await fleet.row(id)) && contentsOf(id)).toBe(`of ${["first", "second"][at]}`);
        },
        { timeout: 60_000, interval: 50 },
      );
    expect(contentsOf(running.id)).toBe("changed since");
    expect(fleet.world.get(running.id).run).toBeDefined();
  },
);
