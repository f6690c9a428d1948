/** Checks the password that a signed-in user types again. Which calls ask for it: contract/session-rights.ts. */
import { fieldMessage } from "#contract/api/field-words.ts";
import { findPerson, type Person } from "#domain/accounts/credential-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { verifyPassword } from "#domain/accounts/password.ts";
import { forgetAttempts } from "#domain/attempts/attempt-store.ts";
import { refuseTooManyAttempts } from "#domain/attempts/refuse-attempts.ts";
import { AppError } from "#platform/app-error.ts";
import type { Connection } from "#platform/database.ts";
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
  { userId, sessionId }: { userId: string; sessionId?: string },
  password: string,
  path: string,
): Promise<CheckedPassword> {
  await refuseTooManyAttempts(db, "current-password", userId, clock.now());
  const person = await findPerson(db, userId);
  if (!person || !(await verifyPassword(person.passwordHash, password))) throw wrongPassword(path);
  await forgetAttempts(db, "current-password", [userId]);
  const proof = { userId, passwordHash: person.passwordHash, ...(sessionId === undefined ? {} : { sessionId }) };
  return { person, hold: (tx) => lockPerson(tx, proof, wrongPassword(path)) };
}

/** The refusal at its field. */
function wrongPassword(path: string): AppError {
  return new AppError("wrong_password", {
    errors: [{ path, code: "current_password.wrong", message: fieldMessage("current_password.wrong") }],
  });
}
