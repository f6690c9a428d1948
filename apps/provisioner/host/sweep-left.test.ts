import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { blanks, workspaces } from "#database/tables.ts";
import { renewWorkspace } from "#domain/workspaces/desired/renew-workspace.ts";
import { createLog } from "#platform/log.ts";
import { newId } from "#platform/ids.ts";
import type { WorkspaceRow } from "#domain/workspaces/workspace-store.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import type { ReconcileLoop } from "../reconcile/reconcile-loop.ts";
import { sweepLeft } from "./sweep-left.ts";

const openFleet = async (): Promise<TestFleet> => {
  const fleet = await createTestFleet();
  onTestFinished(() => fleet.close());
  return fleet;
};

/** A workspace in this state, of which this host has files. */
async function leave(fleet: TestFleet, name: string, columns: Partial<WorkspaceRow>): Promise<string> {
  const id = await fleet.want(name);
  await fleet.database.db
    .update(workspaces)
    .set({ reconcileAt: null, ...columns })
    .where(eq(workspaces.id, id));
  store(fleet, id);
  return id;
}

const store = ({ world }: TestFleet, id: string) =>
  void world.workspaces.set(id, { storage: new Map([["things/flows.json", "kept"]]), output: "", unresponsive: false, stubborn: false });

const renew = ({ database }: TestFleet, accountId: string) =>
  database.db.transaction((tx) =>
    renewWorkspace(tx, accountId, { desiredVersion: "2.0.0", timezone: "Etc/UTC", memoryMb: 512 }, new Date()),
  );

const partsOf = ({ database, backupTools }: TestFleet) => ({ db: database.db, driver: backupTools.driver, log: createLog("silent") });

test("files of a workspace that was deleted while its host was away are removed, and no others", async () => {
  const fleet = await openFleet();
  const { db } = fleet.database;
  const gone = { desiredState: "deleted", observedState: "deleted" } as const;
  const deleted = [
    await leave(fleet, "elsewhere", { ...gone, host: "two" }),
    await leave(fleet, "nowhere", { ...gone, host: null }),
    await leave(fleet, "here", { ...gone, host: "main" }),
  ];
  const kept = [
    await leave(fleet, "runs-here", { observedState: "online", ownerSetUpAt: new Date() }),
    await leave(fleet, "runs-elsewhere", { observedState: "online", host: "two" }),
    await leave(fleet, "waits", { host: null, lostFrom: "main" }),
    await leave(fleet, "paused", { desiredState: "stopped", observedState: "stopped" }),
    // Its last backup is made of these files.
    await leave(fleet, "being-deleted", { desiredState: "deleted", observedState: "online" }),
    await leave(fleet, "being-removed", { desiredState: "deleted", observedState: "stopped", observedVersion: null }),
    await leave(fleet, "wanted-again", { desiredState: "running", observedState: "deleted" }),
    // Another worker is handling it.
    await leave(fleet, "held", { ...gone, leaseOwner: newId(), leaseUntil: new Date(Date.now() + 60_000) }),
  ];
  const blank = newId();
  await db.insert(blanks).values({
    id: blank,
    number: 99_999,
    engine: "n8n",
    version: "2.0.0",
    memoryMb: 512,
    secrets: "-",
    state: "ready",
    createdAt: new Date(),
  });
  // Of an account that this database does not know, as after the restore of an older one; and a folder that is not a workspace's.
  for (const id of [blank, newId(), "lost+found"]) {
    store(fleet, id);
    kept.push(id);
  }
  await sweepLeft(partsOf(fleet));
  expect([...fleet.world.workspaces.keys()].toSorted()).toEqual(kept.toSorted());
  for (const id of deleted) expect(await fleet.row(id)).toMatchObject({ ...gone, leaseOwner: null, leaseUntil: null });
});

test("a workspace requested again after the host has looked is not touched", async () => {
  const fleet = await openFleet();
  const gone = { desiredState: "deleted", observedState: "deleted" } as const;
  const ids = [await leave(fleet, "one", gone), await leave(fleet, "two", gone)];
  const { db, driver, log } = partsOf(fleet);
  await sweepLeft({
    db,
    log,
    driver: {
      listStored: driver.listStored!,
      async remove(workspaceId) {
        const { accountId } = await fleet.row(ids.find((id) => id !== workspaceId)!);
        await renew(fleet, accountId);
        await driver.remove(workspaceId);
      },
    },
  });
  expect(fleet.world.workspaces.size).toBe(1);
  const [left] = fleet.world.workspaces.keys();
  expect(await fleet.row(left!)).toMatchObject({ desiredState: "running", leaseOwner: null });
});

test("while its files are removed it starts nowhere, and afterwards it can", async () => {
  const fleet = await openFleet();
  const id = await leave(fleet, "acme", { desiredState: "deleted", observedState: "deleted" });
  const { accountId } = await fleet.row(id);
  const { db, driver, log } = partsOf(fleet);
  let loop: ReconcileLoop | undefined;
  let isInHand = false;
  await sweepLeft({
    db,
    log,
    driver: {
      listStored: driver.listStored!,
      async remove(workspaceId) {
        await renew(fleet, accountId);
        loop = fleet.startLoop();
        await new Promise((resolve) => setTimeout(resolve, 300));
        isInHand = fleet.world.get(workspaceId).run !== undefined;
        await driver.remove(workspaceId);
      },
    },
  });
  expect(isInHand).toBe(false);
  loop!.wake();
  await fleet.until(id, (row) => row.observedState === "online");
  expect(fleet.world.get(id).storage.has("things/flows.json")).toBe(false);
});
