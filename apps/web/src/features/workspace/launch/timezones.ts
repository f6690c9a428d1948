/** The timezones to choose from, and how to find one of them. */
import { defaultTimezone } from "#contract/workspaces/workspace-values.ts";
import { dateFormat, knownTimezone } from "../../../lib/formats.ts";

/** Every timezone this browser knows, plus the default one. */
export function listTimezones(): string[] {
  const known = Intl.supportedValuesOf("timeZone");
  return known.includes(defaultTimezone) ? known : [defaultTimezone, ...known];
}

/** The browser's own timezone if it is on the list, else the default. */
export function guessTimezone(list: readonly string[]): string {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return list.includes(own) ? own : defaultTimezone;
}

/** Whether every word typed occurs in the name, read with spaces: "new york" finds America/New_York. */
export function matchesTimezone(timezone: string, query: string): boolean {
  const readable = plain(timezone);
  return plain(query)
    .split(/\s+/)
    .every((word) => readable.includes(word));
}

/** The offset from UTC at a moment, such as "GMT+2"; empty for a timezone that this browser does not know. */
export function timezoneOffset(timezone: string, at: Date): string {
  if (!knownTimezone(timezone)) return "";
  const parts = new Intl.DateTimeFormat("en", { timeZone: timezone, timeZoneName: "shortOffset" }).formatToParts(at);
  return parts.find((part) => part.type === "timeZoneName")?.value ?? "";
}

/** The weekday and time of day in a timezone; null in one that this browser does not know. */
export const timeIn = (timezone: string, at: Date): string | null =>
  knownTimezone(timezone)
    ? dateFormat({ timeZone: timezone, weekday: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(at)
    : null;

const plain = (text: string): string => text.toLowerCase().replace(/[_/]/g, " ").trim();
