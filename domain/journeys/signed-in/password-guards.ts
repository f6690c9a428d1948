/** Checks the password that a signed-in user types again. Which calls ask for it: contract/session-rights.ts. */
import { fieldMessage } from "#contract/api/field-words.ts";
import { findPerson, type Person } from "#domain/accounts/credential-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { inTurnOf, verifyPassword } from "#domain/accounts/password.ts";
import { forgetAttempts, takeBackAttempt } from "#domain/attempts/attempt-store.ts";
import { refuseTooManyRightPasswords } from "#domain/attempts/limit-calls.ts";
import { refuseTooManyAttempts } from "#domain/attempts/refuse-attempts.ts";
import { AppError } from "#platform/app-error.ts";
import type { Connection } from "#platform/database.ts";
import type { CurrentUser } from "./current-user-query.ts";
import type { Services } from "../services.ts";

/** A password that was just verified. */
export interface CheckedPassword {
  person: Person;
  /** Starts a transaction that relies on it: locks the user. Refuses if the password was replaced or the session ended since the check. */
  hold(tx: Connection): Promise<Person>;
}

/** Checks the caller's password, with this session or none. Refuses a wrong one at the field `path`, and too many attempts. */
export async function checkPassword(
  { db, clock }: Services,
  caller: { userId: string } | Pick<CurrentUser, "userId" | "sessionId" | "openedBy">,
  password: string,
  path: string,
): Promise<CheckedPassword> {
  const { userId } = caller;
  const sessionId = "sessionId" in caller ? caller.sessionId : undefined;
  const subject = guesserOf(caller);
  const attempt = await refuseTooManyAttempts(db, "current-password", subject, clock.now());
  const person = await findPerson(db, userId);
  if (!person) throw wrongPassword(path);
  const isRight = await inTurnOf(userId, () => verifyPassword(person.passwordHash, password)).catch(async (error: unknown) => {
    // This was not a guess: the service was too busy to check it.
    await takeBackAttempt(db, attempt);
    throw error;
  });
  if (!isRight) throw wrongPassword(path);
  await refuseTooManyRightPasswords(db, userId);
  await forgetAttempts(db, "current-password", [subject]);
  const proof = { userId, passwordHash: person.passwordHash, ...(sessionId === undefined ? {} : { sessionId }) };
  return { person, hold: (tx) => lockPerson(tx, proof, wrongPassword(path)) };
}

/**
 * Whose attempts count together. A session that the user opened counts by itself, so that neither code in their workspace nor the reader
 * of a link can make its owner wait; those two may be strangers, and have one count each, whatever number of sessions or links they have.
 */
function guesserOf(caller: { userId: string } | Pick<CurrentUser, "userId" | "sessionId" | "openedBy">): string {
  if (!("sessionId" in caller)) return `link of ${caller.userId}`;
  return caller.openedBy === "password" || caller.openedBy === "magic-link" ? caller.sessionId : caller.userId;
}

/** The refusal at its field. */
function wrongPassword(path: string): AppError {
  return new AppError("wrong_password", {
    errors: [{ path, code: "current_password.wrong", message: fieldMessage("current_password.wrong") }],
  });
}
