/**
 * A link in a mailbox proves who reads it, not who requested it. Where the two may differ, the person who opens it must show that the
 * account is theirs as well: by a session of it in the same browser, or by its password (decision 0076).
 */
import type { Person } from "#domain/accounts/credential-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { AppError } from "#platform/app-error.ts";
import type { Connection } from "#platform/database.ts";
import { checkPassword } from "./password-guards.ts";
import type { CurrentUser } from "./current-user-query.ts";
import type { Services } from "../services.ts";

export interface Shown {
  /** Whose session the browser holds, if any. */
  session: CurrentUser | null;
  password: string | undefined;
}

/** Whether this is a session that its person opened by themselves: not by a workspace's word, and not by an operator's look. */
export const isOwnSession = (session: CurrentUser | null, userId: string): session is CurrentUser =>
  session?.userId === userId && (session.openedBy === "password" || session.openedBy === "magic-link");

/** What begins the transaction that relies on it, and locks the person. Throws AppError `proof_needed` where nothing was shown, and `wrong_password`. */
export async function proveRegistrant(
  services: Services,
  userId: string,
  { session, password }: Shown,
): Promise<(tx: Connection) => Promise<Person>> {
  if (isOwnSession(session, userId)) return (tx) => lockPerson(tx, session);
  if (password === undefined) throw new AppError("proof_needed");
  return (await checkPassword(services, { userId }, password, "password")).hold;
}
