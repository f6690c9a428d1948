/** Exchanges an account name or email and a password for a session. */
import { findByLogin } from "#domain/accounts/account-store.ts";
import { writeAuditOf } from "#domain/audit/audit-store.ts";
import type { Person } from "#domain/accounts/credential-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { verifyPassword } from "#domain/accounts/password.ts";
import { openSession } from "#domain/accounts/sessions/session-store.ts";
import { refuseTooManyRightPasswords } from "#domain/attempts/limit-calls.ts";
import { AppError } from "#platform/app-error.ts";
import type { Services } from "../services.ts";
import type { Visitor } from "../signed-in/caller.ts";
import { rememberVisitor } from "../signed-in/known-browser.ts";
import type { OpenedSession } from "../signed-in/start-session.ts";
import { countGuess } from "./count-guess.ts";

interface SignIn {
  login: string;
  password: string;
}

/**
 * Opens a session. An unknown account and a wrong password are refused and counted alike, in the same time.
 * An attempt is counted before it is made, so that many simultaneous ones gain nothing; the right password resets the count.
 */
export async function signIn({ db, clock, log }: Services, { login, password }: SignIn, visitor: Visitor): Promise<OpenedSession> {
  const { address, device } = visitor;
  const guess = await countGuess(db, login, visitor, clock.now());
  const person = await findByLogin(db, login);
  const matches = await verifyPassword(person?.passwordHash ?? null, password).catch(async (error: unknown) => {
    // This was not a guess: the service was too busy to check it.
    await guess.takeBack();
    throw error;
  });
  if (!person || !matches) {
    // For operators who look for attacks; the typed name is left out, since it may be a password.
    log.info({ userId: person?.userId ?? null, address }, "a sign-in was refused");
    throw new AppError("invalid_credentials");
  }
  await refuseTooManyRightPasswords(db, person.userId);
  await guess.succeed(person);
  return db.transaction(async (tx) => {
    // If a reset came first, it has replaced the password and ended all sessions; none may open after it.
    refusePublisher(
      await lockPerson(tx, { userId: person.userId, passwordHash: person.passwordHash }, new AppError("invalid_credentials")),
    );
    await writeAuditOf(tx, person.userId, { action: "session.opened", after: { openedBy: "password" }, address }, clock.now());
    const token = await openSession(tx, { userId: person.userId, openedBy: "password", device, address }, clock.now());
    return { token, openedBy: "password", browser: await rememberVisitor(tx, person.userId, visitor, clock.now()) };
  });
}

/** Revealed only after the right password. */
function refusePublisher({ kind }: Person): void {
  if (kind === "publisher") throw new AppError("publisher_account");
}
