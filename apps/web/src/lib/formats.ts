/** Formats numbers and times for the reader's language and timezone: the one place that knows both. */
import type { Language } from "#contract/accounts/language.ts";
import { createStore } from "./store.ts";
import { spokenLanguage } from "../words/spoken.ts";

/** The timezone for displaying times; undefined: the browser's own. */
export const displayTimezone = createStore<string | undefined>(undefined);

/**
 * The timezone, if this browser knows it; otherwise undefined, for the browser's own. The service, or the browser in which it was chosen,
 * may know newer ones, with which every date would throw.
 */
export function knownTimezone(name: string | null | undefined): string | undefined {
  if (!name) return undefined;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return name;
  } catch {
    return undefined;
  }
}

interface Format<Value> {
  format: (value: Value) => string;
}

/** Created again for another language or timezone, and otherwise kept: creating an `Intl` object costs more than a thousand uses of it. */
export function inEachLanguage<Made>(make: (language: Language, timeZone: string | undefined) => Made): () => Made {
  let made: { of: string; is: Made } | undefined;
  return () => {
    const of = `${spokenLanguage.get()} ${displayTimezone.get() ?? ""}`;
    if (made?.of !== of) made = { of, is: make(spokenLanguage.get(), displayTimezone.get()) };
    return made.is;
  };
}

/** A format of dates and times; it follows the language and the timezone. A `timeZone` among the options takes precedence. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Format<Date> {
  const made = inEachLanguage((language, timeZone) => new Intl.DateTimeFormat(language, { ...(timeZone ? { timeZone } : {}), ...options }));
  return { format: (value) => made().format(value) };
}

/** A format of numbers: `2,500` in English, `2.500` in German. */
export function numberFormat(options: Intl.NumberFormatOptions = {}): Format<number> {
  const made = inEachLanguage((language) => new Intl.NumberFormat(language, options));
  return { format: (value) => made().format(value) };
}

/** A plain number. */
export const number = numberFormat();

/** A day and a minute, as lists and notices name them: `Nov 23, 2026, 14:05`. */
export const moment = dateFormat({ dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
