/** Which language a visitor sees: the one chosen here before, otherwise the first of the browser's languages that the panel has. */
import { languages, type Language } from "#contract/accounts/language.ts";
import { cookieText } from "./cookie-text.ts";
import { localValues } from "./stored-value.ts";
import { shapeWords, speak, spokenLanguage } from "../../words/spoken.ts";

/** 365 days. */
const languageCookieSeconds = 365 * 24 * 60 * 60;

/** The cookie that remembers a language. */
export const languageCookie = (language: string, isSecure: boolean): string =>
  cookieText("language", language, languageCookieSeconds, isSecure);

/** The language for a visitor with these cookies and these languages of the browser (`de-AT` is German). */
export function languageFor(cookies: string, preferred: readonly string[]): Language {
  const chosen = cookieOf(cookies);
  const wanted = [chosen, ...preferred.map((tag) => tag.toLowerCase().split("-")[0])];
  return wanted.map((code) => languages.find((known) => known === code)).find((code) => code !== undefined) ?? "en";
}

const cookieOf = (cookies: string): string | undefined => /(?:^|; )language=([\w-]+)/.exec(cookies)?.[1];

/**
 * The key with which tests of the layout request stretched texts (words/pseudo.ts). It is in the panel's own storage: a workspace's page
 * can set cookies for the panel's host, but it can't write here.
 */
export const stretchedKey = "slipway.stretched-words";

/** Switches to the visitor's language. */
export async function startLanguage(): Promise<void> {
  if (localValues.read(stretchedKey)) return shapeWords((await import("../../words/pseudo.ts")).stretch);
  await changeLanguage(languageFor(document.cookie, navigator.languages));
}

/** Switches to this language, and remembers it for a year. */
export async function changeLanguage(language: Language): Promise<void> {
  document.cookie = languageCookie(language, location.protocol === "https:");
  if (language !== spokenLanguage.get()) await speak(language);
  document.documentElement.lang = language;
}
