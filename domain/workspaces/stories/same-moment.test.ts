/** Events that are ordered by time, when two are in the same millisecond or the clock was set back between them. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { say } from "#contract/sentences/say.ts";
import { backups, restores, workspaces, workspaceUpdates } from "#database/tables.ts";
import { newestRestore } from "../../backups/restores/restore-store.ts";
import { listFailedVersions, newestUpdate } from "../../updates/update-store.ts";
import { after, hourMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { claimWorkspace, release } from "../observed/claim-workspaces.ts";
import { readHeld } from "../observed/observation-store.ts";
import { renewWorkspace } from "../desired/renew-workspace.ts";
import { setDesiredState } from "../desired/set-desired-state.ts";

let fleet: TestFleet;
beforeAll(async () => {
  fleet = await createTestFleet();
});
afterAll(() => fleet.close());

const line = { event: "paid", message: say("paid") } as const;

test.each(["renewed", "paid"])(
  "a %s workspace has none of the last one's changes, also of those that began at this moment or, by a clock set back since, later",
  async (how) => {
    const { db } = fleet.database;
    const id = await fleet.want(`acme-${how}`);
    const { accountId } = await fleet.row(id);
    const now = new Date();
    const backupId = newId();
    await db.insert(backups).values({
      id: backupId,
      accountId,
      workspaceId: id,
      kind: "manual",
      engine: "n8n",
      engineVersion: "2.0.0",
      state: "successful",
      createdAt: now,
    });
    for (const startedAt of [now, after(now, hourMs)]) {
      await db.insert(workspaceUpdates).values({
        id: newId(),
        workspaceId: id,
        life: 1,
        fromVersion: "2.0.0",
        toVersion: "2.1.0",
        askedBy: "owner",
        state: "failed",
        reason: "x",
        startedAt,
        finishedAt: startedAt,
      });
      await db.insert(restores).values({
        id: newId(),
        workspaceId: id,
        life: 1,
        backupId,
        actor: "Ada",
        state: "failed",
        createdAt: startedAt,
        finishedAt: startedAt,
      });
    }
    await db.update(workspaces).set({ desiredState: "deleted", observedState: "deleted" }).where(eq(workspaces.id, id));
    await db.transaction(async (tx) => {
      if (how === "renewed") await renewWorkspace(tx, accountId, { desiredVersion: "2.0.0", timezone: "Etc/UTC", memoryMb: 512 }, now);
      else await setDesiredState(tx, accountId, "running", line, now);
    });
    expect((await fleet.row(id)).renewedAt).toEqual(now);
    expect(await newestUpdate(db, id)).toBeNull();
    expect(await newestRestore(db, id)).toBeNull();
    expect((await listFailedVersions(db, [id])).size).toBe(0);
  },
);

test("a change in the same millisecond as the one a worker is handling is due when the worker releases the workspace", async () => {
  const { db } = fleet.database;
  const id = await fleet.want("acme");
  const worker = newId();
  await claimWorkspace(db, id, worker);
  const held = (await readHeld(db, id, worker))!;
  await db.transaction((tx) => setDesiredState(tx, held.accountId, "stopped", line, held.updatedAt));
  await release(db, held, worker, null, new Date());
  expect(await fleet.row(id)).toMatchObject({ desiredState: "stopped", reconcileAt: expect.any(Date) });
});
