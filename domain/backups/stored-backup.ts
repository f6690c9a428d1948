/**
 * Names of backups in the storage: a different one for each try, so that two workers, one of which lost its lease, never write to the same
 * name.
 */
import type { BackupRow } from "./backup-store.ts";

/** Of this try alone: each claim increments the tries. */
export const tryOf = ({ id, attempts }: Pick<BackupRow, "id" | "attempts">): string => `${id}-${attempts}`;

/** The name that this try writes to. */
export const storedByTry = (row: Pick<BackupRow, "id" | "attempts">): string => `backups/${tryOf(row)}`;

/** The name that counts. Backups from before tries had separate names are stored under their id. */
export const storedBackup = ({ id, storedAs }: Pick<BackupRow, "id" | "storedAs">): string => storedAs ?? `backups/${id}`;

/** All names under which a try up to this one may have left something, except `kept`. */
export function storedByAnyTry({ id, attempts, storedAs }: Pick<BackupRow, "id" | "attempts" | "storedAs">, kept?: string): string[] {
  const names = new Set([
    storedBackup({ id, storedAs }),
    ...Array.from({ length: attempts }, (_, each) => storedByTry({ id, attempts: each + 1 })),
  ]);
  return [...names].filter((name) => name !== kept);
}
