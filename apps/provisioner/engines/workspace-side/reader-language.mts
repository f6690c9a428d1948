/** The language of the workspace's own pages: the reader's, by Accept-Language. A workspace does not know its account's language. */
import type { Request } from "./handler.mts";

/** The panel's languages (contract/accounts/language.ts, which workspaces do not have): a test checks that both give the same answers. */
const languages = ["en", "de"] as const;
export type Language = (typeof languages)[number];

/** More than any browser sends. */
const mostTags = 20;

/** The most preferred language that the pages have (`de-AT` is German), otherwise English. */
export function readerLanguage(headers: Request["headers"] | undefined): Language {
  const wanted = (headers?.["accept-language"] ?? "")
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
