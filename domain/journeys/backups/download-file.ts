/** One-time links to backups and exports, and the files behind them. */
import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { hashToken } from "#domain/accounts/token.ts";
import { BackupFailure } from "#domain/backups/backup-failure.ts";
import { hasDownload, setDownload, takeDownload } from "#domain/backups/backup-store.ts";
import { storedBackup } from "#domain/backups/stored-backup.ts";
import { unsealStored } from "#domain/backups/sealed/unseal-stored.ts";
import { hasExportDownload, setExportDownload, storedExport, takeExportDownload } from "#domain/exports/export-store.ts";
import { downloadLinkMinutes } from "#contract/workspaces/backup.ts";
import { AppError } from "#platform/app-error.ts";
import { after, minuteMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";

/**
 * The URL, where the API is, that opens the file once for the same account. `hold` starts the transaction and keeps what the caller
 * checked from changing.
 */
export async function makeDownloadLink(
  { db, clock, publicUrl, apiUrl = `${publicUrl}/api` }: Services,
  { accountId, userId }: CurrentUser,
  { kind, id, address, hold }: { kind: "backup" | "export"; id: string; address: string; hold: (tx: Connection) => Promise<unknown> },
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const keep = kind === "backup" ? setDownload : setExportDownload;
  await db.transaction(async (tx) => {
    const now = clock.now();
    await hold(tx);
    await keep(tx, id, hashToken(token), after(now, downloadLinkMinutes * minuteMs));
    await writeAudit(tx, { accountId, userId, action: `${kind}.link-made`, after: { id }, address }, now);
  });
  return `${apiUrl}/export/download/${token}?of=${kind}`;
}

interface Download {
  fileName: string;
  type: string;
  content: Readable;
}

const dateOf = (at: Date): string => at.toISOString().slice(0, 16).replace("T", "-").replace(":", "");

/** Refuses (AppError) download_link_invalid, like `openDownload`, and leaves the link as it is. */
export async function checkDownload({ db, clock }: Services, { accountId }: CurrentUser, token: string): Promise<void> {
  const asked = [db, hashToken(token), accountId, clock.now()] as const;
  if (!(await hasDownload(...asked)) && !(await hasExportDownload(...asked))) throw new AppError("download_link_invalid");
}

/** Uses up the link and opens the file. Throws AppError `download_link_invalid`. */
export async function openDownload(
  { db, clock, stored }: Services,
  { accountId, accountName, userId }: CurrentUser,
  token: string,
  address: string,
): Promise<Download> {
  const now = clock.now();
  const found = await db.transaction(async (tx) => {
    const backup = await takeDownload(tx, hashToken(token), accountId, now);
    const made = backup ? null : await takeExportDownload(tx, hashToken(token), accountId, now);
    const row = backup ?? made;
    if (!row) throw new AppError("download_link_invalid");
    await writeAudit(
      tx,
      { accountId, userId, action: backup ? "backup.downloaded" : "export.downloaded", after: { id: row.id }, address },
      now,
    );
    return { row, isBackup: backup !== null, name: backup ? storedBackup(backup) : storedExport(row.id) };
  });
  const { createdAt } = found.row;
  const content = await unsealStored(stored, found.name).catch((error: unknown) => {
    // Expired and removed between the click and now.
    throw error instanceof BackupFailure && error.code === "missing" ? new AppError("download_link_invalid") : error;
  });
  return found.isBackup
    ? { fileName: `${accountName}-backup-${dateOf(createdAt)}.tar.gz`, type: "application/gzip", content }
    : { fileName: `${accountName}-export-${dateOf(createdAt)}.zip`, type: "application/zip", content };
}
