/** Works on one due backup, from the claim to its end or its next attempt. */
import { asBackupFailure, BackupFailure } from "#domain/backups/backup-failure.ts";
import { endBackup } from "#domain/backups/backup-queue.ts";
import type { BackupRow } from "#domain/backups/backup-store.ts";
import { readForBackup } from "#domain/backups/workspace-for-backup.ts";
import { after, minuteMs, secondMs } from "#platform/clock.ts";
import { asSpan } from "#platform/tracing/current-work.ts";
import { continueTrace, type Span } from "#platform/tracing/tracer.ts";
import type { BackupTools } from "./backup-tools.ts";
import { keepLease } from "./create-backups.ts";
import { holdWorkspace } from "./hold-workspace.ts";
import { giveUpBackup, makeBackup } from "./make-backup.ts";
import { removeOpened } from "./open-backup.ts";

/** About ten minutes in total: by then, a restarting workspace is back. */
const mostTries = 6;
const pauseMs = (tries: number): number => Math.min(10 * secondMs * 2 ** (tries - 1), 5 * minuteMs);
/** Failures that another attempt cannot fix. */
const hopeless = new Set<BackupFailure["code"]>(["damaged", "too_large", "missing", "unsupported", "no_room", "disk_full"]);

/** A look at a copy that hangs takes 20 minutes of a slot. */
const mostLooks = 2;

/** Never rejects: the row records failures. `worker` has claimed the row. */
export function workOnBackup(tools: BackupTools, row: BackupRow, worker: string): Promise<void> {
  const { workspaceId, kind, attempts } = row;
  const about = { "slipway.workspace.id": workspaceId, "slipway.backup.kind": kind, "slipway.attempt": attempts };
  const span = continueTrace(tools.tracer, row.traceparent, "backup", about);
  return asSpan({ workspaceId }, span, () => work(tools, row, worker, span));
}

async function work(tools: BackupTools, row: BackupRow, worker: string, span: Span | null): Promise<void> {
  const { db, clock } = tools;
  const renewal = keepLease(tools, worker, row.id);
  try {
    if (row.attempts > 1) await removeOpened(tools, row);
    if (row.attempts > mostTries) throw new BackupFailure("failed", "it was tried several times, and the worker died each time");
    const workspace = await readForBackup(db, row);
    if (!workspace) throw new BackupFailure("missing", "the workspace is gone");
    if (workspace.isMigrating) throw new BackupFailure("again", "the workspace is changing its version");
    const engineVersion = workspace.observedVersion ?? workspace.desiredVersion;
    // The copy's version is certain only if the same version ran before and after it.
    const isStill = async (): Promise<boolean> => {
      const now = await readForBackup(db, row);
      return now !== null && !now.isMigrating && (now.observedVersion ?? now.desiredVersion) === engineVersion;
    };
    // A running workspace freezes the copy itself; a restart during the copy costs one more attempt.
    await makeBackup(tools, workspace, { ...row, engineVersion }, worker, {
      isStill,
      hold: (copy) => holdWorkspace(tools, workspace, copy),
    });
  } catch (error) {
    const failure = asBackupFailure(error);
    span?.end(failure.code);
    const most = failure.code === "uninspected" ? mostLooks : mostTries;
    if (hopeless.has(failure.code) || row.attempts >= most) return void (await giveUpBackup(tools, row, worker, failure));
    await endBackup(db, row.id, worker, {
      state: "waiting",
      reason: failure.reason,
      detail: failure.message.slice(0, 2_000),
      dueAt: after(clock.now(), pauseMs(row.attempts)),
    });
  } finally {
    clearInterval(renewal);
  }
}
