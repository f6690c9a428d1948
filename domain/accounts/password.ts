/** Passwords: Argon2id off the event loop, never more at once than the machine bears. */
import { cpus } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { AppError } from "#platform/app-error.ts";

/** OWASP Password Storage Cheat Sheet, first choice: 19 MiB, 2 passes, 1 lane; 15 to 26 ms here. Argon2id is the library's default. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

const atOnce = Math.max(1, cpus().length - 1);
/** About two seconds of work; whoever comes later is asked to try again rather than kept waiting. */
const mostWaiting = 100;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= mostWaiting) throw new AppError("unavailable", { retryAfterSeconds: 2, internal: "too many passwords to hash" });
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    // The place is handed on, not given back, so that nobody overtakes.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Argon2id in PHC format. Throws AppError `unavailable` when too many wait. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, options));
}

let nobodysHash: Promise<string> | undefined;

/** One that could not be made in a storm is made by the next who asks. */
function hashOfNobody(): Promise<string> {
  nobodysHash ??= hashPassword("nobody's password").catch((error: unknown) => {
    nobodysHash = undefined;
    throw error;
  });
  return nobodysHash;
}

/**
 * Whether the password belongs to the hash. With `null` (no such account) it takes the same time and is false,
 * so that the answer's delay tells nothing.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const against = passwordHash ?? (await hashOfNobody());
  const matches = await inTurn(() => verify(against, password));
  return matches && passwordHash !== null;
}
