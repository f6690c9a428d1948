import { expect, test } from "vitest";
import { addCalls, latencyAt, latencyBoundsMs, latencyClass, noCalls } from "./webhook-calls.ts";

const of = (...times: number[]): number[] => {
  const { latency } = noCalls();
  for (const ms of times) latency[latencyClass(ms)]! += 1;
  return latency;
};

test.each([
  [0, 0],
  [5, 0],
  [5.1, 1],
  [60_000, latencyBoundsMs.length - 1],
  [300_000, latencyBoundsMs.length],
])("an answer after %d ms is in class %d", (ms, place) => expect(latencyClass(ms)).toBe(place));

test("the median lies within the class of the middle answer, and nothing is known without one", () => {
  expect(latencyAt(of(), 0.5)).toBeNull();
  expect(latencyAt(of(120), 0.5)).toBe(125);
  const times = Array.from({ length: 100 }, (_, place) => (place < 96 ? 40 : 4000));
  expect(latencyAt(of(...times), 0.5)).toBeGreaterThan(30);
  expect(latencyAt(of(...times), 0.95)).toBeLessThanOrEqual(50);
  expect(latencyAt(of(...times), 0.99)).toBeGreaterThan(3000);
});

test("a time longer than all classes counts in the longest of them", () => {
  expect(latencyAt(of(290_000), 0.5)).toBe(60_000);
});

test("figures of several gateways and hours add up", () => {
  const sum = noCalls();
  addCalls(sum, { calls: 2, clientErrors: 1, failed: 0, waited: 1, latency: of(7) });
  addCalls(sum, { calls: 3, clientErrors: 0, failed: 2, waited: 0, latency: of(7) });
  expect(sum).toEqual({ calls: 5, clientErrors: 1, failed: 2, waited: 1, latency: of(7, 7) });
});
