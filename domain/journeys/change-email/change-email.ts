/** A signed-in user changes their email address: requested here, done when the link in the new mailbox is opened. */
import { fieldMessage } from "#contract/api/field-words.ts";
import { deleteLinks } from "#domain/accounts/credential-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { mayMail, refuseTooManyMails } from "#domain/attempts/limit-mails.ts";
import { mailLinks } from "#domain/mail/mail-links.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { emailChangeAskedMail } from "#domain/mail/templates/accounts/credential-mails.ts";
import { AppError } from "#platform/app-error.ts";
import { inSameTime } from "#platform/http/same-time.ts";
import { checkPassword, type CheckedPassword } from "../signed-in/password-guards.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";
import { correctEmail } from "./correct-email.ts";
import { writeChangeLink } from "./pending-change.ts";

/**
 * Mails a link to the new address and a notice to the old one. An address that is in use is not revealed: its owner
 * is mailed instead, with the same answer and delay. An address that was never confirmed is replaced immediately; then a taken one is
 * refused, as in registration. Refuses the current address and a wrong password.
 */
export async function changeEmail(
  services: Services,
  current: CurrentUser,
  form: { email: string; password: string; address: string },
): Promise<void> {
  if (form.email === current.email)
    throw new AppError("same_email", { errors: [{ path: "email", code: "email.same", message: fieldMessage("email.same") }] });
  const checked = await checkPassword(services, current, form.password, "password");
  const { db, clock } = services;
  await refuseTooManyMails(db, form.address, clock.now());
  await inSameTime(async () => {
    if (!(await mayMail(db, form.email, clock.now()))) throw new AppError("too_many_requests");
    if (
      !checked.person.confirmedAt &&
      (await correctEmail(services, checked, { ...form, fullName: checked.person.fullName, language: checked.person.language }))
    )
      return;
    await ask(services, checked, form);
  });
}

async function ask(
  services: Services,
  { person, hold }: CheckedPassword,
  { email, address }: { email: string; address: string },
): Promise<void> {
  const { db, clock, publicUrl } = services;
  const { mail: toNew, keep } = await writeChangeLink(services, person, email);
  const toOld = await emailChangeAskedMail(person, email, mailLinks(publicUrl).forgotPassword);
  await db.transaction(async (tx) => {
    const now = clock.now();
    // If a reset has ended this session, the link must not outlive it.
    await hold(tx);
    // Only the latest request counts.
    await deleteLinks(tx, person.userId, ["change-email"]);
    await keep(tx, person.userId, now);
    await writeAudit(
      tx,
      { accountId: person.accountId, userId: person.userId, action: "email.change-asked", before: person.email, after: email, address },
      now,
    );
    await queueMail(tx, toNew, now);
    await queueMail(tx, toOld, now);
  });
}
