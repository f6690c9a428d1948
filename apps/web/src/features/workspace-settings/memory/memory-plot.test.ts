import { expect, test } from "vitest";
import { hourlyPeaks, memoryPaths, summarise } from "./memory-plot.ts";

const at = (minutes: number, memoryMb: number) => ({ at: new Date(minutes * 60_000).toISOString(), memoryMb });
const box = { width: 100, height: 50, fromMs: 0, toMs: 100 * 60_000, topMb: 1000 };

test("a line connects its samples from left to right, with larger values higher", () => {
  expect(memoryPaths([at(0, 0), at(5, 500), at(10, 1000)], box)).toEqual(["M0 50 L5 25 L10 0"]);
});

test("without a running workspace there is no line", () => {
  expect(memoryPaths([at(0, 500), at(5, 500), at(30, 500), at(35, 500)], box)).toEqual(["M0 25 L5 25", "M30 25 L35 25"]);
  expect(memoryPaths([at(0, 500), at(11, 500)], box)).toEqual(["M0 25 L11 25"]);
  expect(memoryPaths([at(50, 500)], box)).toEqual(["M50 25 h1"]);
  expect(memoryPaths([], box)).toEqual([]);
});

test("samples older or higher than the plot stay inside it", () => {
  expect(memoryPaths([at(-5, 100), at(0, 2000)], box)).toEqual(["M0 0 h1"]);
});

test("the newest, the highest, and the peak of each hour, newest first", () => {
  const samples = [at(0, 400), at(30, 900), at(65, 500)];
  expect(summarise(samples)).toEqual({ nowMb: 500, peak: at(30, 900) });
  expect(summarise([])).toBeNull();
  expect(hourlyPeaks(samples)).toEqual([
    { hour: "1970-01-01T01:00:00.000Z", memoryMb: 500 },
    { hour: "1970-01-01T00:00:00.000Z", memoryMb: 900 },
  ]);
});
