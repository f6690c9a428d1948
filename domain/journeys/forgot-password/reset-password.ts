/** The mailed link was opened, and a new password typed. */
import { writeAudit } from "#domain/audit/audit-store.ts";
import { findPerson, setPassword } from "#domain/accounts/credential-store.ts";
import { peekLink } from "#domain/accounts/links/link-token-store.ts";
import { takeLinkOfPerson } from "#domain/accounts/lock-person.ts";
import { hashPassword } from "#domain/accounts/password.ts";
import { forgetAttempts } from "#domain/attempts/attempt-store.ts";
import { mailLinks } from "#domain/mail/mail-links.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { passwordChangedMail } from "#domain/mail/templates/accounts/credential-mails.ts";
import { AppError } from "#platform/app-error.ts";
import { revokeAccess } from "../../accounts/revoke-access.ts";
import { claimMailbox } from "../signed-in/claim-mailbox.ts";
import { refusePoorNewPassword } from "../signed-in/refuse-poor-password.ts";
import type { Services } from "../services.ts";
import type { Visitor } from "../signed-in/caller.ts";
import { rememberVisitor } from "../signed-in/known-browser.ts";

/**
 * Replaces the password, ends every session and pending link, and unlocks a login that was locked after guessing. Returns the token by
 * which the browser is recognized from now on, so that no guesser locks it again before it has signed in. Refuses
 * a link that was used, has expired, or went to an earlier address; a poor password leaves the link valid.
 */
export async function resetPassword(
  services: Services,
  form: { token: string; password: string },
  visitor: Visitor,
): Promise<string | null> {
  const { address } = visitor;
  const { db, clock, publicUrl } = services;
  // Before the expensive hash: an invented token must not cost one.
  const peeked = await peekLink(db, form.token, "reset-password", clock.now());
  const reader = peeked && (await findPerson(db, peeked.userId));
  if (!reader) throw new AppError("password_link_invalid");
  await refusePoorNewPassword(services, form.password, reader);
  const passwordHash = await hashPassword(form.password);
  const mail = await passwordChangedMail(reader, mailLinks(publicUrl).forgotPassword);
  return db.transaction(async (tx) => {
    const now = clock.now();
    const link = await takeLinkOfPerson(tx, form.token, ["reset-password"], now);
    if (!link || link.person.email !== link.email) throw new AppError("password_link_invalid");
    const { person } = link;
    // The link proves who reads mail at this address, not who registered with it.
    if (!person.confirmedAt) await claimMailbox(tx, person, { address, notice: null }, now);
    await setPassword(tx, person.userId, passwordHash);
    await revokeAccess(tx, person.userId);
    await forgetAttempts(tx, "login", [person.email, person.accountName]);
    await writeAudit(tx, { accountId: person.accountId, userId: person.userId, action: "password.reset", address }, now);
    await queueMail(tx, mail, now);
    return rememberVisitor(tx, person.userId, visitor, now);
  });
}
