/** Requests a workspace for a customer; the provisioner creates it (apps/provisioner/reconcile/reconcile-workspace.ts). */
import type { Connection } from "#platform/database.ts";
import { announceWorkspace, insertWorkspace, writeJournal, type NewWorkspace } from "../workspace-store.ts";

/** In the caller's transaction. An account that has a workspace keeps it. */
export async function requestWorkspace(
  db: Connection,
  accountName: string,
  wanted: NewWorkspace,
  now: Date,
  actor?: string,
): Promise<void> {
  const id = await insertWorkspace(db, wanted, now);
  if (!id) return;
  await writeJournal(db, id, { event: "requested", message: "Workspace requested", ...(actor ? { actor } : {}) }, now);
  await announceWorkspace(db, id, accountName);
}
