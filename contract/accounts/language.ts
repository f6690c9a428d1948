/** The languages of the panel, as ISO 639-1 codes. English is the one whose words are complete by definition. */
export const languages = ["en", "de"] as const;
export type Language = (typeof languages)[number];

/** More than any browser sends; a header of a megabyte is not read completely. */
const mostTags = 20;

/** The reader's language from Accept-Language: the most preferred one that the product has (`de-AT` is German), else English. */
export function acceptedLanguage(header: string | undefined): Language {
  const wanted = (header ?? "")
    .split(",", mostTags)
    .map((part) => {
      const [tag = "", ...parameters] = part.trim().toLowerCase().split(";");
      const weight = parameters.map((parameter) => /^\s*q=([\d.]{1,5})\s*$/.exec(parameter)?.[1]).find((value) => value !== undefined);
      return { code: tag.split("-")[0], weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  return wanted.map(({ code }) => languages.find((known) => known === code)).find((known) => known !== undefined) ?? "en";
}

/** The language of a request to the panel: the cookie of an earlier choice, else the browser's; null for English, which needs no choice. */
export function requestedLanguage({
  cookie,
  "accept-language": accepted,
}: {
  cookie?: string | undefined;
  "accept-language"?: string | undefined;
}): Language | null {
  const chosen = /(?:^|;\s*)language=([\w-]+)/.exec(cookie ?? "")?.[1];
  const language = languages.find((known) => known === chosen) ?? acceptedLanguage(accepted);
  return language === "en" ? null : language;
}
