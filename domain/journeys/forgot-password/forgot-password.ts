/** A visitor requests a new password, possibly for another person's account. */
import { findPersonByEmail } from "#domain/accounts/credential-store.ts";
import { hasLinkForPause, mailLink } from "#domain/accounts/links/mail-link.ts";
import { newToken } from "#domain/accounts/token.ts";
import { mailLinks } from "#domain/mail/mail-links.ts";
import { resetPasswordMail } from "#domain/mail/templates/accounts/credential-mails.ts";
import { inSameTime } from "#platform/http/same-time.ts";
import type { Services } from "../services.ts";
import type { Visitor } from "../signed-in/caller.ts";
import { limitLinks } from "../signed-in/limit-links.ts";

/**
 * Mails a link if there is such an account. If not, or if the mailbox has reached its limit and the link it has still works, the answer
 * and its delay are the same.
 */
export async function forgotPassword({ db, clock, publicUrl }: Services, email: string, visitor: Visitor): Promise<void> {
  const now = clock.now();
  const limit = await limitLinks(db, email, visitor, now);
  await inSameTime(async () => {
    const pause = await limit();
    const person = await findPersonByEmail(db, email);
    if (!person || (await hasLinkForPause(db, person.userId, { purpose: "reset-password", email, pause }, now))) return;
    const token = newToken();
    const mail = await resetPasswordMail(person, mailLinks(publicUrl).resetPassword(token, email));
    const { address } = visitor;
    await mailLink(db, person, { purpose: "reset-password", token, email, mail, pause, action: "password.reset-asked", address }, now);
  });
}
