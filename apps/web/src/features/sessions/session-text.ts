/** A session's name, and when it was used, in words. */
import type { Session } from "#contract/accounts/session.ts";
import { t } from "./words.ts";
import { daysAgo } from "../../lib/ago.ts";
import { moment } from "../../lib/formats.ts";

/** The exact time, which tells two sessions of one device apart. */
export const momentOf = (at: string): string => moment.format(new Date(at));

/** The service names a device in English: "Firefox on Linux". */
export function deviceOf({ device }: Pick<Session, "device">): string {
  if (device === null) return t("sessions.unknown");
  const [browser = device, system] = device.split(" on ");
  return system === undefined ? device : t("sessions.device", { browser, system });
}

/** How and when it was opened. `nowMs`, here and below: by the service's clock. */
export function openedText({ openedBy, signedInAt }: Pick<Session, "openedBy" | "signedInAt">, nowMs: number): string {
  const isNew = nowMs - Date.parse(signedInAt) < 60_000;
  return t(`sessions.opened.${openedBy}`, { time: isNew ? t("sessions.justNow") : daysAgo(new Date(signedInAt), nowMs) });
}

/** The server records the use of a session once an hour, and the call that triggers this may come slightly late. */
const latelyMs = 65 * 60_000;

/** Accurate to the hour. */
export function usedText({ isCurrent, lastSeenAt }: Pick<Session, "isCurrent" | "lastSeenAt">, nowMs: number): string {
  if (isCurrent) return t("sessions.usedNow");
  return nowMs - Date.parse(lastSeenAt) < latelyMs
    ? t("sessions.usedLately")
    : t("sessions.used", { time: daysAgo(new Date(lastSeenAt), nowMs) });
}
