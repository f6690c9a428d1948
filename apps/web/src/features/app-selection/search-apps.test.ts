import { expect, test } from "vitest";
import { makeSearchable, searchApps } from "./search-apps.ts";

const entry = (displayName: string, ...categories: string[]) => ({
  id: displayName,
  name: displayName,
  displayName,
  popularity: 0,
  iconData: null,
  categories,
  nodes: [displayName],
  nodeNames: [displayName],
  does: "acts" as const,
});
const apps = makeSearchable([
  entry("Google Sheets", "Productivity"),
  entry("Airtable"),
  entry("Code (n8n)", "Core Nodes"),
  entry("Électricité"),
  entry("Microsoft SQL"),
  entry("Sheetmap"),
]);
const names = (query: string) => searchApps(apps, query).map(({ displayName }) => displayName);

test.each([
  ["", 6],
  ["   ", 6],
  ["google", 1],
  ["GOOGLE sheets", 1],
  ["sheets google", 1],
  ["googlesheets", 1],
  ["electric", 1],
  ["productivity", 1],
  ["(n8n)", 1],
  ["table", 1],
  ["nothing like it", 0],
  [".*", 6],
])("%j finds %i", (query, count) => expect(names(query)).toHaveLength(count));

test("a word that begins with the query comes before one that only contains it", () => {
  expect(
    searchApps(makeSearchable([entry("Baserow"), entry("Rowy"), entry("Sql Row")]), "row").map(({ displayName }) => displayName),
  ).toEqual(["Rowy", "Sql Row", "Baserow"]);
});

test("a key press over a thousand apps costs less than a frame", () => {
  const many = makeSearchable(Array.from({ length: 1000 }, (_, index) => entry(`App number ${index}`, "Marketing", "Sales")));
  const timed = () => {
    const before = process.cpuUsage();
    for (const query of ["a", "ap", "app", "app n", "app number 99"]) searchApps(many, query);
    return process.cpuUsage(before).user / 1_000 / 5;
  };
  // The best of several rounds, in milliseconds of processor time: the first rounds are slower, and the machine may be busy.
  expect(Math.min(...Array.from({ length: 20 }, timed))).toBeLessThan(16);
});
