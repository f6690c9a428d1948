/** The storage that the settings name. */
import type { BackupStorage } from "./backup-storage.ts";
import { createFolderStorage } from "./folder-storage.ts";
import { readBackupsUrl } from "./read-backups-url.ts";

/** A bucket if BACKUPS_URL names one, otherwise the folder. The S3 client is loaded only if needed. */
export async function createBackupStorage(backupsUrl: string | undefined, folder: string): Promise<BackupStorage> {
  if (!backupsUrl) return createFolderStorage(folder);
  const place = readBackupsUrl(backupsUrl);
  if (typeof place === "string") throw new Error(`BACKUPS_URL ${place}`);
  const { createS3Storage } = await import("./s3-storage.ts");
  return createS3Storage(place);
}
