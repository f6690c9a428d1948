/** A stopped workspace must not start while its files are copied, so the copying process holds it as a reconciler would. */
import { BackupFailure } from "#domain/backups/backup-failure.ts";
import { claimWorkspace, giveBackWorkspace, leaseSeconds, renewLeases } from "#domain/workspaces/observed/claim-workspaces.ts";
import { isSleeperDue } from "#domain/workspaces/observed/sleep-store.ts";
import { secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";

/** A visitor waits for a stopped sleeper to start, at most 28 s. */
const lookEveryMs = secondMs;

/**
 * Runs the work while no reconciler can take the workspace. Its signal is aborted when a sleeping workspace is used or due: the work should
 * end then, so that the workspace can start. Rejects with BackupFailure `again` if another process holds it now, or took it before the work
 * ended, as happens to a worker that stalled for too long.
 */
export async function holdWorkspace<T>(
  { db, clock }: { db: Database; clock: Clock },
  id: string,
  work: (wanted: AbortSignal) => Promise<T>,
): Promise<T> {
  const holder = newId();
  if (!(await claimWorkspace(db, id, holder))) throw new BackupFailure("again", "the workspace is being changed");
  const renewal = setInterval(() => void renewLeases(db, holder, [id]).catch(() => undefined), (leaseSeconds * secondMs) / 3);
  const wanted = new AbortController();
  const look = async (): Promise<void> => {
    if (await isSleeperDue(db, id, clock.now())) wanted.abort();
  };
  const looking = setInterval(() => void look().catch(() => undefined), lookEveryMs);
  try {
    const done = await work(wanted.signal);
    if ((await renewLeases(db, holder, [id])).length === 0)
      throw new BackupFailure("again", "another process took the workspace meanwhile");
    return done;
  } finally {
    clearInterval(renewal);
    clearInterval(looking);
    await giveBackWorkspace(db, id, holder).catch(() => undefined);
  }
}
