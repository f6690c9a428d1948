/** A stopped workspace must not start while its files are copied, so the copying process holds it as a reconciler would. */
import { BackupFailure } from "#domain/backups/backup-failure.ts";
import { claimWorkspace, giveBackWorkspace, leaseSeconds, renewLeases } from "#domain/workspaces/observed/claim-workspaces.ts";
import { secondMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";

/**
 * Runs the work while no reconciler can take the workspace. Rejects with BackupFailure `again` if another process holds it now, or took it
 * before the work ended, as happens to a worker that stalled for too long.
 */
export async function holdWorkspace<T>(db: Database, id: string, work: () => Promise<T>): Promise<T> {
  const holder = newId();
  if (!(await claimWorkspace(db, id, holder))) throw new BackupFailure("again", "the workspace is being changed");
  const renewal = setInterval(() => void renewLeases(db, holder, [id]).catch(() => undefined), (leaseSeconds * secondMs) / 3);
  try {
    const done = await work();
    if ((await renewLeases(db, holder, [id])).length === 0)
      throw new BackupFailure("again", "another process took the workspace meanwhile");
    return done;
  } finally {
    clearInterval(renewal);
    await giveBackWorkspace(db, id, holder).catch(() => undefined);
  }
}
