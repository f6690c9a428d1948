import { lastBackupDays } from "#contract/billing/plans/plan-days.ts";

/** Settings of the service that texts of many pages contain: `{{backupDays}}` is filled in without the page's help. */
export const sharedValues = { backupDays: lastBackupDays };
