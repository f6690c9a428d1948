import { expect, test } from "vitest";
import { acceptedLanguage } from "#contract/accounts/language.ts";
import { readerLanguage } from "./reader-language.mts";

test.each([
  "",
  "de",
  "de-AT,de;q=0.9,en;q=0.8",
  "en-US,en;q=0.9,de;q=0.8",
  "fr-FR, de;q=0.5, en;q=0.7",
  "fr, DE-ch;q=0.3",
  "de;q=0, en",
  "*",
  `${"x,".repeat(100_000)}de`,
])("a workspace reads Accept-Language %j as the rest of the service does", (header) => {
  expect(readerLanguage({ "accept-language": header })).toBe(acceptedLanguage(header));
});

test("without the header, or any headers, the reader is assumed to read English", () => {
  expect(readerLanguage({})).toBe("en");
  expect(readerLanguage(undefined)).toBe("en");
});
