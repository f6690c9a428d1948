/** A failed backup, restore or export. */
import { say, type Sentence } from "#contract/sentences/say.ts";

/**
 * `again`: it may work in a moment. `damaged`: the copy cannot be opened. `uninspected`: whether it can is not known, because the look at
 * it was killed. `given_up`: an operator deleted the workspace
 * without one; `no_room`: our disk or bucket is full; `disk_full`: the workspace's own.
 */
export type BackupFailureCode =
  | "again"
  | "damaged"
  | "uninspected"
  | "no_room"
  | "disk_full"
  | "too_large"
  | "missing"
  | "newer"
  | "unsupported"
  | "given_up"
  | "failed";

/** What the owner is told, by code. */
export const failureReasons: Readonly<Record<BackupFailureCode, Sentence>> = {
  again: say("failedAgain"),
  damaged: say("failedDamaged"),
  uninspected: say("failedUninspected"),
  no_room: say("failedNoRoom"),
  disk_full: say("failedDiskFull"),
  too_large: say("failedTooLarge"),
  missing: say("failedMissing"),
  newer: say("failedNewer"),
  unsupported: say("failedUnsupported"),
  given_up: say("failedGivenUp"),
  failed: say("failedOnOurSide"),
};

/** `message` is for operators; `reason` is for the owner. */
export class BackupFailure extends Error {
  readonly code: BackupFailureCode;
  constructor(code: BackupFailureCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "BackupFailure";
    this.code = code;
  }
  get reason(): Sentence {
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
