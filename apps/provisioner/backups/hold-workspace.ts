/** A stopped workspace must not start while its files are copied: whoever copies them holds it, as a reconciler would. */
import { claimWorkspace, giveBackWorkspace, leaseSeconds, renewLeases } from "#domain/workspaces/observation-store.ts";
import { secondMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";

/** Runs the work while no reconciler can take the workspace; false where somebody holds it now. */
export async function holdWorkspace(db: Database, id: string, worker: string, work: () => Promise<void>): Promise<boolean> {
  if (!(await claimWorkspace(db, id, worker))) return false;
  const renewal = setInterval(() => void renewLeases(db, worker, [id]).catch(() => undefined), (leaseSeconds * secondMs) / 3);
  try {
    await work();
  } finally {
    clearInterval(renewal);
    await giveBackWorkspace(db, id, worker).catch(() => undefined);
  }
  return true;
}
