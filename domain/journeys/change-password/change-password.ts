/** A signed-in user changes their password. */
import { writeAudit } from "#domain/audit/audit-store.ts";
import { findPerson, setPassword } from "#domain/accounts/credential-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { hashPassword, inTurnOf } from "#domain/accounts/password.ts";
import { mailLinks } from "#domain/mail/mail-links.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { passwordChangedMail } from "#domain/mail/templates/accounts/credential-mails.ts";
import { AppError } from "#platform/app-error.ts";
import { refusePoorNewPassword } from "../signed-in/refuse-poor-password.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";
import type { Visitor } from "../signed-in/caller.ts";
import { rememberVisitor } from "../signed-in/known-browser.ts";
import { checkPassword, type CheckedPassword } from "../signed-in/password-guards.ts";
import { revokeAccess } from "../../accounts/revoke-access.ts";

interface PasswordChange {
  /** Omitted if the account has no usable password. */
  currentPassword?: string | undefined;
  password: string;
}

/**
 * Replaces the password, ends all other sessions and pending links, forgets all other browsers and mails a notice. Returns this browser's
 * new token, if it has one. Refuses a wrong current password, then a poor new one.
 */
export async function changePassword(
  services: Services,
  current: CurrentUser,
  change: PasswordChange,
  visitor: Visitor,
): Promise<string | null> {
  const { db, clock, publicUrl } = services;
  const { person, hold } = await checkCurrent(services, current, change.currentPassword);
  await refusePoorNewPassword(services, change.password, person);
  const passwordHash = await inTurnOf(person.userId, () => hashPassword(change.password));
  const mail = await passwordChangedMail(person, mailLinks(publicUrl).forgotPassword);
  return db.transaction(async (tx) => {
    const now = clock.now();
    await hold(tx);
    await setPassword(tx, person.userId, passwordHash);
    await revokeAccess(tx, person.userId, current.sessionId);
    const { accountId, userId } = person;
    await writeAudit(tx, { accountId, userId, action: "password.changed", address: visitor.address }, now);
    await queueMail(tx, mail, now);
    return rememberVisitor(tx, userId, visitor, now);
  });
}

/**
 * Without a usable password, access to the mailbox replaces it: only a session opened by a mailed link may set a password. Otherwise
 * an empty field counts as a wrong password.
 */
async function checkCurrent(services: Services, current: CurrentUser, password: string | undefined): Promise<CheckedPassword> {
  if (current.hasPassword || current.openedBy !== "magic-link" || password !== undefined)
    return checkPassword(services, current, password ?? "", "currentPassword");
  const person = await findPerson(services.db, current.userId);
  if (!person) throw new AppError("session_expired");
  return { person, hold: (tx) => lockPerson(tx, { userId: current.userId, sessionId: current.sessionId, passwordHash: null }) };
}
