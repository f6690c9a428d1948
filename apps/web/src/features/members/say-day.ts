import { dateFormat, inEachLanguage } from "../../lib/formats.ts";

const relative = inEachLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: "auto" }));
const utcDay = dateFormat({ dateStyle: "medium", timeZone: "UTC" });
// Swedish writes a date as YYYY-MM-DD.
const localDay = inEachLanguage((_language, timeZone) => new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone }));

/**
 * `today`, `yesterday`, `4 days ago`; the date after a week, and of a day after tomorrow. Today is the reader's date, and east of UTC also a
 * day that has not ended in UTC. @param day in UTC, YYYY-MM-DD
 */
export function sayDay(day: string, nowMs: number): string {
  const today = Math.min(nowMs, Date.parse(localDay().format(nowMs)));
  const days = Math.floor((today - Date.parse(day)) / 86_400_000);
  return days >= -1 && days < 7 ? relative().format(-Math.max(0, days), "day") : utcDay.format(new Date(day));
}
