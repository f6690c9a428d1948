/** Account name or e-mail and password, for a session. */
import { findByLogin } from "#domain/accounts/account-store.ts";
import { writeAuditOf } from "#domain/audit/audit-store.ts";
import type { Person } from "#domain/accounts/credential-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { verifyPassword } from "#domain/accounts/password.ts";
import { openSession } from "#domain/accounts/session-store.ts";
import { addressSubject, forgetAttempts, takeBackAttempt } from "#domain/attempts/attempt-store.ts";
import { refuseTooManyAttempts } from "#domain/attempts/refuse-attempts.ts";
import { AppError } from "#platform/app-error.ts";
import type { Services } from "../services.ts";
import type { Visitor } from "../signed-in/caller.ts";

export interface SignIn {
  login: string;
  password: string;
}

/**
 * Returns the bearer token. An unknown account and a wrong password are refused and counted alike, in the same time.
 * A try is counted before it is made, so that many at the same time gain nothing; the right password starts the account anew.
 */
export async function signIn({ db, clock, log }: Services, { login, password }: SignIn, { address, device }: Visitor): Promise<string> {
  const now = clock.now();
  const fromAddress = await refuseTooManyAttempts(db, "sign-in-address", addressSubject(address), now);
  const forLogin = await refuseTooManyAttempts(db, "login", login, now);
  const person = await findByLogin(db, login);
  const matches = await verifyPassword(person?.passwordHash ?? null, password).catch(async (error: unknown) => {
    // Nothing was guessed: the service was too busy to look.
    await takeBackAttempt(db, fromAddress);
    await takeBackAttempt(db, forLogin);
    throw error;
  });
  if (!person || !matches) {
    // For operators who look for attacks; what was typed as a name may be a password, and is not repeated.
    log.info({ userId: person?.userId ?? null, address }, "a sign-in was refused");
    throw new AppError("invalid_credentials");
  }
  await takeBackAttempt(db, fromAddress);
  await forgetAttempts(db, "login", [person.email, person.accountName]);
  return db.transaction(async (tx) => {
    // A reset that came first has replaced the password, and ends no session that opens after it.
    refusePublisher(
      await lockPerson(tx, { userId: person.userId, passwordHash: person.passwordHash }, new AppError("invalid_credentials")),
    );
    await writeAuditOf(tx, person.userId, { action: "session.opened", after: { openedBy: "password" }, address }, clock.now());
    return openSession(tx, { userId: person.userId, openedBy: "password", device }, clock.now());
  });
}

/** Told only to whoever has the right password. */
function refusePublisher({ kind }: Person): void {
  if (kind === "publisher") throw new AppError("publisher_account");
}
