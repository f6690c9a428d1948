/** A person who is signed in takes a new password. */
import { writeAudit } from "#domain/accounts/audit-store.ts";
import { findPerson, setPassword } from "#domain/accounts/credential-store.ts";
import { hashPassword } from "#domain/accounts/password.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { passwordChangedMail } from "#domain/mail/templates/credential-mails.ts";
import { refusePoorNewPassword } from "../choose-password/refuse-poor-password.ts";
import type { CurrentUser } from "../current-user/current-user-query.ts";
import type { Services } from "../services.ts";
import { checkPassword, wrongPassword } from "./check-password.ts";
import { revokeAccess } from "./revoke-access.ts";

export interface PasswordChange {
  currentPassword: string;
  password: string;
  address: string;
}

/** Replaces the password and ends every other session and every link under way; a mail says so. Refuses a wrong current one, then a poor new one. */
export async function changePassword(services: Services, current: CurrentUser, change: PasswordChange): Promise<void> {
  const { db, clock, publicUrl } = services;
  const person = await checkPassword(services, current.userId, change.currentPassword, "currentPassword");
  await refusePoorNewPassword(services, change.password, person);
  const passwordHash = await hashPassword(change.password);
  const mail = await passwordChangedMail(person, `${publicUrl}/forgot-password`);
  await db.transaction(async (tx) => {
    const now = clock.now();
    const locked = await findPerson(tx, person.userId, { lock: true });
    // Changed meanwhile: what was checked is no longer the current password.
    if (locked?.passwordHash !== person.passwordHash) throw wrongPassword("currentPassword");
    await setPassword(tx, person.userId, passwordHash);
    await revokeAccess(tx, person.userId, current.sessionId);
    await writeAudit(tx, { accountId: person.accountId, userId: person.userId, action: "password.changed", address: change.address }, now);
    await queueMail(tx, mail, now);
  });
}
