/** Retries mails that were given up while the mail server was broken, for the operator who repaired it. */
import { and, gte, isNotNull, lt } from "drizzle-orm";
import { mails } from "#database/tables.ts";
import { after, dayMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { announceMails } from "./mail-store.ts";

/**
 * Makes every mail due again that was given up and was written within `days`; the loop sends them within seconds. Returns how
 * many, and how many older ones stay given up.
 */
export async function resendFailedMails(db: Database, now: Date, days: number): Promise<{ resent: number; stale: number }> {
  const since = after(now, -days * dayMs);
  return db.transaction(async (tx) => {
    const resent = await tx
      .update(mails)
      .set({ sendAt: now, leaseOwner: null, leaseUntil: null, attempts: 0, failedAt: null })
      .where(and(isNotNull(mails.failedAt), gte(mails.createdAt, since)))
      .returning({ id: mails.id });
    const stale = await tx.$count(mails, and(isNotNull(mails.failedAt), lt(mails.createdAt, since)));
    await announceMails(tx);
    return { resent: resent.length, stale };
  });
}
