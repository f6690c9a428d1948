import { lastBackupDays } from "#contract/billing/plans/plan-days.ts";

/** Settings of the service that texts of many pages contain: `{{backupDays}}` is filled in without the page's help. */
export const sharedValues = { backupDays: lastBackupDays };

/** For texts that are not read by `wordsOf`. */
export const fillShared = (text: string): string =>
  text.replace(/\{\{(\w+)\}\}/g, (mark, name: string) => String(sharedValues[name as keyof typeof sharedValues] ?? mark));
