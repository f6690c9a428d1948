/** Dates in the wording of mails, in UTC. */
import { dayMs } from "#platform/clock.ts";

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

/** Such as `21 November 2026`. */
export const sayDay = (at: Date): string => day.format(at);

/** Such as `22 November 2026, 24 November 2026 and 26 November 2026`; each day once. */
export function listDays(dates: readonly Date[]): string {
  return new Intl.ListFormat("en-GB", { type: "conjunction" }).format(new Set(dates.map(sayDay)));
}

/** Such as `in 3 days`, `tomorrow` or `today`, counted in days of 24 hours. */
export function sayWhen(at: Date, now: Date): string {
  const days = Math.round((at.getTime() - now.getTime()) / dayMs);
  return days <= 0 ? "today" : days === 1 ? "tomorrow" : `in ${days} days`;
}
