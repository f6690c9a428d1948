/** The confirmation mail: rendered before the transaction, queued in it. */
import type { Language } from "#contract/accounts/language.ts";
import { insertLinkToken } from "#domain/accounts/links/link-token-store.ts";
import { newToken } from "#domain/accounts/token.ts";
import { mailLinks } from "#domain/mail/mail-links.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { confirmEmailMail } from "#domain/mail/templates/accounts/confirm-email-mail.ts";
import type { Connection } from "#platform/database.ts";

interface Confirmation {
  /** Keeps the link and queues the mail, in the caller's transaction. */
  send(db: Connection, userId: string, now: Date): Promise<void>;
}

/** Renders the mail with a fresh link. */
export async function writeConfirmation(
  { publicUrl }: { publicUrl: string },
  to: { email: string; fullName: string; language: Language | null },
): Promise<Confirmation> {
  const token = newToken();
  const mail = await confirmEmailMail({
    to: to.email,
    fullName: to.fullName,
    language: to.language,
    link: mailLinks(publicUrl).confirmEmail(token),
  });
  return {
    async send(db, userId, now) {
      await insertLinkToken(db, { token, userId, email: to.email, purpose: "confirm-email" }, now);
      await queueMail(db, mail, now);
    },
  };
}
