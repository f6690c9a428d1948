/** Exchanges an account name or email and a password for a session. */
import { findByLogin } from "#domain/accounts/account-store.ts";
import { writeAuditOf } from "#domain/audit/audit-store.ts";
import type { Person } from "#domain/accounts/credential-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { verifyPassword } from "#domain/accounts/password.ts";
import { openSession } from "#domain/accounts/sessions/session-store.ts";
import { addressSubject, forgetAttempts, takeBackAttempt } from "#domain/attempts/attempt-store.ts";
import { refuseTooManyAttempts } from "#domain/attempts/refuse-attempts.ts";
import { AppError } from "#platform/app-error.ts";
import type { Services } from "../services.ts";
import type { Visitor } from "../signed-in/caller.ts";

interface SignIn {
  login: string;
  password: string;
}

/**
 * Returns the bearer token. An unknown account and a wrong password are refused and counted alike, in the same time.
 * An attempt is counted before it is made, so that many simultaneous ones gain nothing; the right password resets the account's count.
 */
export async function signIn({ db, clock, log }: Services, { login, password }: SignIn, { address, device }: Visitor): Promise<string> {
  const now = clock.now();
  const fromAddress = await refuseTooManyAttempts(db, "sign-in-address", addressSubject(address), now);
  const forLogin = await refuseTooManyAttempts(db, "login", login, now);
  const person = await findByLogin(db, login);
  const matches = await verifyPassword(person?.passwordHash ?? null, password).catch(async (error: unknown) => {
    // This was not a guess: the service was too busy to check it.
    await takeBackAttempt(db, fromAddress);
    await takeBackAttempt(db, forLogin);
    throw error;
  });
  if (!person || !matches) {
    // For operators who look for attacks; the typed name is left out, since it may be a password.
    log.info({ userId: person?.userId ?? null, address }, "a sign-in was refused");
    throw new AppError("invalid_credentials");
  }
  await takeBackAttempt(db, fromAddress);
  await forgetAttempts(db, "login", [person.email, person.accountName]);
  return db.transaction(async (tx) => {
    // If a reset came first, it has replaced the password and ended all sessions; none may open after it.
    refusePublisher(
      await lockPerson(tx, { userId: person.userId, passwordHash: person.passwordHash }, new AppError("invalid_credentials")),
    );
    await writeAuditOf(tx, person.userId, { action: "session.opened", after: { openedBy: "password" }, address }, clock.now());
    return openSession(tx, { userId: person.userId, openedBy: "password", device, address }, clock.now());
  });
}

/** Revealed only after the right password. */
function refusePublisher({ kind }: Person): void {
  if (kind === "publisher") throw new AppError("publisher_account");
}
