import { expect, test } from "vitest";
import { languageCookie } from "./language.ts";

test("the language is remembered for 365 days, on https only there", () => {
  expect(languageCookie("en", false)).toBe("language=en; Max-Age=31536000; Path=/; SameSite=Lax");
  expect(languageCookie("en", true)).toContain("; Secure");
});
