/** Makes one backup for a row that this worker has claimed, and records the outcome in it. */
import { asBackupFailure, BackupFailure } from "#domain/backups/backup-failure.ts";
import { endBackup } from "#domain/backups/backup-queue.ts";
import { takeEarlierCopies } from "#domain/backups/expired-backup-store.ts";
import { readBackupDays, type BackupKind, type BackupRow } from "#domain/backups/backup-store.ts";
import { putOffNightly } from "#domain/backups/nightly-store.ts";
import { damagedDays, failedUntil, keptUntil } from "#domain/backups/retention.ts";
import { storedBackup, storedByAnyTry } from "#domain/backups/stored-backup.ts";
import { after, dayMs, hourMs } from "#platform/clock.ts";
import { within } from "#platform/loops/within.ts";
import { inSpan } from "#platform/tracing/current-work.ts";
import type { BackupTools, BackupWorkspace } from "./backup-tools.ts";
import { copyWorkspace, type Copied, type Hold } from "./copy-workspace.ts";
import { verifyBackup } from "./open-backup.ts";

/** How long writing it may take. */
const verifyLimitMs = hourMs;

/** The files are gone afterwards. */
const isLast: ReadonlySet<BackupKind> = new Set(["before-restore", "before-deletion"]);
const keptAnyway: ReadonlySet<BackupFailure["code"]> = new Set(["damaged", "uninspected"]);

/** For a workspace that the caller does not hold. */
interface Unheld {
  /** After the copy: whether the workspace still has the row's version. If not, the copy is discarded. */
  isStill(): Promise<boolean>;
  /** Copies a stopped workspace while no other process can start it; rejects if one could have. */
  hold: Hold;
}

/** A damaged or uninspected copy of files that are about to go: it is no backup, but stays in the storage for operators. */
class DamagedCopy extends BackupFailure {
  readonly copied: Copied;
  constructor({ code, message, cause }: BackupFailure, copied: Copied) {
    super(code, message, { cause });
    this.copied = copied;
  }
}

/**
 * Copies, reads back, decrypts, opens and counts the backup; only then is it successful. Throws BackupFailure and leaves no partial object
 * in the storage. A copy that cannot be opened does not count as a backup, but is kept for operators if a restore or a deletion is about to
 * take its files away. Without `unheld`, the caller holds the workspace.
 */
export async function makeBackup(
  tools: BackupTools,
  workspace: BackupWorkspace,
  row: BackupRow,
  worker: string,
  unheld?: Unheld,
): Promise<BackupRow> {
  const { db, clock, log } = tools;
  try {
    const copied = await inSpan("copy", {}, () => copyWorkspace(tools, workspace, row, unheld?.hold));
    const verify = () => within(verifyLimitMs, "reading the copy back", verifyBackup(tools, copied.storedAs, copied.sha256));
    const found = await inSpan("verify", {}, () => tools.slots.pack.run(verify)).catch(async (error: unknown) => {
      const failure = asBackupFailure(error);
      if (isLast.has(row.kind) && keptAnyway.has(failure.code)) throw new DamagedCopy(failure, copied);
      await discard(tools, [copied.storedAs]);
      throw failure;
    });
    if (unheld && !(await unheld.isStill())) {
      await discard(tools, [copied.storedAs]);
      throw new BackupFailure("again", "the workspace changed its version while it was copied");
    }
    const now = clock.now();
    const end = {
      ...copied,
      ...found,
      engineVersion: row.engineVersion,
      state: "successful" as const,
      verifiedAt: now,
      finishedAt: now,
      dueAt: null,
      reason: null,
      detail: null,
      keptUntil: keptUntil(row.kind, { plan: await readBackupDays(db, row.accountId), last: tools.lastBackupDays }, now),
    };
    if (!(await endBackup(db, row.id, worker, end))) {
      await discard(tools, [copied.storedAs]);
      throw new BackupFailure("again", "another worker holds this backup now");
    }
    if (row.attempts > 1) await discard(tools, storedByAnyTry(row, copied.storedAs));
    return { ...row, ...end };
  } catch (error) {
    const failure = asBackupFailure(error);
    log.warn({ err: failure, workspaceId: workspace.id, backup: row.id }, "a backup did not succeed");
    throw failure;
  }
}

/** After a failed nightly backup another one may work: the reason need not be the workspace's. */
const nightlyAgainMs = hourMs;
const ofTheWorkspace: ReadonlySet<BackupFailure["code"]> = new Set(["damaged", "too_large", "missing", "unsupported", "disk_full"]);

/** Records that it failed permanently. */
export async function giveUpBackup(
  tools: Pick<BackupTools, "db" | "clock" | "storage" | "log">,
  row: BackupRow,
  worker: string,
  failure: BackupFailure,
): Promise<void> {
  const { db, clock } = tools;
  const now = clock.now();
  await endBackup(db, row.id, worker, {
    state: "failed",
    reason: failure.reason,
    detail: failure.message.slice(0, 2_000),
    finishedAt: now,
    dueAt: null,
    ...(failure instanceof DamagedCopy
      ? { ...failure.copied, keptUntil: after(now, damagedDays * dayMs) }
      : { keptUntil: failedUntil(now) }),
  });
  // One copy is enough; each may be as large as the workspace.
  if (failure instanceof DamagedCopy) await discard(tools, (await takeEarlierCopies(db, row)).map(storedBackup));
  if (row.kind === "nightly" && !ofTheWorkspace.has(failure.code)) await putOffNightly(db, row.workspaceId, after(now, nightlyAgainMs));
}

/** If the storage cannot be reached now, removal is retried when the row is deleted. */
async function discard({ storage, log }: Pick<BackupTools, "storage" | "log">, names: readonly string[]): Promise<void> {
  for (const name of names)
    await storage.remove(name).catch((err: unknown) => log.warn({ err, name }, "a discarded copy could not be removed from the storage"));
}
