/** Account name or e-mail and password, for a session. */
import { findByLogin } from "#domain/accounts/account-store.ts";
import { verifyPassword } from "#domain/accounts/password.ts";
import { openSession } from "#domain/accounts/session-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { Services } from "../services.ts";

/** Returns the bearer token. An unknown account and a wrong password are refused alike, in the same time. */
export async function signIn({ db, clock }: Services, login: string, password: string): Promise<string> {
  const person = await findByLogin(db, login);
  const matches = await verifyPassword(person?.passwordHash ?? null, password);
  if (!person || !matches) throw new AppError("invalid_credentials");
  return openSession(db, person.userId, clock.now());
}
