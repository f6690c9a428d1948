/** The panel exists in English only. The cookie will choose a second language, on the server too. */

const cookieName = "language";
/** 365 days. */
export const languageCookieSeconds = 365 * 24 * 60 * 60;

/** The cookie that remembers a language. */
export const languageCookie = (language: string, isSecure: boolean): string =>
  `${cookieName}=${language}; Max-Age=${languageCookieSeconds}; Path=/; SameSite=Lax${isSecure ? "; Secure" : ""}`;

/** Keeps the page's language for the next visit, a year from now. */
export function rememberLanguage(): void {
  document.cookie = languageCookie(document.documentElement.lang || "en", location.protocol === "https:");
}
