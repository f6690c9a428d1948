/** The language that an invoice was issued in. */
import type { Language } from "#contract/accounts/language.ts";
import { formatMoney } from "#contract/billing/money/format-money.ts";
import type { Money } from "#contract/billing/money/money.ts";
import { inGerman } from "#contract/sentences/in-german.ts";
import { countryName, invoiceWords } from "./invoice-words.ts";

/** How everything is written that differs between languages. */
export interface Tongue {
  words: ReturnType<typeof invoiceWords>;
  money: (money: Money) => string;
  /** Such as `21 November 2026`, in UTC like the invoice numbers. */
  day: (iso: string) => string;
  country: (code: string) => string;
  /** Sentences of the service; a provider's own stay as they are. */
  said: (sentence: string) => string;
}

export function tongueOf(language: Language): Tongue {
  const isGerman = language === "de";
  const days = new Intl.DateTimeFormat(isGerman ? "de" : "en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  return {
    words: invoiceWords(language),
    money: (money) => formatMoney(money, { locale: isGerman ? "de" : "en-US" }),
    day: (iso) => days.format(new Date(iso)),
    country: (code) => countryName(code, language),
    said: isGerman ? inGerman : (sentence) => sentence,
  };
}
