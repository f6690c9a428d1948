/**
 * A link in a mailbox proves who reads it, not who requested it. If the two may differ, the person who opens it must show that the
 * account is theirs as well: with a session in the same browser, or with its password (decision 0076).
 */
import type { Person } from "#domain/accounts/credential-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { AppError } from "#platform/app-error.ts";
import type { Connection } from "#platform/database.ts";
import { checkPassword } from "./password-guards.ts";
import type { CurrentUser } from "./current-user-query.ts";
import type { Services } from "../services.ts";

export interface Shown {
  /** The browser's session, if any. */
  session: CurrentUser | null;
  password: string | undefined;
}

/** Whether the user opened this session personally, not through a workspace or an operator. */
export const isOwnSession = (session: CurrentUser | null, userId: string): session is CurrentUser =>
  session?.userId === userId && (session.openedBy === "password" || session.openedBy === "magic-link");

/** Returns the first step of a transaction that relies on it: it locks the user. Throws AppError `proof_needed` or `wrong_password`. */
export async function proveRegistrant(
  services: Services,
  userId: string,
  { session, password }: Shown,
): Promise<(tx: Connection) => Promise<Person>> {
  if (isOwnSession(session, userId)) return (tx) => lockPerson(tx, session);
  if (password === undefined) throw new AppError("proof_needed");
  return (await checkPassword(services, { userId }, password, "password")).hold;
}
