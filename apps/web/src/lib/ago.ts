/** How long ago something was, or how soon it comes, as people say it. */
import { inEachLanguage } from "./formats.ts";

const relative = inEachLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: "auto" }));

/** `4 minutes ago`; null after a day and for future moments, where the date says more. */
export function ago(at: Date, nowMs: number): string | null {
  const minutes = Math.floor((nowMs - at.getTime()) / 60_000);
  // Another computer's clock may be a little ahead.
  if (minutes < -1 || minutes >= 24 * 60) return null;
  if (minutes < 1) return relative().format(0, "second");
  return minutes < 60 ? relative().format(-minutes, "minute") : relative().format(-Math.floor(minutes / 60), "hour");
}

// "Yesterday" would be wrong for what was 30 hours ago, on the day before.
const inNumbers = inEachLanguage((language) => new Intl.RelativeTimeFormat(language));

/** Like `ago`, then in days: `3 days ago`. For what is at most some weeks old; future moments count as now. */
export const daysAgo = (at: Date, nowMs: number): string =>
  ago(new Date(Math.min(at.getTime(), nowMs)), nowMs) ?? inNumbers().format(-Math.floor((nowMs - at.getTime()) / 86_400_000), "day");

/** `in 9 hours`; after two days in days. `now` for a moment that has passed. */
export function fromNow(at: Date, nowMs: number): string {
  const minutes = Math.round((at.getTime() - nowMs) / 60_000);
  if (minutes < 1) return relative().format(0, "second");
  if (minutes < 60) return relative().format(minutes, "minute");
  const hours = Math.round(minutes / 60);
  return hours < 48 ? relative().format(hours, "hour") : relative().format(Math.round(hours / 24), "day");
}
