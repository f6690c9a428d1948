/** Sends one mail again. */
import { eq } from "drizzle-orm";
import { mails } from "#database/tables.ts";
import type { Database } from "#platform/database.ts";
import { announceMails } from "./mail-store.ts";

/** What happened: `emptied`: it was sent, and its text deleted then, because a mail may contain a link that signs in. */
export type Resent = "queued" | "waiting" | "emptied" | "unknown";

/** Makes a mail due again that was given up, or sent with its text kept; the loop sends it within seconds. */
export function resendMail(db: Database, id: string, now: Date): Promise<Resent> {
  return db.transaction(async (tx) => {
    const [mail] = await tx.select({ text: mails.text, sendAt: mails.sendAt }).from(mails).where(eq(mails.id, id)).for("update");
    if (!mail) return "unknown";
    if (mail.sendAt !== null) return "waiting";
    if (mail.text === "") return "emptied";
    await tx
      .update(mails)
      .set({ sendAt: now, leaseOwner: null, leaseUntil: null, attempts: 0, failedAt: null, sentAt: null })
      .where(eq(mails.id, id));
    await announceMails(tx);
    return "queued";
  });
}
