import { expect, test } from "vitest";
import { findProcess, parseStat } from "./process-table.ts";

const rest = "S 1 42 40 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1000 10";

test("a program's name cannot be mistaken for another column", () => {
  expect(parseStat(`42 (sh) ${rest}`)).toEqual({ pid: 42, started: "987654", session: 40, parent: 1 });
  expect(parseStat(`42 (a) Z 1 (b\n) ${rest}`)).toEqual({ pid: 42, started: "987654", session: 40, parent: 1 });
});

test("a process that ended but was not reaped counts as gone", () => {
  expect(parseStat(`42 (sh) ${rest.replace("S", "Z")}`)).toBeUndefined();
  expect(parseStat("")).toBeUndefined();
});

test("this process is found, and an impossible one is not", async () => {
  expect(await findProcess(process.pid)).toMatchObject({ pid: process.pid });
  expect(await findProcess(2 ** 30)).toBeUndefined();
});
