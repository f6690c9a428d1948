/** Asks signed-in users for their password again, and refuses calls that need it. */
import { fieldMessage } from "#contract/api/field-words.ts";
import { findPerson, type Person } from "#domain/accounts/credential-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { verifyPassword } from "#domain/accounts/password.ts";
import { forgetAttempts } from "#domain/attempts/attempt-store.ts";
import { refuseTooManyAttempts } from "#domain/attempts/refuse-attempts.ts";
import { AppError } from "#platform/app-error.ts";
import type { Connection } from "#platform/database.ts";
import type { Services } from "../services.ts";
import type { CurrentUser } from "./current-user-query.ts";
import { minuteMs } from "#platform/clock.ts";

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

/**
 * For calls that spend the customer's money. Code in a workspace can open a session of its owner (decision 0022), and an operator
 * who views the panel is not the customer. Throws AppError `password_needed`; the caller asks for the password
 * (`POST /auth/confirm-password`) and tries again.
 */
export function refuseWorkspaceSession({ openedBy }: Pick<CurrentUser, "openedBy">): void {
  if (openedBy === "workspace" || openedBy === "operator") throw new AppError("password_needed");
}

/** Long enough to work through the list of sessions without a second prompt, too short for a stranger who finds the browser later. */
const typedForMs = 10 * minuteMs;

/**
 * For calls that sign out other devices: a stolen cookie, or a browser left open, must not suffice to sign out the account's owner
 * (ASVS 7.5.2).
 * Throws AppError `password_needed` unless the password was typed in this session within the last 10 minutes.
 */
export function refuseUntypedPassword({ passwordTypedAt }: Pick<CurrentUser, "passwordTypedAt">, now: Date): void {
  // A time in the future comes from a clock that was set back since, so its age is unknown.
  if (!passwordTypedAt || Math.abs(now.getTime() - passwordTypedAt.getTime()) >= typedForMs) throw new AppError("password_needed");
}
