/** The buyer's possible countries with their names. */
import type { Language } from "#contract/accounts/language.ts";
import { countryCodes } from "#contract/billing/countries.ts";

const namesIn = (language: Language) => new Intl.DisplayNames(language, { type: "region" });

function sorted(language: Language): readonly { code: string; name: string }[] {
  const names = namesIn(language);
  return countryCodes
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .toSorted((one, other) => one.name.localeCompare(other.name, language));
}

const countries: Record<Language, ReturnType<typeof sorted>> = { en: sorted("en"), de: sorted("de") };

/** By name. */
export const countriesIn = (language: Language): readonly { code: string; name: string }[] => countries[language];
export const countryName = (code: string, language: Language): string => namesIn(language).of(code) ?? code;
