/** How long ago something was, as people say it. */
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
