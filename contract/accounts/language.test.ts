import { expect, test } from "vitest";
import { acceptedLanguage, requestedLanguage } from "./language.ts";

test.each([
  [undefined, "en"],
  ["", "en"],
  ["de", "de"],
  ["de-AT,de;q=0.9,en;q=0.8", "de"],
  ["en-US,en;q=0.9,de;q=0.8", "en"],
  ["fr-FR, de;q=0.5, en;q=0.7", "en"],
  ["fr, DE-ch;q=0.3", "de"],
  ["de;q=0, en", "en"],
  ["*", "en"],
  [`${"x,".repeat(100_000)}de`, "en"],
])("Accept-Language %j is read as %s", (header, language) => expect(acceptedLanguage(header)).toBe(language));

test("a choice made in this browser comes before the browser's own languages, and English needs none", () => {
  expect(requestedLanguage({ "accept-language": "de" })).toBe("de");
  expect(requestedLanguage({ cookie: "a=1; language=de", "accept-language": "en" })).toBe("de");
  expect(requestedLanguage({ cookie: "language=en", "accept-language": "de" })).toBeNull();
  expect(requestedLanguage({ cookie: "language=pseudo", "accept-language": "de" })).toBe("de");
  expect(requestedLanguage({})).toBeNull();
});
