/** docs/scale.md adds up the sessions of a whole service: by the numbers that the program has. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { poolSizes } from "../database.ts";
import { commandSessions, dumpSessions, mostSessions, sessionsBesidePool } from "./session-counts.ts";

const page = readFileSync(new URL("../../docs/scale.md", import.meta.url), "utf8");
const section = /^## Connections to PostgreSQL$([^]*?)^## /m.exec(page)![1]!;
/** The rows of the section's table with this heading, without its heads. */
const rowsOf = (heading: string): string[][] =>
  section
    .split("\n\n")
    .find((part) => part.startsWith(`| ${heading} |`))!
    .split("\n")
    .slice(2)
    .map((row) => row.slice(2, -2).split(" | "));
const number = (text: string): number => Number(text.replaceAll(",", ""));

test("the page has the most sessions of each kind of process", () => {
  const { listen, presence, workspaces } = sessionsBesidePool;
  const usual = poolSizes.usual;
  const process = (runsWorkspaces: boolean) =>
    [usual, listen, presence + (runsWorkspaces ? workspaces : 0), 0, mostSessions(usual, runsWorkspaces)].map(String);
  const dump = dumpSessions.dump + dumpSessions.trial;
  expect(rowsOf("process")).toEqual([
    ["api", ...process(false)],
    ["gateway", ...process(false)],
    ["worker with `DRIVER=kubernetes`", ...process(false)],
    ["worker with `DRIVER=process` or `docker`, alone or with other roles", ...process(true)],
    ["`npm run ops`, most commands", `${commandSessions}`, "0", "0", "0", `${commandSessions}`],
    [
      "`npm run ops -- backup-control-plane`",
      `${commandSessions}`,
      "0",
      `${dumpSessions.lock}`,
      `${dump}`,
      `${commandSessions + dumpSessions.lock + dump}`,
    ],
  ]);
});

test("each line of its example is worked out, by the program's numbers, and max_connections has room for all of them", () => {
  const { listen, presence, workspaces } = sessionsBesidePool;
  const example = rowsOf("100 hosts");
  const sums = [0, 0];
  for (const [what, ...columns] of example)
    for (const [index, cell] of columns.entries()) {
      const written = /^(?:(?<count>\d+) × \((?<pool>\d+) \+ (?<rest>\d+)\) = )?(?<sum>[\d,]+)$/.exec(cell)!.groups!;
      if (written["count"]) {
        const runsWorkspaces = what!.includes("worker");
        expect(Number(written["rest"])).toBe(listen + presence + (runsWorkspaces ? workspaces : 0));
        expect(Number(written["pool"])).toBe(runsWorkspaces && index === 1 ? poolSizes.smallest : poolSizes.usual);
        expect(number(written["sum"]!)).toBe(Number(written["count"]) * mostSessions(Number(written["pool"]), runsWorkspaces));
      }
      if (what !== "in all") sums[index]! += number(written["sum"]!);
    }
  const total = example
    .find(([what]) => what === "in all")!
    .slice(1)
    .map(number);
  expect(total).toEqual(sums);
  const [asked] = /`max_connections = (\d+)`/.exec(section)!.slice(1).map(Number);
  expect(asked).toBeGreaterThanOrEqual(sums[1]!);
  // More than two thirds of it are used: the page does not ask for memory that nothing needs.
  expect(asked! * (2 / 3)).toBeLessThan(sums[1]!);
});
