/** A session's name, and when it was used, in words. */
import type { Session } from "#contract/accounts/session.ts";
import { t } from "./words.ts";
import { moment } from "../../lib/formats.ts";

export const momentOf = (at: string): string => moment.format(new Date(at));

export const deviceOf = ({ device }: Pick<Session, "device">): string => device ?? t("sessions.unknown");

/** The server records the use of a session once an hour, and the call that triggers this may come slightly late. */
const latelyMs = 65 * 60_000;

/** Accurate to the hour. `nowMs`: by the service's clock. */
export function usedText({ isCurrent, lastSeenAt }: Pick<Session, "isCurrent" | "lastSeenAt">, nowMs: number): string {
  if (isCurrent) return t("sessions.usedNow");
  return nowMs - Date.parse(lastSeenAt) < latelyMs ? t("sessions.usedLately") : t("sessions.used", { time: momentOf(lastSeenAt) });
}
