/**
 * Whoever has come by a session, from a browser left open or by a stolen cookie, must not sign its owner out everywhere else:
 * to end others the password was typed in this one, and a moment ago (ASVS 7.5.2).
 */
import { AppError } from "#platform/app-error.ts";
import { minuteMs } from "#platform/clock.ts";
import type { CurrentUser } from "./current-user-query.ts";

/** Enough to go through the list without being asked twice, too short for whoever finds the browser later. */
const typedForMs = 10 * minuteMs;

/** Throws AppError `password_needed`; the caller asks for the password (`POST /auth/confirm-password`) and tries again. */
export function refuseUntypedPassword({ passwordTypedAt }: Pick<CurrentUser, "passwordTypedAt">, now: Date): void {
  // Later than now it was typed by a clock that has been set back: nobody knows how long ago.
  if (!passwordTypedAt || Math.abs(now.getTime() - passwordTypedAt.getTime()) >= typedForMs) throw new AppError("password_needed");
}
