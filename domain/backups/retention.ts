/** How long backups are kept. */
import { after, dayMs } from "#platform/clock.ts";
import type { BackupRow } from "./backup-store.ts";

/** Where a plan says nothing. */
export const usualBackupDays = 7;
/** What is left of a deleted workspace, for its owner to take away. */
export const lastBackupDays = 30;
/** A failed one says why for as long. */
const failedDays = 7;
/** What was made so that a change can be undone: long enough to notice, whatever the plan. */
const leastUndoDays = 7;
/** What was there before a restore and could not be opened: for operators to save what can be saved. */
export const damagedDays = 30;

/** When a successful backup of this kind may go; `planDays` is what the plan allows. */
export function keptUntil(kind: BackupRow["kind"], planDays: number, now: Date): Date {
  const days = {
    "before-deletion": lastBackupDays,
    "before-update": Math.max(planDays, leastUndoDays),
    "before-restore": Math.max(planDays, leastUndoDays),
    manual: planDays,
    nightly: planDays,
  };
  return after(now, days[kind] * dayMs);
}

export const failedUntil = (now: Date): Date => after(now, failedDays * dayMs);
