/** A pending change of address, whose link has not been opened yet: it can be shown, mailed again, or withdrawn. */
import type { Language } from "#contract/accounts/language.ts";
import { resendWaitSeconds } from "#contract/accounts/account.ts";
import type { EmailChange } from "#contract/accounts/credential.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { deleteLinks, findPersonByEmail } from "#domain/accounts/credential-store.ts";
import { insertLinkToken, newestLink } from "#domain/accounts/links/link-token-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { newToken } from "#domain/accounts/token.ts";
import { mayMail, refuseTooManyMails } from "#domain/attempts/limit-mails.ts";
import { mailLinks } from "#domain/mail/mail-links.ts";
import type { Mail } from "#domain/mail/mail.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { changeEmailMail, emailTakenMail } from "#domain/mail/templates/accounts/credential-mails.ts";
import { AppError } from "#platform/app-error.ts";
import { secondMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { inSameTime } from "#platform/http/same-time.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";

type Asker = Pick<CurrentUser, "userId" | "accountId" | "accountName" | "language" | "sessionId">;

/** The pending change, or null. */
export async function readPendingChange({ db, clock }: Services, userId: string): Promise<EmailChange | null> {
  const link = await newestLink(db, userId, "change-email", clock.now());
  return link && { email: link.email, expiresAt: link.expiresAt.toISOString() };
}

/**
 * The mail to the new address, and how its link is kept. If the address is taken, its owner is told instead, and a link that no one
 * receives is stored, so that the pending change looks the same and does not reveal who has an account.
 */
export async function writeChangeLink(
  { db, publicUrl }: Services,
  asker: { accountName: string; language: Language | null },
  email: string,
): Promise<{ mail: Mail; keep: (tx: Connection, userId: string, now: Date) => Promise<void> }> {
  const token = newToken();
  const holder = await findPersonByEmail(db, email);
  const mail = holder
    ? await emailTakenMail(holder, mailLinks(publicUrl).login)
    : await changeEmailMail(asker, email, mailLinks(publicUrl).changeEmail(token));
  return {
    mail,
    keep: (tx, userId, now) => insertLinkToken(tx, { token, userId, email, purpose: "change-email" }, now),
  };
}

/**
 * Mails another link; earlier ones stay valid, since mails may arrive out of order. Refuses, with the seconds to wait, while the last mail
 * is less than a minute old, and if no change is pending.
 */
export async function resendEmailChange(services: Services, current: Asker, address: string): Promise<void> {
  const { db, clock } = services;
  const { userId, accountId } = current;
  const pending = await newestLink(db, userId, "change-email", clock.now());
  if (!pending) throw new AppError("email_change_over");
  refuseTooEarly(pending.createdAt, clock.now());
  await refuseTooManyMails(db, address, clock.now());
  await inSameTime(async () => {
    if (!(await mayMail(db, pending.email, clock.now()))) throw new AppError("too_many_requests");
    const { mail, keep } = await writeChangeLink(services, current, pending.email);
    await db.transaction(async (tx) => {
      const now = clock.now();
      await lockPerson(tx, current);
      const link = await newestLink(tx, userId, "change-email", now);
      // Confirmed, withdrawn, or replaced by a newer change since the mail was written.
      if (link?.email !== pending.email) throw new AppError("email_change_over");
      // Of two simultaneous clicks, the second sees the first one's link.
      refuseTooEarly(link.createdAt, now);
      await keep(tx, userId, now);
      await writeAudit(tx, { accountId, userId, action: "email.change-resent", after: pending.email, address }, now);
      await queueMail(tx, mail, now);
    });
  });
}

function refuseTooEarly(lastAt: Date, now: Date): void {
  const waitMs = lastAt.getTime() + resendWaitSeconds * secondMs - now.getTime();
  if (waitMs > 0) throw new AppError("too_many_requests", { retryAfterSeconds: Math.ceil(waitMs / secondMs) });
}

/** Voids its links. Refuses if no change is pending: it may just have been confirmed, and then the address has changed. */
export async function withdrawEmailChange({ db, clock }: Services, current: Asker, address: string): Promise<void> {
  const { userId, accountId } = current;
  await db.transaction(async (tx) => {
    const now = clock.now();
    await lockPerson(tx, current);
    const pending = await newestLink(tx, userId, "change-email", now);
    if (!pending) throw new AppError("email_change_over");
    await deleteLinks(tx, userId, ["change-email"]);
    await writeAudit(tx, { accountId, userId, action: "email.change-withdrawn", before: pending.email, address }, now);
  });
}
