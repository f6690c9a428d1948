/** Asks somebody who is signed in for their password once more. */
import { fieldMessage } from "#contract/field-words.ts";
import { findPerson, type Person } from "#domain/accounts/credential-store.ts";
import { verifyPassword } from "#domain/accounts/password.ts";
import { forgetAttempts } from "#domain/attempts/attempt-store.ts";
import { refuseTooManyAttempts } from "#domain/attempts/refuse-attempts.ts";
import { AppError } from "#platform/app-error.ts";
import type { Services } from "../services.ts";

/** The person, whose password this is. Refuses a wrong one at the field `path`, and too many of them. */
export async function checkPassword({ db, clock }: Services, userId: string, password: string, path: string): Promise<Person> {
  await refuseTooManyAttempts(db, "current-password", userId, clock.now());
  const person = await findPerson(db, userId);
  if (!person || !(await verifyPassword(person.passwordHash, password))) throw wrongPassword(path);
  await forgetAttempts(db, "current-password", [userId]);
  return person;
}

/** The refusal, named at its field. */
export function wrongPassword(path: string): AppError {
  return new AppError("wrong_password", { errors: [{ path, code: "current_password.wrong", message: fieldMessage("current_password.wrong") }] });
}
