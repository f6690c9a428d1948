/** Passwords: Argon2id off the event loop, with no more at a time than the machine can handle. */
import { cpus } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { createGate } from "#platform/loops/gate.ts";
import { knownOnce } from "#platform/loops/known-once.ts";
import { createTurns } from "#platform/loops/turns.ts";

/** OWASP Password Storage Cheat Sheet, first choice: 19 MiB, 2 passes, 1 lane; 15 to 26 ms here. Argon2id is the library's default. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** One core is left for everything else. */
export const hashedAtOnce = Math.max(1, cpus().length - 1);
/** About two seconds of work; later callers are asked to try again rather than kept waiting. */
const mostWaiting = 100;

const gate = createGate({ atOnce: hashedAtOnce, mostWaiting, what: "passwords to hash" });

/**
 * For what a signed-in user may hash: one piece at a time. Their sessions could otherwise fill the queue above, in which others who sign in
 * wait. More wait for themselves than a session may guess.
 */
export const inTurnOf = createTurns({ mostWaiting: 10, what: "passwords and passphrases of one user" });

/** Systems compose letters differently as they are typed: "é" is one character on Windows, and two on a Mac in some programs. */
const composed = (password: string): string => password.normalize("NFC");

/** Argon2id in PHC format, of the composed form (NIST SP 800-63B, 3.1.1.2). Throws AppError `unavailable` when too many wait. */
export function hashPassword(password: string): Promise<string> {
  return gate.run(() => hash(composed(password), options));
}

/** If it could not be made because too many were waiting, the next caller makes it. */
const hashOfNobody = knownOnce(() => hashPassword("nobody's password"));

/**
 * Whether the password belongs to the hash. With `null` (no such account) it takes the same time and is false,
 * so that the delay reveals nothing.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const against = passwordHash ?? (await hashOfNobody());
  const isMatch = (form: string) => gate.run(() => verify(against, form));
  // Passwords set before were hashed as they were typed.
  const isFound = (await isMatch(composed(password))) || (composed(password) !== password && (await isMatch(password)));
  return isFound && passwordHash !== null;
}
