/** Days, sums and lists in the wording of mails. */
import { readerDays } from "#contract/sentences/reader-days.ts";
import type { MailLanguage } from "./mail-words.ts";

/** For sums of money and numbers. */
export const localeOf = (language: MailLanguage): string => (language === "de" ? "de" : "en-US");

/** How days are said in a mail of this language, to a reader in this timezone (null: unknown). */
export function saying(language: MailLanguage, timezone: string | null) {
  const isGerman = language === "de";
  const { day, days, between } = readerDays(isGerman ? "de" : "en", timezone);
  return {
    sayDay: day,
    listDays: days,
    /** Such as `in 3 days`, `tomorrow` or `today`, by the reader's calendar. */
    sayWhen(at: Date, now: Date): string {
      const count = between(now, at);
      if (count <= 0) return isGerman ? "heute" : "today";
      if (count === 1) return isGerman ? "morgen" : "tomorrow";
      return isGerman ? `in ${count} Tagen` : `in ${count} days`;
    },
  };
}

/** A day that is the same everywhere, such as one on an invoice, which is in UTC like its number, or on a card. */
export const sayDate = (language: MailLanguage, at: Date): string => saying(language, "UTC").sayDay(at);

/** Such as `1,000 executions, 5 active workflows and 5 people`. */
export const listWords = (language: MailLanguage, words: readonly string[]): string =>
  new Intl.ListFormat(language === "de" ? "de" : "en-GB", { type: "conjunction" }).format(words);
