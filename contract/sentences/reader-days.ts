/** A day in the service's own texts: the reader's, as in the panel. Where their timezone is not known, it is UTC's, and says so. */

export interface ReaderDays {
  /** Such as `21 November 2026`, in German `21. November 2026`; `21 November 2026 (UTC)` for readers whose timezone is not known. */
  day(at: Date): string;
  /** Several days, each once, such as `22 November 2026 and 24 November 2026`. */
  days(dates: readonly Date[]): string;
  /** How many days lie between the two, by the reader's calendar. */
  between(from: Date, to: Date): number;
}

const dayMs = 86_400_000;

/** @param timezone the reader's, as chosen once; null: unknown. One that this runtime does not know any more counts as unknown. */
export function readerDays(language: "en" | "de", timezone: string | null): ReaderDays {
  const locale = language === "de" ? "de" : "en-GB";
  const { zone, mark } = zoneOf(timezone);
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", year: "numeric", timeZone: zone });
  // Swedish writes a date as YYYY-MM-DD.
  const date = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: zone });
  const midnight = (at: Date): number => Date.parse(date.format(at));
  return {
    day: (at) => day.format(at) + mark,
    days: (dates) => new Intl.ListFormat(locale, { type: "conjunction" }).format(new Set(dates.map((at) => day.format(at)))) + mark,
    between: (from, to) => Math.round((midnight(to) - midnight(from)) / dayMs),
  };
}

function zoneOf(timezone: string | null): { zone: string; mark: string } {
  try {
    if (timezone !== null) return { zone: new Intl.DateTimeFormat("en", { timeZone: timezone }).resolvedOptions().timeZone, mark: "" };
  } catch {
    // Chosen when the runtime knew it.
  }
  return { zone: "UTC", mark: " (UTC)" };
}
