/**
 * A stopped or frozen workspace must not start or thaw while its files are copied, so the copying process holds it as a reconciler would.
 */
import { BackupFailure } from "#domain/backups/backup-failure.ts";
import { claimWorkspace, giveBackWorkspace, leaseSeconds, renewLeases } from "#domain/workspaces/observed/claim-workspaces.ts";
import { isSleeperDue } from "#domain/workspaces/observed/sleep-store.ts";
import { announceWorkspace } from "#domain/workspaces/workspace-store.ts";
import { secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";

/** A visitor waits at most 28 s for a stopped sleeper to start; a frozen workspace would answer within a tenth of a second. */
const lookEveryMs = 250;

/**
 * Runs the work while no reconciler can take the workspace. When a sleeping workspace is used or due, it is released so that it can wake,
 * and the signal is aborted with that failure: the work should end then, and its result does not count. Rejects with BackupFailure `again` in that case, if
 * another process holds the workspace now, or if one took it before the work ended, as happens to a worker that stalled for too long.
 */
export async function holdWorkspace<T>(
  { db, clock, host }: { db: Database; clock: Clock; host?: string | undefined },
  { id, accountName }: { id: string; accountName: string },
  work: (wanted: AbortSignal) => Promise<T>,
): Promise<T> {
  const holder = newId();
  if (!(await claimWorkspace(db, id, holder, host))) throw new BackupFailure("again", "the workspace is being changed");
  const renewal = setInterval(() => void renewLeases(db, holder, [id]).catch(() => undefined), (leaseSeconds * secondMs) / 3);
  const wanted = new AbortController();
  const used = new Promise<never>((_resolve, reject) => {
    wanted.signal.addEventListener("abort", () => reject(wanted.signal.reason as BackupFailure));
  });
  const look = async (): Promise<void> => {
    if (await isSleeperDue(db, id, clock.now())) wanted.abort(new BackupFailure("again", "the workspace was used while it was copied"));
  };
  const giveBack = async (): Promise<void> => {
    await giveBackWorkspace(db, id, holder);
    // Workers were notified of its use while none of them could take it.
    if (await isSleeperDue(db, id, clock.now())) await announceWorkspace(db, id, accountName);
  };
  const looking = setInterval(() => void look().catch(() => undefined), lookEveryMs);
  try {
    // Besides the signal, because a bucket that does not answer delays the work for minutes.
    const done = await Promise.race([work(wanted.signal), used]);
    if ((await renewLeases(db, holder, [id])).length === 0)
      throw new BackupFailure("again", "another process has taken over the workspace");
    return done;
  } finally {
    clearInterval(renewal);
    clearInterval(looking);
    await giveBack().catch(() => undefined);
  }
}
