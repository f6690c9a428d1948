/** A failed backup, restore or export. */

/**
 * `again`: it may work in a moment. `damaged`: the copy cannot be opened. `no_room`: our disk or bucket is full; `disk_full`: the
 * workspace's own.
 */
export type BackupFailureCode =
  | "again"
  | "damaged"
  | "no_room"
  | "disk_full"
  | "too_large"
  | "missing"
  | "newer"
  | "unsupported"
  | "failed";

/** What the owner is told, by code. */
export const failureReasons: Readonly<Record<BackupFailureCode, string>> = {
  again: "It did not work this time. Try again in a moment.",
  damaged: "What was copied could not be opened, so it is not a backup. Please contact support.",
  no_room: "There was no room left to store it. Try again later, or contact support.",
  disk_full: "The workspace's disk has no room for it. Delete old executions and files, then try again.",
  too_large: "The workspace holds more than a backup may. Delete old executions and files, then try again.",
  missing: "Its files are not there.",
  newer: "It was made on a newer version than your workspace has. Update the workspace first.",
  unsupported: "This kind of workspace cannot be copied.",
  failed: "Something went wrong on our side. Try again in a moment.",
};

/** `message` is for operators; `reason` is for the owner. */
export class BackupFailure extends Error {
  readonly code: BackupFailureCode;
  constructor(code: BackupFailureCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "BackupFailure";
    this.code = code;
  }
  get reason(): string {
    return failureReasons[this.code];
  }
}

/** The error as a BackupFailure; recognizes a full disk wherever it occurred. */
export function asBackupFailure(error: unknown): BackupFailure {
  if (error instanceof BackupFailure) return error;
  const { message = String(error), code } = (error ?? {}) as { message?: string; code?: unknown };
  if (code === "storage_too_large") return new BackupFailure("too_large", message, { cause: error });
  if (code === "no_room") return new BackupFailure("disk_full", message, { cause: error });
  const isFull = code === "ENOSPC" || code === "EDQUOT" || /no space left|disk quota exceeded/i.test(message);
  return new BackupFailure(isFull ? "no_room" : "failed", message, { cause: error });
}
