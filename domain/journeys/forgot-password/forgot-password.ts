/** A visitor requests a new password, possibly for another person's account. */
import { findPersonByEmail } from "#domain/accounts/credential-store.ts";
import { mailLink } from "#domain/accounts/links/mail-link.ts";
import { newToken } from "#domain/accounts/token.ts";
import { mayMail, refuseTooManyMails } from "#domain/attempts/limit-mails.ts";
import { resetPasswordMail } from "#domain/mail/templates/accounts/credential-mails.ts";
import { inSameTime } from "#platform/http/same-time.ts";
import type { Services } from "../services.ts";

/** Mails a link if there is such an account. If not, or if the mailbox has reached its limit, the answer and its delay are the same. */
export async function forgotPassword({ db, clock, publicUrl }: Services, email: string, address: string): Promise<void> {
  const now = clock.now();
  await refuseTooManyMails(db, address, now);
  await inSameTime(async () => {
    const isAllowed = await mayMail(db, email, now, "link-recipient");
    const person = await findPersonByEmail(db, email);
    if (!isAllowed || !person) return;
    const token = newToken();
    const mail = await resetPasswordMail(person, `${publicUrl}/reset-password?token=${token}`);
    await mailLink(db, person, { purpose: "reset-password", token, email, mail, action: "password.reset-asked", address }, now);
  });
}
