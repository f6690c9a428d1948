/** A workspace that comes back from its last backup: it never starts empty instead, whatever happens before its files are in place. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { say } from "#contract/sentences/say.ts";
import { restores } from "#database/tables.ts";
import { BackupFailure } from "#domain/backups/backup-failure.ts";
import { holdLastBackup, restoreLastBackup } from "#domain/backups/last-backup.ts";
import { setDesiredState } from "#domain/workspaces/desired/set-desired-state.ts";
import { settled } from "#testing/fleet/sleepers.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";

let fleet: TestFleet;
beforeAll(async () => void (fleet = await createTestFleet()));
afterAll(() => fleet?.close());

const things = JSON.stringify({ workflows: 3, credentials: 2, executions: 1 });
const contentsOf = (id: string) => fleet.world.get(id).storage.get("things/count.json");
const restoresOf = (id: string) =>
  fleet.database.db.select().from(restores).where(eq(restores.workspaceId, id)).orderBy(restores.createdAt);

/** Fails the next restores with this code. */
let fails: BackupFailure["code"] | null = null;

function startLoop() {
  const { backups: real } = fleet.reconciler();
  return fleet.startLoop({
    backups: {
      ...real,
      async restore(workspace, backupId) {
        if (fails) throw new BackupFailure(fails, `it is ${fails}`);
        return real.restore(workspace, backupId);
      },
    },
  });
}

async function set(id: string, desired: "running" | "stopped" | "deleted"): Promise<void> {
  const { accountId } = await fleet.row(id);
  await fleet.database.db.transaction((tx) => setDesiredState(tx, accountId, desired, { event: "paid", message: say("paid") }, new Date()));
}

/** As a payment does. */
async function bringBack(id: string): Promise<string> {
  const { accountId, life } = await fleet.row(id);
  const now = new Date();
  return fleet.database.db.transaction(async (tx) => {
    const last = (await holdLastBackup(tx, { accountId, life }, now))!;
    await setDesiredState(tx, accountId, "running", { event: "paid", message: say("paid") }, now);
    await restoreLastBackup(tx, last, { actor: "Ada", days: 30, now });
    return last.id;
  });
}

/** One that was used and deleted, with its last backup. */
async function deleted(name: string): Promise<string> {
  const loop = startLoop();
  const id = await fleet.want(name);
  await fleet.until(id, settled);
  fleet.world.get(id).storage.set("things/count.json", things);
  await set(id, "deleted");
  loop.wake();
  await fleet.until(id, ({ observedState, leaseOwner }) => observedState === "deleted" && leaseOwner === null);
  await loop.stop();
  return id;
}

test("a workspace that is stopped before its last backup was restored comes back with it once it runs again", async () => {
  const id = await deleted("stopped-first");
  const backupId = await bringBack(id);
  await set(id, "stopped");
  const loop = startLoop();
  await fleet.until(id, ({ observedState }) => observedState === "stopped");
  expect(await restoresOf(id)).toMatchObject([{ backupId, finishedAt: null }]);
  await set(id, "running");
  loop.wake();
  await fleet.until(id, settled);
  expect(contentsOf(id)).toBe(things);
  expect(await restoresOf(id)).toMatchObject([{ backupId, life: 2, state: "successful" }]);
  await loop.stop();
});
