/** Counts an attempt, or refuses it after too many. */
import type { ProblemCode } from "#contract/api/problem.ts";
import { AppError } from "#platform/app-error.ts";
import type { Connection } from "#platform/database.ts";
import type { AttemptKind } from "./attempt-policy.ts";
import { countAttempt, type Attempt } from "./attempt-store.ts";

/** Returns the counted attempt; throws AppError `code` with the seconds to wait. */
export async function refuseTooManyAttempts(
  db: Connection,
  kind: AttemptKind,
  subject: string,
  now: Date,
  code: ProblemCode = "too_many_sign_ins",
): Promise<Attempt> {
  const attempt = await countAttempt(db, kind, subject, now);
  if ("waitSeconds" in attempt) throw new AppError(code, { retryAfterSeconds: attempt.waitSeconds, internal: `${kind} rests` });
  return attempt;
}
