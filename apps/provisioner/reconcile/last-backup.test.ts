/** Nothing is deleted before its last backup was made and verified. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { deleteWithoutBackup } from "#apps/ops/commands/delete-without-backup.ts";
import type { OpsContext } from "#apps/ops/command.ts";
import { backups, workspaces } from "#database/tables.ts";
import { BackupFailure } from "#domain/backups/backup-failure.ts";
import { countFleet } from "#domain/workspaces/observed/fleet-store.ts";
import { requestDeletion } from "#domain/workspaces/desired/renew-workspace.ts";
import { systemClock } from "#platform/clock.ts";
import { settled } from "#testing/fleet/sleepers.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";

let fleet: TestFleet;
beforeAll(async () => void (fleet = await createTestFleet()));
afterAll(() => fleet?.close());

/** Fails the next last backups with this code. */
let fails: BackupFailure["code"] | null = null;

async function startDeletion(name: string): Promise<{ id: string; loop: ReturnType<TestFleet["startLoop"]> }> {
  const { backups: real } = fleet.reconciler();
  const loop = fleet.startLoop({
    backups: {
      ...real,
      async make(workspace, kind) {
        if (fails) throw new BackupFailure(fails, `it is ${fails}`);
        return real.make(workspace, kind);
      },
    },
  });
  const id = await fleet.want(name);
  await fleet.until(id, settled);
  fleet.world.get(id).storage.set("things/count.json", JSON.stringify({ workflows: 3, credentials: 2, executions: 1 }));
  const { accountId } = await fleet.row(id);
  await fleet.database.db.transaction((tx) => requestDeletion(tx, accountId, new Date()));
  loop.wake();
  return { id, loop };
}

const ops = (login: string) =>
  deleteWithoutBackup.run(
    { db: fleet.database.db, clock: systemClock, operator: "grace", print: () => undefined } as unknown as OpsContext,
    {
      arguments: [login],
      options: {},
    },
  );
const due = (id: string) => fleet.database.db.update(workspaces).set({ reconcileAt: new Date() }).where(eq(workspaces.id, id));

test.each(["damaged", "uninspected", "too_large", "missing", "no_room", "failed"] as const)(
  "a last backup that is %s deletes nothing, however often it fails; it is counted, and the deletion continues once it succeeds",
  async (code) => {
    fails = code;
    const { id, loop } = await startDeletion(`never-${code.replace("_", "-")}`);
    // More tries than a cause that may pass by itself needs.
    for (let times = 1; times <= 10; times += 1) {
      await fleet.until(id, ({ failures }) => failures >= times);
      await due(id);
      loop.wake();
    }
    expect(await fleet.row(id)).toMatchObject({ desiredState: "deleted", observedState: "offline", reasonCode: "last-backup-failed" });
    expect(fleet.world.get(id).storage.has("things/count.json")).toBe(true);
    expect((await countFleet(fleet.database.db, new Date())).lastBackupsFailing).toBe(1);
    // By then it is tried seldom: a copy of gigabytes every few minutes would only be a burden.
    await vi.waitFor(async () => expect((await fleet.row(id)).reconcileAt!.getTime()).toBeGreaterThan(Date.now() + 30 * 60_000));
    fails = null;
    await due(id);
    loop.wake();
    await fleet.until(id, ({ observedState }) => observedState === "deleted");
    const made = await fleet.database.db.select().from(backups).where(eq(backups.workspaceId, id));
    expect(made).toMatchObject([{ kind: "before-deletion", state: "successful", workflows: 3, verifiedAt: expect.any(Date) }]);
    expect((await countFleet(fleet.database.db, new Date())).lastBackupsFailing).toBe(0);
    await loop.stop();
  },
);

test("only an operator deletes a workspace without its last backup, and only one whose deletion waits for it", async () => {
  fails = "too_large";
  const { id, loop } = await startDeletion("given-up");
  await fleet.until(id, ({ reasonCode }) => reasonCode === "last-backup-failed");
  await expect(ops("nobody")).rejects.toThrow("No account");
  await ops("given-up");
  loop.wake();
  await fleet.until(id, ({ observedState }) => observedState === "deleted");
  expect(await fleet.database.db.select().from(backups).where(eq(backups.workspaceId, id))).toMatchObject([
    { kind: "before-deletion", state: "failed", detail: "given up by grace" },
  ]);
  await expect(ops("given-up")).rejects.toThrow("No deletion of a workspace");
  const { rows } = await fleet.database.pool.query("select after from audit_log where action = 'workspace.last-backup-given-up'");
  expect(rows).toEqual([{ after: { workspaceId: id, operator: "grace" } }]);
  await loop.stop();
});
