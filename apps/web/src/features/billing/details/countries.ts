/** The countries, by the names that the browser has for them. */
import { countryCodes } from "#contract/billing/countries.ts";
import { inEachLanguage } from "../../../lib/formats.ts";
import { plainText } from "../../../lib/plain-text.ts";
import { countryName } from "./country-name.ts";

/** Codes in the order of their names. */
export const countries: () => readonly string[] = inEachLanguage((language) =>
  countryCodes.toSorted((one, other) => countryName(one).localeCompare(countryName(other), language)),
);

/** Whether the typed text matches a country: the beginning of a word of its name, or its two letters. */
export const countryMatches = (code: string, query: string): boolean => {
  const typed = plainText(query.trim());
  return typed === "" || code.toLowerCase() === typed || ` ${plainText(countryName(code))}`.includes(` ${typed}`);
};
