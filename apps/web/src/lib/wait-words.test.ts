import { afterEach, expect, test } from "vitest";
import { spokenLanguage } from "../words/spoken.ts";
import { waitWords } from "./wait-words.ts";

afterEach(() => spokenLanguage.set("en"));

test.each([
  [1, "in 1 second", "in 1 Sekunde"],
  [60, "in 60 seconds", "in 60 Sekunden"],
  [120, "in 120 seconds", "in 120 Sekunden"],
  [121, "in 3 minutes", "in 3 Minuten"],
  [3_600, "in 60 minutes", "in 60 Minuten"],
  [7_201, "in 3 hours", "in 3 Stunden"],
  [86_400, "in 24 hours", "in 24 Stunden"],
])("a wait of %i seconds is %s", (seconds, english, german) => {
  expect(waitWords(seconds)).toBe(english);
  spokenLanguage.set("de");
  expect(waitWords(seconds)).toBe(german);
});
