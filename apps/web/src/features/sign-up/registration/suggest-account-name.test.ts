import { expect, test } from "vitest";
import { accountName } from "#contract/api/fields.ts";
import { otherAccountNames, suggestAccountName } from "./suggest-account-name.ts";

test.each([
  ["Ada Lovelace", "ada-lovelace"],
  ["  Ada   Lovelace  ", "ada-lovelace"],
  ["José Ñandú", "jose-nandu"],
  ["Jürgen Groß", "jurgen-gross"],
  ["O'Brien-Smith, Pat", "o-brien-smith-pat"],
  ["3 Musketeers", "musketeers"],
  ["Maximiliane Bartholomäus von Hohenstein", "maximiliane-bartholomaus"],
  ["Ada Lovelace of Analytical Engines", "ada-lovelace-of"],
  ["", ""],
  ["Al", ""],
  ["李小龍", ""],
  ["-- 42 --", ""],
])("%j gives %j", (fullName, suggestion) => expect(suggestAccountName(fullName)).toBe(suggestion));

test("a suggestion is always a valid account name", () => {
  const names = ["Ada Lovelace", "A".repeat(60), "a b c d e f g h i j k l m n o p", "Zoë-", "x--y--z", "Maximiliane Bartholomäus von H."];
  expect(names.filter((name) => !accountName.safeParse(suggestAccountName(name)).success)).toEqual([]);
});

test.each([
  ["acme", ["acme-2", "acme-team", "acme-3"]],
  ["acme-9007199254740993", ["acme-9007199254740993-2", "acme-900719925474099-team", "acme-9007199254740993-3"]],
  ["acme-9", ["acme-10", "acme-team", "acme-11"]],
  ["maximiliane-bartholomaus", ["maximiliane-bartholomau-2", "maximiliane-bartholo-team", "maximiliane-bartholomau-3"]],
])("instead of %s, valid names are %j", (name, others) => {
  expect(otherAccountNames(name)).toEqual(others);
  for (const other of others) expect(accountName.safeParse(other).success, other).toBe(true);
});
