/** Dates in the wording of mails, in UTC. */
import { dayMs } from "#platform/clock.ts";
import type { MailLanguage } from "./mail-words.ts";

const dayLocale = (language: MailLanguage): string => (language === "de" ? "de" : "en-GB");

/** For sums of money and numbers. */
export const localeOf = (language: MailLanguage): string => (language === "de" ? "de" : "en-US");

function sayingIn(language: MailLanguage) {
  const day = new Intl.DateTimeFormat(dayLocale(language), { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  const list = new Intl.ListFormat(dayLocale(language), { type: "conjunction" });
  const isGerman = language === "de";
  const sayDay = (at: Date): string => day.format(at);
  return {
    /** Such as `21 November 2026`, in German `21. November 2026`. */
    sayDay,
    /** Such as `22 November 2026, 24 November 2026 and 26 November 2026`; each day once. */
    listDays: (dates: readonly Date[]): string => list.format(new Set(dates.map(sayDay))),
    /** Such as `1,000 executions, 5 active workflows and 5 people`. */
    listWords: (words: readonly string[]): string => list.format(words),
    /** Such as `in 3 days`, `tomorrow` or `today`, counted in days of 24 hours. */
    sayWhen(at: Date, now: Date): string {
      const days = Math.round((at.getTime() - now.getTime()) / dayMs);
      if (days <= 0) return isGerman ? "heute" : "today";
      if (days === 1) return isGerman ? "morgen" : "tomorrow";
      return isGerman ? `in ${days} Tagen` : `in ${days} days`;
    },
  };
}

const sayings = { en: sayingIn("en"), de: sayingIn("de") };

/** How days are said in a mail of this language. */
export const saying = (language: MailLanguage) => sayings[language ?? "en"];
