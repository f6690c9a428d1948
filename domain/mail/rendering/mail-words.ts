/** The words that all mails share; the words of each mail are beside its template. */
import type { Language } from "#contract/accounts/language.ts";

/** The language of a person's mails; null: none was chosen, so English. */
export type MailLanguage = Language | null;

/** A catalogue's shape without its English: texts, and functions that put values into one. */
export type TranslatedMail<Words> = Words extends string
  ? string
  : Words extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Name in keyof Words]: TranslatedMail<Words[Name]> };

/** Chooses among a catalogue's languages. */
export const wordsFor =
  <Words>(english: Words, german: TranslatedMail<Words>) =>
  (language: MailLanguage): TranslatedMail<Words> =>
    language === "de" ? german : (english as TranslatedMail<Words>);

const english = {
  brand: "Slipway",
  greeting: (name: string) => `Hi ${name},`,
  plainLink: "If the button doesn't work, open this address in your browser:",
  footer: "You received this email because your address was entered at Slipway.",
} as const;

/** The name is one line of text: `oneLine`. */
export const mailWords = wordsFor(english, {
  brand: "Slipway",
  greeting: (name) => `Hallo ${name},`,
  plainLink: "Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse in Ihrem Browser:",
  footer: "Diese E-Mail hat Slipway gesendet, weil Ihre Adresse dort eingegeben wurde.",
});
