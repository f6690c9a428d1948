/** What a session is called, and when it was used, in words. */
import type { Session } from "#contract/accounts/session.ts";
import { t } from "./words.ts";
import { moment } from "../../lib/formats.ts";

export const momentOf = (at: string): string => moment.format(new Date(at));

export const deviceOf = ({ device }: Pick<Session, "device">): string => device ?? t("sessions.unknown");

/** The server writes down once an hour that a session is used, and the call that does so may come a little late. */
const latelyMs = 65 * 60_000;

/** To the hour, as it is known. `nowMs`: by the service's clock. */
export function usedText({ isCurrent, lastSeenAt }: Pick<Session, "isCurrent" | "lastSeenAt">, nowMs: number): string {
  if (isCurrent) return t("sessions.usedNow");
  return nowMs - Date.parse(lastSeenAt) < latelyMs ? t("sessions.usedLately") : t("sessions.used", { time: momentOf(lastSeenAt) });
}
