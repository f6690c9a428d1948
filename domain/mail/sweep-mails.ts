/** The outbox is no archive: sent and given-up mails contain addresses, and are kept only while questions about them may come. */
import { lt, or } from "drizzle-orm";
import { mails } from "#database/tables.ts";
import { after, dayMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";

/** Long enough for a customer who asks about a missing mail three months later. */
const keptMs = 90 * dayMs;

/** Deletes mails that were sent or given up 90 days ago; never one that is still to be sent. */
export async function sweepMails(db: Database, now: Date): Promise<void> {
  const before = after(now, -keptMs);
  await db.delete(mails).where(or(lt(mails.sentAt, before), lt(mails.failedAt, before)));
}
