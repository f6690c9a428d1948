/** A browser's session cookies: its token, and the marker that tells the panel's pages that there is one. */
import { sessionMark } from "#platform/http/session-cookie.ts";

interface Cookie {
  name: string;
  value: string;
  url: string;
}

/** For a browser context's `addCookies`, instead of signing in. */
export const sessionCookies = (token: string, url: string): Cookie[] => [
  { name: "token", value: token, url },
  { name: sessionMark, value: "1", url },
];
