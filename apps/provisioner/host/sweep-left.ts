/**
 * Removes what this host still has of workspaces that were deleted while another host had them: their owners were told that everything is
 * gone. Nothing is removed of any other workspace, wherever it is, because the files here may be the newest.
 */
import { claimGone, listGone } from "#domain/workspaces/hosts/left-store.ts";
import { giveBackWorkspace, leaseSeconds, renewLeases } from "#domain/workspaces/observed/claim-workspaces.ts";
import { secondMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { isId, newId } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";
import type { Driver } from "../drivers/driver.ts";

interface LeftParts {
  db: Database;
  driver: Pick<Driver, "listStored" | "remove">;
  log: Log;
}

/** Looks once. Whatever cannot be removed now is found by the next look. */
export async function sweepLeft({ db, driver, log }: LeftParts, isStopping: () => boolean = () => false): Promise<void> {
  // The folder may contain others besides the workspaces'. Ids that belong to no workspace are left alone: the database may be older.
  const stored = (await driver.listStored?.()) ?? [];
  for (const workspaceId of await listGone(db, stored.filter(isId))) {
    if (isStopping()) return;
    const worker = newId();
    if (!(await claimGone(db, workspaceId, worker))) continue;
    // Millions of files take minutes.
    const renewal = setInterval(() => void renewLeases(db, worker, [workspaceId]).catch(() => undefined), (leaseSeconds * secondMs) / 3);
    try {
      await driver.remove(workspaceId);
      log.info({ workspaceId }, "the files of a workspace that was deleted while another host had it were removed");
    } catch (err) {
      log.warn({ err, workspaceId }, "the files of a workspace that was deleted while another host had it could not be removed yet");
    } finally {
      clearInterval(renewal);
      await giveBackWorkspace(db, workspaceId, worker);
    }
  }
}
