import { expect, test } from "vitest";
import { matchScore } from "./match-entry.ts";

const best = (query: string, names: string[]): string | undefined =>
  names
    .map((name) => ({ name, score: matchScore(query, name) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)[0]?.name;

test.each([
  ["dash", "Dashboard"],
  ["dshb", "Dashboard"],
  ["back", "Back up now"],
  ["RESTART", "Restart workspace"],
  ["uber", "Über Sie"],
  ["work rest", "Restart workspace"],
  ["bill", "Billing"],
])("%s finds %s", (query, name) => {
  expect(best(query, ["Dashboard", "Billing", "Restart workspace", "Back up now", "Export and backups", "Über Sie"])).toBe(name);
});

test("every word must occur, in the name or among its other words", () => {
  expect(matchScore("restart backup", "Restart workspace")).toBe(0);
  expect(matchScore("logout", "Sign out", "log out logout")).toBeGreaterThan(0);
  expect(matchScore("sign", "Sign out", "log out")).toBeGreaterThan(matchScore("log", "Sign out", "log out"));
  expect(matchScore("xyz", "Dashboard")).toBe(0);
  expect(matchScore("", "Dashboard")).toBe(0);
});
