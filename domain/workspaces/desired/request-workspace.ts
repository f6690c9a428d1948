/** Requests a workspace for a customer; the provisioner creates it (apps/provisioner/reconcile/reconcile-workspace.ts). */
import { say } from "#contract/sentences/say.ts";
import type { Connection } from "#platform/database.ts";
import { takeBlank } from "../blanks/blank-store.ts";
import { announceWorkspace, insertWorkspace, writeJournal, type NewWorkspace } from "../workspace-store.ts";

/** In the caller's transaction. An account that has a workspace keeps it. If a blank fits, that becomes the new workspace. */
export async function requestWorkspace(
  db: Connection,
  accountName: string,
  desired: NewWorkspace,
  now: Date,
  actor?: string,
): Promise<void> {
  const inserted = await insertWorkspace(db, desired, now);
  if (!inserted) return;
  // Before anything refers to its id.
  const id = (await takeBlank(db, inserted, desired)) ?? inserted;
  await writeJournal(db, id, { event: "requested", message: say("requested"), ...(actor ? { actor } : {}) }, now);
  await announceWorkspace(db, id, accountName);
}
