/** One reconcile pass of a worker that is killed during it. */
import { reconcileWorkspace } from "#apps/provisioner/reconcile/reconcile-workspace.ts";
import { workspaces } from "#database/tables.ts";
import { claimWorkspace } from "#domain/workspaces/observed/claim-workspaces.ts";
import { newId } from "#platform/ids.ts";
import { createMortal, mortalDatabase, mortalDriver } from "./mortal-process.ts";
import type { TestFleet } from "./test-fleet.ts";

/** A pass alone on its host: it waits for no slot and no place among starts. */
export const lonelyPlace = { slot: { outside: <T>(work: () => Promise<T>) => work() }, boot: { begin: async () => {}, end: () => {} } };

/**
 * Claims the workspace and runs a pass whose worker dies at its `lifetime`th step, before or after it. Its lease is over afterwards. False
 * if the pass ended first. Throws if another worker has the workspace.
 */
export async function dieInPass(fleet: TestFleet, id: string, lifetime: number, diesBefore: boolean): Promise<boolean> {
  const { db, pool } = fleet.database;
  const worker = newId();
  if (!(await claimWorkspace(db, id, worker))) throw new Error("another worker has the workspace");
  const mortal = createMortal(lifetime, diesBefore);
  const reconciler = fleet.reconciler();
  const dying = { ...reconciler, driver: mortalDriver(reconciler.driver, mortal) };
  await reconcileWorkspace(mortalDatabase(pool, mortal), dying, id, worker, lonelyPlace).catch(() => null);
  const died = mortal.isDead();
  await db.update(workspaces).set({ leaseOwner: null, leaseUntil: null });
  return died;
}
