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

test.each([-1, 1.5, 1e300, "many", null])("%j workflows are ignored, and the report counts nevertheless", (workflows) => {
  const said = saidUsage.parse({ ...answer({}), workflows });
  expect([said.workflows, said.activeWorkflows]).toEqual([undefined, 1]);
});

const busy = (workflows: unknown, period: unknown = counter.period) =>
  saidUsage.parse({ ...answer({}), busiest: { period, workflows } }).busiest;
const ran = { id: "a1", name: "Orders", executions: 5, failed: 1 };

test("workflows are ordered by executions, and an invalid one leaves the others", () => {
  const more = { ...ran, id: "b2", executions: 7 };
  const bad = [null, { ...ran, id: "a b" }, { ...ran, executions: -1 }, { ...ran, failed: NaN }, { ...ran, name: 5 }];
  expect(busy([ran, ...bad, more])).toEqual({ periodStart: new Date(counter.period), workflows: [more, ran] });
});

test.each([
  ["a\u0000b\nc", "a b c"],
  ["\ud800 lone", "lone"],
  ["\u202egnp.exe", "gnp.exe"],
  ["😀".repeat(200), "😀".repeat(100)],
  ["x".repeat(100_000), "x".repeat(100)],
  ["\u200b\u2066", ""],
])("a workflow called %j is shown as %j", (name, shown) => expect(busy([{ ...ran, name }])!.workflows[0]!.name).toBe(shown));

test.each([
  ["", [ran]],
  ["soon", [ran]],
  [counter.period, Array.from({ length: 21 }, () => ran)],
  [counter.period, "many"],
])("workflows of period %j that are %j are ignored, and the report counts nevertheless", (period, workflows) => {
  expect(busy(workflows, period)).toBeUndefined();
});
