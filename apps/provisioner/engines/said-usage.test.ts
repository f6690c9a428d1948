import { expect, test } from "vitest";
import { saidUsage } from "./said-usage.ts";

const counter = { epoch: "one", period: "2026-11-10T09:00:00.000Z", date: "2026-11-21", executions: 5, failed: 1 };
const answer = (changes: object) => ({
  plan: null,
  executions: 5,
  activeWorkflows: 1,
  statistics: null,
  counters: [{ ...counter, ...changes }],
});

test("counters are read with and without a period", () => {
  expect(saidUsage.parse(answer({})).counters).toEqual([
    { epoch: "one", periodStart: new Date(counter.period), date: "2026-11-21", executions: 5, failed: 1 },
  ]);
  expect(saidUsage.parse(answer({ period: "" })).counters[0]!.periodStart).toBeNull();
});

test.each([
  { period: "soon" },
  { period: "2026-02-30T00:00:00Z" },
  { date: "2026-11-99" },
  { date: "2026-11-21T10:00:00Z" },
  { executions: -1 },
  { executions: 1.5 },
  { executions: 1e300 },
  { failed: null },
  { epoch: "a\u0000b" },
])("%j is refused before it reaches a date or the database", (changes) => {
  expect(saidUsage.safeParse(answer(changes)).success).toBe(false);
});
