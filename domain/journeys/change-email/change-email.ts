/** A person who is signed in wants another e-mail address: asked for here, done when a link in the new mailbox is opened. */
import { linkLifeMinutes } from "#contract/credential.ts";
import { fieldMessage } from "#contract/field-words.ts";
import { deleteLinks, findPersonByEmail } from "#domain/accounts/credential-store.ts";
import { insertLinkToken } from "#domain/accounts/link-token-store.ts";
import { newToken } from "#domain/accounts/token.ts";
import { writeAudit } from "#domain/accounts/audit-store.ts";
import { mayMail, refuseTooManyMails } from "#domain/attempts/limit-mails.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { changeEmailMail, emailChangeAskedMail, emailTakenMail } from "#domain/mail/templates/credential-mails.ts";
import { AppError } from "#platform/app-error.ts";
import { minuteMs } from "#platform/clock.ts";
import { inSameTime } from "#platform/same-time.ts";
import { checkPassword, type CheckedPassword } from "../change-password/check-password.ts";
import type { CurrentUser } from "../current-user/current-user-query.ts";
import type { Services } from "../services.ts";

/**
 * Mails a link to the new address and a notice to the old one. An address that somebody has is not revealed: its owner
 * is mailed instead, and answer and delay are the same. Refuses one's own address and a wrong password.
 */
export async function changeEmail(services: Services, current: CurrentUser, form: { email: string; password: string; address: string }): Promise<void> {
  if (form.email === current.email) throw new AppError("same_email", { errors: [{ path: "email", code: "email.same", message: fieldMessage("email.same") }] });
  const checked = await checkPassword(services, current, form.password, "password");
  const { db, clock } = services;
  await refuseTooManyMails(db, form.address, clock.now());
  await inSameTime(async () => {
    if (!(await mayMail(db, form.email, clock.now()))) throw new AppError("too_many_requests");
    await ask(services, checked, form);
  });
}

async function ask({ db, clock, publicUrl }: Services, { person, hold }: CheckedPassword, { email, address }: { email: string; address: string }): Promise<void> {
  const token = newToken();
  const isTaken = (await findPersonByEmail(db, email)) !== null;
  const toNew = isTaken ? await emailTakenMail(email, `${publicUrl}/login`) : await changeEmailMail(person.accountName, email, `${publicUrl}/change-email?token=${token}`);
  const toOld = await emailChangeAskedMail(person, email, `${publicUrl}/forgot-password`);
  await db.transaction(async (tx) => {
    const now = clock.now();
    // A reset on the way has ended this session: the link must not outlive it.
    await hold(tx);
    // The newest wish counts.
    await deleteLinks(tx, person.userId, ["change-email"]);
    if (!isTaken) await insertLinkToken(tx, { token, userId: person.userId, email, purpose: "change-email", lifeMs: linkLifeMinutes["change-email"] * minuteMs }, now);
    await writeAudit(tx, { accountId: person.accountId, userId: person.userId, action: "email.change-asked", before: person.email, after: email, address }, now);
    await queueMail(tx, toNew, now);
    await queueMail(tx, toOld, now);
  });
}
