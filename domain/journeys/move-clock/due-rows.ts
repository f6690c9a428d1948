/** The rows that wait for a time. Claimed work counts as due until it is done or has failed. */
import { mails, providerEvents, timers } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { isNotNull, sql, type SQL } from "drizzle-orm";
import type { DueWork } from "./move-clock.ts";

/** Timers of subscriptions, providers' events, and mails. */
export const dueRows = (db: Connection): DueWork[] => [
  {
    // A postponed row was never claimed: it waits for its new moment.
    nextDueAt: async () => {
      const at = earliest(
        sql`case when ${timers.attempts} > 0 and ${timers.lastError} is null then ${timers.dueAt} else ${timers.runAt} end`,
      );
      return first(await db.select({ at }).from(timers));
    },
  },
  {
    nextDueAt: async () => {
      const at = earliest(
        sql`case when ${providerEvents.lastError} is null then ${providerEvents.receivedAt} else ${providerEvents.runAt} end`,
      );
      return first(await db.select({ at }).from(providerEvents).where(isNotNull(providerEvents.runAt)));
    },
  },
  {
    nextDueAt: async () => {
      const at = earliest(sql`case when ${mails.lastError} is null then ${mails.createdAt} else ${mails.sendAt} end`);
      return first(await db.select({ at }).from(mails).where(isNotNull(mails.sendAt)));
    },
  },
];

const earliest = (expression: SQL) => sql<string | null>`min(${expression})`;
const first = (rows: { at: string | null }[]): Date | null => (rows[0]?.at ? new Date(rows[0].at) : null);
