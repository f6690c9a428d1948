/** Writes the exports that owners requested (domain/journeys/backups/ask-for-export.ts), tells them by mail, and removes old ones. */
import { asBackupFailure, BackupFailure } from "#domain/backups/backup-failure.ts";
import { backupLeaseSeconds } from "#domain/backups/backup-queue.ts";
import { readForBackup } from "#domain/backups/workspace-for-backup.ts";
import {
  claimExpiredExports,
  claimExports,
  deleteExport,
  endExport,
  hasExport,
  noteExportStays,
  noteProgress,
  renewExport,
  storedExport,
  type ExportRow,
} from "#domain/exports/export-store.ts";
import { readOwner } from "#domain/exports/read-owner.ts";
import { isMailMuted } from "#domain/accounts/credential-store.ts";
import { mailLinks } from "#domain/mail/mail-links.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { exportReadyMail } from "#domain/mail/templates/workspaces/export-mail.ts";
import { after, secondMs } from "#platform/clock.ts";
import { asSpan } from "#platform/tracing/current-work.ts";
import { continueTrace, type Span } from "#platform/tracing/tracer.ts";
import type { Secrets } from "#platform/secrets.ts";
import type { MoreWork } from "../backups/backup-loop.ts";
import type { BackupTools } from "../backups/backup-tools.ts";
import { writeExport } from "./write-export.ts";

export interface ExportTools extends BackupTools {
  secrets: Secrets;
  publicUrl: string;
}

const mostTries = 5;
const pauseMs = 15 * secondMs;
/** As often as the panel asks while an export is made. */
const progressMs = 2 * secondMs;

/** Runs in the backup loop. */
export function createExportWork(tools: ExportTools): MoreWork {
  const { db, clock, storage, slots, log } = tools;
  const inHand = new Set<string>();
  return {
    async claim(worker) {
      const room = slots.export.free();
      if (room === 0) return [];
      return (await claimExports(db, worker, clock.now(), room, [...inHand], tools.host)).map((row) => {
        inHand.add(row.id);
        return slots.export.run(() => traced(tools, row, worker)).finally(() => inHand.delete(row.id));
      });
    },
    async sweep() {
      for (const { id } of await claimExpiredExports(db, clock.now())) {
        try {
          await storage.remove(storedExport(id));
          await deleteExport(db, id);
        } catch (err) {
          log.warn({ err, export: id }, "an expired export could not be removed; it is tried again later");
          await noteExportStays(db, id, String(err));
        }
      }
    },
  };
}

function traced(tools: ExportTools, row: ExportRow, worker: string): Promise<void> {
  const { workspaceId, attempts } = row;
  const span = continueTrace(tools.tracer, row.traceparent, "export", { "slipway.workspace.id": workspaceId, "slipway.attempt": attempts });
  return asSpan({ workspaceId }, span, () => work(tools, row, worker, span));
}

/** Never rejects: the row records failures. */
async function work(tools: ExportTools, row: ExportRow, worker: string, span: Span | null): Promise<void> {
  const { db, clock, storage, log } = tools;
  const renewal = setInterval(() => void renewExport(db, worker, row.id).catch(() => undefined), (backupLeaseSeconds * secondMs) / 3);
  try {
    if (row.attempts > mostTries) throw new BackupFailure("failed", "it was tried several times, and the worker died each time");
    const workspace = await readForBackup(db, row);
    if (!workspace) throw new BackupFailure("missing", "the workspace is gone");
    const owner = await readOwner(db, row.accountId);
    let notedAtMs = -Infinity;
    const written = await writeExport(tools, workspace, row, owner?.language ?? "en", (workflows) => {
      const nowMs = clock.now().getTime();
      if (nowMs - notedAtMs < progressMs) return;
      notedAtMs = nowMs;
      void noteProgress(db, worker, row.id, workflows).catch(() => undefined);
    });
    const mail =
      owner &&
      (await exportReadyMail({
        to: owner.email,
        fullName: owner.fullName,
        language: owner.language,
        accountName: workspace.accountName,
        link: mailLinks(tools.publicUrl).exports,
        withCredentials: row.withCredentials,
      }));
    const isRecorded = await db.transaction(async (tx) => {
      const now = clock.now();
      // Of one life from beginning to end: a deletion meanwhile would leave a part of it, or the next workspace's contents.
      if (!(await readForBackup(tx, row))) throw new BackupFailure("missing", "the workspace is gone");
      const isOurs = await endExport(tx, row.id, worker, {
        ...written,
        state: "ready",
        reason: null,
        detail: null,
        credentialsKey: null,
        dueAt: null,
        finishedAt: now,
      });
      // It is always reported that credentials leave the workspace: through this mail an owner learns of a stranger's export.
      const isMuted = !row.withCredentials && (await isMailMuted(tx, workspace.accountId, "exports"));
      if (isOurs && mail && !isMuted) await queueMail(tx, mail, now);
      return isOurs;
    });
    // Another worker has made it since, and its owner has deleted it: nothing else would remove this file.
    if (!isRecorded && !(await hasExport(db, row.id))) await storage.remove(storedExport(row.id));
  } catch (error) {
    const failure = asBackupFailure(error);
    span?.end(failure.code);
    log.warn({ err: failure, export: row.id }, "an export did not succeed");
    const isOver = failure.code !== "again" || row.attempts >= mostTries;
    const words = { reason: failure.reason, detail: failure.message.slice(0, 2_000), workflows: null };
    const isOurs = await endExport(
      db,
      row.id,
      worker,
      isOver
        ? { ...words, state: "failed", credentialsKey: null, dueAt: null, finishedAt: clock.now() }
        : { ...words, state: "waiting", dueAt: after(clock.now(), pauseMs) },
    );
    // Only then: an existing file may belong to the worker that has the export now.
    if (isOver && isOurs) await storage.remove(storedExport(row.id)).catch(() => undefined);
  } finally {
    clearInterval(renewal);
  }
}
