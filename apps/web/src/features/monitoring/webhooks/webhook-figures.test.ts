import { expect, test } from "vitest";
import { answeredPercent, everySpan, formatLatency } from "./webhook-figures.ts";

test.each([
  [0, "0 ms"],
  [120, "120 ms"],
  [999, "999 ms"],
  [1000, "1 s"],
  [12_345, "12.3 s"],
])("a time of %d ms reads %s", (ms, text) => expect(formatLatency(ms)).toBe(text));

test.each([
  [1, 0, "100"],
  [1000, 2, "99.8"],
  [1_000_000, 1, "99.9"],
  [3, 3, "0"],
])("of %d calls %d failed: %s %% were answered, and never 100 if one failed", (calls, failed, percent) =>
  expect(answeredPercent({ calls, failed })).toBe(percent),
);

test("spans without calls are filled in, at the times that the service uses", () => {
  const figures = { calls: 2, clientErrors: 0, failed: 1, waited: 0, medianMs: 5, p95Ms: 9 };
  const point = { at: "2027-01-10T09:15:00.000Z", ...figures };
  const spans = everySpan({ from: "2027-01-10T09:07:00.000Z", to: "2027-01-10T09:31:00.000Z", spanMinutes: 15, points: [point] });
  expect(spans.map(({ at, calls }) => [at, calls])).toEqual([
    ["2027-01-10T09:00:00.000Z", 0],
    ["2027-01-10T09:15:00.000Z", 2],
    ["2027-01-10T09:30:00.000Z", 0],
  ]);
});
