/** A visitor requests a new password, possibly for another person's account. */
import { linkLifeMinutes } from "#contract/accounts/credential.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { findPersonByEmail } from "#domain/accounts/credential-store.ts";
import { insertLinkToken } from "#domain/accounts/link-token-store.ts";
import { newToken } from "#domain/accounts/token.ts";
import { mayMail, refuseTooManyMails } from "#domain/attempts/limit-mails.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { resetPasswordMail } from "#domain/mail/templates/accounts/credential-mails.ts";
import { minuteMs } from "#platform/clock.ts";
import { inSameTime } from "#platform/http/same-time.ts";
import type { Services } from "../services.ts";

/** Mails a link if there is such an account. If not, or if the mailbox has reached its limit, the answer and its delay are the same. */
export async function forgotPassword({ db, clock, publicUrl }: Services, email: string, address: string): Promise<void> {
  const now = clock.now();
  await refuseTooManyMails(db, address, now);
  await inSameTime(async () => {
    const isAllowed = await mayMail(db, email, now);
    const person = await findPersonByEmail(db, email);
    if (!isAllowed || !person) return;
    const token = newToken();
    const mail = await resetPasswordMail(person, `${publicUrl}/reset-password?token=${token}`);
    await db.transaction(async (tx) => {
      await insertLinkToken(
        tx,
        { token, userId: person.userId, email, purpose: "reset-password", lifeMs: linkLifeMinutes["reset-password"] * minuteMs },
        now,
      );
      // No session: the caller may be anyone.
      await writeAudit(
        tx,
        { accountId: person.accountId, userId: null, action: "password.reset-asked", after: { for: person.userId }, address },
        now,
      );
      await queueMail(tx, mail, now);
    });
  });
}
