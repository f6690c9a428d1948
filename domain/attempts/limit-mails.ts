/** Mails that anybody may ask for: so many per address that asks, so many per address that gets them. */
import type { Connection } from "#platform/database.ts";
import { addressSubject, countAttempt } from "./attempt-store.ts";
import { refuseTooManyAttempts } from "./refuse-attempts.ts";

/** Throws AppError `too_many_requests`, which tells nothing of anybody's account. */
export async function refuseTooManyMails(db: Connection, address: string, now: Date): Promise<void> {
  await refuseTooManyAttempts(db, "mail-address", addressSubject(address), now, "too_many_requests");
}

/** Whether another mail may go to this address; counted whether or not it belongs to anybody. */
export async function mayMail(db: Connection, recipient: string, now: Date): Promise<boolean> {
  return !("waitSeconds" in (await countAttempt(db, "mail-recipient", recipient, now)));
}
