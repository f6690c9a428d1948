/** Limits mails that can be requested without signing in, per requesting IP address and per recipient. */
import type { Connection } from "#platform/database.ts";
import { addressSubject, countAttempt } from "./attempt-store.ts";
import { refuseTooManyAttempts } from "./refuse-attempts.ts";

/** Throws AppError `too_many_requests`, which does not reveal whether an account exists. */
export async function refuseTooManyMails(db: Connection, address: string, now: Date): Promise<void> {
  await refuseTooManyAttempts(db, "mail-address", addressSubject(address), now, "too_many_requests");
}

/** Whether this recipient may get another mail. Counted whether or not the address belongs to an account. */
export async function mayMail(db: Connection, recipient: string, now: Date): Promise<boolean> {
  return !("waitSeconds" in (await countAttempt(db, "mail-recipient", recipient, now)));
}
