/**
 * What was proved before a transaction may no longer be true inside it: the password was reset, the session ended, the link used. So
 * every transaction that relies on a password, a session or a link begins here: it locks the user's row and checks again.
 * Every change of one of these takes the same lock first, so that the two run one after the other and never deadlock.
 */
import { AppError } from "#platform/app-error.ts";
import type { Connection } from "#platform/database.ts";
import { findPerson, type Person } from "./credential-store.ts";
import { findLink, takeLink, type LinkPurpose } from "./links/link-token-store.ts";
import { isSessionOpen } from "./sessions/session-store.ts";

/** What a caller proved before the transaction. */
interface Proof {
  userId: string;
  /** The caller's session. */
  sessionId?: string;
  /** The hash that the typed password was verified against. */
  passwordHash?: string | null;
}

/**
 * Locks the user until the end of the transaction. Throws AppError `session_expired` if the session has ended or the
 * user is gone, and `refusal` if the password has been changed.
 */
export async function lockPerson(tx: Connection, proof: Proof, refusal?: AppError): Promise<Person> {
  const person = await findPerson(tx, proof.userId, { lock: true });
  if (!person) throw new AppError("session_expired");
  if (proof.passwordHash !== undefined && person.passwordHash !== proof.passwordHash) throw refusal ?? new AppError("wrong_password");
  if (proof.sessionId !== undefined && !(await isSessionOpen(tx, proof.sessionId))) throw new AppError("session_expired");
  return person;
}

/** A link that was just taken, and its user. */
interface TakenLink {
  person: Person;
  purpose: LinkPurpose;
  /** Where the link was sent. */
  email: string;
}

/** Locks the link's user and takes the link out, so that it works once; null if it is unknown, used or expired. */
export async function takeLinkOfPerson(
  tx: Connection,
  token: string,
  purposes: readonly LinkPurpose[],
  now: Date,
): Promise<TakenLink | null> {
  const found = await findLink(tx, token, purposes);
  const person = found && (await findPerson(tx, found.userId, { lock: true }));
  const link = person && (await takeLink(tx, token, purposes, now));
  return link ? { person, purpose: link.purpose, email: link.email } : null;
}
