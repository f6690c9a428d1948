/** How long backups are kept. */
import { after, dayMs } from "#platform/clock.ts";
import type { BackupRow } from "./backup-store.ts";

/** Used if the plan says nothing. */
export const usualBackupDays = 7;
/** Failed ones are kept this long for their reason. */
const failedDays = 7;
/** Backups for undoing a change: long enough to notice a problem, whatever the plan. */
const leastUndoDays = 7;
/** Data that a restore replaced and that could not be opened, for operators to rescue. */
export const damagedDays = 30;

/** When a successful backup of this kind may be removed; `plan` is the plan's allowance, `last` the setting for deleted workspaces. */
export function keptUntil(kind: BackupRow["kind"], { plan: planDays, last }: { plan: number; last: number }, now: Date): Date {
  const days = {
    "before-deletion": last,
    "before-update": Math.max(planDays, leastUndoDays),
    "before-move": Math.max(planDays, leastUndoDays),
    "before-restore": Math.max(planDays, leastUndoDays),
    manual: planDays,
    nightly: planDays,
  };
  return after(now, days[kind] * dayMs);
}

export const failedUntil = (now: Date): Date => after(now, failedDays * dayMs);
