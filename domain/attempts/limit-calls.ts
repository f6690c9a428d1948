/** Counts the calls that write, of a session and of its account, in all processes together. */
import { AppError } from "#platform/app-error.ts";
import { dayMs, minuteMs, secondMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { callLimits, rightPasswordsADay, type CallKind } from "./call-limits.ts";
import { countCall } from "./call-count-store.ts";

interface Caller {
  sessionId: string;
  accountId: string;
}

/**
 * Counts a call; throws AppError `too_many_requests` with the seconds to wait. A call that the session's own limit refuses does not count
 * for the account, so that one session can't stop the others.
 */
export async function refuseTooManyCalls(db: Connection, kind: CallKind, { sessionId, accountId }: Caller): Promise<void> {
  const { perSessionMinute, perAccountMinute, perAccountDay } = callLimits[kind];
  await count(db, `${kind} of a session`, sessionId, perSessionMinute, minuteMs);
  await count(db, `${kind} of an account`, accountId, perAccountMinute, minuteMs);
  if (perAccountDay !== null) await count(db, `${kind} of a day`, accountId, perAccountDay, dayMs);
}

async function count(
  db: Connection,
  what: string,
  subject: string,
  most: number,
  windowMs: number,
  code: "too_many_requests" | "too_many_sign_ins" = "too_many_requests",
): Promise<void> {
  const { calls, waitSeconds } = await countCall(db, what, subject, windowMs / secondMs);
  if (calls > most) throw new AppError(code, { retryAfterSeconds: waitSeconds, internal: `${what}: more than ${most}` });
}

/** Counts a password that was right; throws AppError `too_many_sign_ins` with the seconds to wait if this user had too many today. */
export async function refuseTooManyRightPasswords(db: Connection, userId: string): Promise<void> {
  await count(db, "right passwords of a day", userId, rightPasswordsADay, dayMs, "too_many_sign_ins");
}
