import { expect, test } from "vitest";
import { countries, countryMatches } from "./countries.ts";
import { countryName } from "./country-name.ts";

test("each country has its own name, and the list is sorted by name", () => {
  expect(countries()).toHaveLength(249);
  expect(countries().filter((code) => countryName(code) === code)).toEqual([]);
  expect(countryName(countries()[0]!)).toBe("Afghanistan");
});

test.each([
  ["DE", "ger", true],
  ["DE", "de", true],
  ["CI", "cote", true],
  ["GB", "kingdom", true],
  ["GB", "ingdom", false],
  ["US", "", true],
])("%s is found by %j: %s", (code, typed, found) => expect(countryMatches(code, typed)).toBe(found));
