import { expect, test } from "vitest";
import { areaPath, clusters, linePaths, nearest, peaksOf, scales, summarise } from "./plot.ts";

const at = (minutes: number, value: number) => ({ at: new Date(minutes * 60_000).toISOString(), value });
const box = { width: 100, height: 50, fromMs: 0, toMs: 100 * 60_000, top: 1000, gapMs: 12 * 60_000 };

test("a line connects its samples from left to right, with larger values higher", () => {
  expect(linePaths([at(0, 0), at(5, 500), at(10, 1000)], box)).toEqual(["M0 50 L5 25 L10 0"]);
});

test("without a running workspace there is no line", () => {
  expect(linePaths([at(0, 500), at(5, 500), at(30, 500), at(35, 500)], box)).toEqual(["M0 25 L5 25", "M30 25 L35 25"]);
  expect(linePaths([at(0, 500), at(11, 500)], box)).toEqual(["M0 25 L11 25"]);
  expect(linePaths([at(50, 500)], box)).toEqual(["M50 25 h1"]);
  expect(linePaths([], box)).toEqual([]);
});

test("samples older or higher than the plot stay inside it", () => {
  expect(linePaths([at(-5, 100), at(0, 2000)], box)).toEqual(["M0 0 h1"]);
});

test("a sleep of an hour breaks the line of hours, and hours without one are connected", () => {
  const { gapMs } = scales["7d"];
  expect(gapMs).toBe(scales["30d"].gapMs);
  const hours = { ...box, toMs: 600 * 60_000, gapMs };
  expect(linePaths([at(0, 0), at(60, 0), at(180, 0)], hours)).toEqual(["M0 50 L10 50", "M30 50 h1"]);
});

test("the newest, the highest, and the peak of each hour, newest first", () => {
  const samples = [at(0, 400), at(30, 900), at(65, 500)];
  const atMinute = (minutes: number) => ({ toMs: minutes * 60_000, freshMs: 12 * 60_000 });
  expect(summarise(samples, atMinute(70))).toEqual({ now: 500, peak: at(30, 900) });
  // Its usage before it fell asleep is not its current usage.
  expect(summarise(samples, atMinute(90))).toEqual({ now: null, peak: at(30, 900) });
  expect(summarise([], atMinute(70))).toBeNull();
  expect(peaksOf(samples, 60 * 60_000)).toEqual([
    { at: "1970-01-01T01:00:00.000Z", value: 500 },
    { at: "1970-01-01T00:00:00.000Z", value: 900 },
  ]);
});

test("a point in time shows its nearest sample", () => {
  const samples = [at(0, 1), at(10, 2), at(30, 3)];
  expect([-5, 4, 6, 21, 99].map((minutes) => nearest(samples, minutes * 60_000))).toEqual([0, 0, 1, 2, 2]);
  expect(nearest([], 0)).toBe(-1);
});

test("the area below a line ends at the bottom, for a single sample too", () => {
  expect(areaPath("M0 25 L5 20", 50)).toBe("M0 25 L5 20 V50 H0 Z");
  expect(areaPath("M50 25 h1", 50)).toBe("M50 25 h1 V50 H50 Z");
});

test("marks that would overlap are merged, starting from the first of them", () => {
  expect(clusters([0.5, 0.1, 0.52, 0.56], (place) => place, 0.05)).toEqual([
    { at: 0.1, items: [0.1] },
    { at: 0.5, items: [0.5, 0.52] },
    { at: 0.56, items: [0.56] },
  ]);
  expect(clusters([], (place: number) => place, 0.05)).toEqual([]);
});
