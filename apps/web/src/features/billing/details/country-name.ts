/** Apart from the list of countries, which only the form needs. */
import { inEachLanguage } from "../../../lib/formats.ts";

const displayNames = inEachLanguage((language) => new Intl.DisplayNames(language, { type: "region" }));

export const countryName = (code: string): string => displayNames().of(code) ?? code;
