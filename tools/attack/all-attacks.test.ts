/** The page about attacks lists every attack that is tried, and no other. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { allAttacks } from "./all-attacks.ts";

test("docs/security/attacks.md lists the attacks in order, with their means", () => {
  const page = readFileSync(new URL("../../docs/security/attacks.md", import.meta.url), "utf8");
  const rows = page
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) =>
      line
        .split("|")
        .slice(1, 3)
        .map((cell) => cell.trim()),
    );
  expect(rows.slice(1)).toEqual(allAttacks.map(({ title, means }) => [title, means]));
});
