/** Applies contract/session-rights.ts to a session. */
import type { SessionRights } from "#contract/session-rights.ts";
import { AppError } from "../app-error.ts";
import { minuteMs } from "../clock.ts";

/** What must be known of a session to decide what it may call. */
export interface OpenedSession {
  sessionId: string;
  openedBy: keyof SessionRights;
  /** When the password was last typed in it; null: never. */
  passwordTypedAt: Date | null;
  /** Since when its account is suspended; null: it is not. */
  suspendedAt?: Date | null;
  /** Since when its account is closed; null: it is open. */
  closedAt?: Date | null;
}

/** Long enough to work through the list of sessions without a second prompt, too short for a stranger who finds the browser later. */
const typedForMs = 10 * minuteMs;

/** Throws AppError `password_needed` if this session may not make the call yet; the caller asks for the password and repeats it. */
export function refuseSession(
  rights: "anyone" | SessionRights,
  { sessionId, openedBy, passwordTypedAt }: OpenedSession,
  params: unknown,
  now: Date,
): void {
  if (rights === "anyone") return;
  const right = rights[openedBy];
  if (right === "yes") return;
  if (right === "recent" && (params as { id?: unknown } | null)?.id === sessionId) return;
  if (right === "recent") return needRecentPassword({ passwordTypedAt }, now);
  throw new AppError("password_needed");
}

/**
 * For calls that destroy data only with some bodies (`destroysWith` in contract/session-rights.ts). Throws AppError `password_needed` if the
 * password was not typed in this session within the last 10 minutes.
 */
export function needRecentPassword({ passwordTypedAt }: Pick<OpenedSession, "passwordTypedAt">, now: Date): void {
  // A time in the future comes from a clock that was set back since, so its age is unknown.
  if (!passwordTypedAt || Math.abs(now.getTime() - passwordTypedAt.getTime()) >= typedForMs) throw new AppError("password_needed");
}
