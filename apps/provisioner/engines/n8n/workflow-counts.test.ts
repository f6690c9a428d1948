import { expect, test } from "vitest";
import type { KnownPlan } from "../workspace-side/known-plan.mts";
import type { UsageStore } from "../workspace-side/usage-store.mts";
import { createWorkflowCounts } from "./workspace-side/quota/workflow-counts.mts";

function createScene() {
  const texts = new Map<string, string>();
  const state = { period: "2026-11-10T09:00:00.000Z", saves: 0 };
  const store = {
    readText: (name: string) => texts.get(name),
    saveText: (name: string, text: string) => void (texts.set(name, text), (state.saves += 1)),
  } as unknown as UsageStore;
  const plan = { period: () => state.period } as unknown as KnownPlan;
  return { state, texts, start: () => createWorkflowCounts(store, plan) };
}

test("the busiest workflows come first, with their newest names and failures, also after a restart", () => {
  const { start, state } = createScene();
  const counts = start();
  counts.countExecution({ id: "b", name: "Before" });
  for (const name of ["Old", "New"]) counts.countExecution({ id: "a", name });
  counts.countFailure({ id: "a", name: "New" });
  const expected = [
    { id: "a", name: "New", executions: 2, failed: 1 },
    { id: "b", name: "Before", executions: 1, failed: 0 },
  ];
  expect(counts.busiest()).toEqual({ period: state.period, workflows: expected });
  expect(start().busiest().workflows).toEqual(expected);
  // Saved counts are not saved again.
  counts.busiest();
  expect(state.saves).toBe(1);
});

test("a new usage period begins with nothing", () => {
  const { start, state } = createScene();
  const counts = start();
  counts.countExecution({ id: "a", name: "A" });
  state.period = "2026-12-10T09:00:00.000Z";
  expect(counts.busiest()).toEqual({ period: state.period, workflows: [] });
  counts.countExecution({ id: "a", name: "A" });
  expect(counts.busiest().workflows).toEqual([{ id: "a", name: "A", executions: 1, failed: 0 }]);
});

test("however many workflows run, 20 are reported, 500 are kept, and a busy one stays", () => {
  const { start, texts } = createScene();
  const counts = start();
  for (let run = 0; run < 3; run++) counts.countExecution({ id: "busy", name: "x".repeat(10_000) });
  for (let id = 0; id < 2000; id++) counts.countExecution({ id: `w${id}`, name: "A" });
  const { workflows } = counts.busiest();
  expect(workflows).toHaveLength(20);
  expect(workflows[0]).toEqual({ id: "busy", name: "x".repeat(100), executions: 3, failed: 0 });
  expect((JSON.parse(texts.get("workflows")!) as { workflows: object[] }).workflows).toHaveLength(500);
});

test.each(["no JSON", "null", "[]", '{"period":5,"workflows":[null,{"id":1},{"id":"a","name":"A","executions":"9","failed":0}]}'])(
  "a file that says %s counts for nothing",
  (text) => {
    const { start, texts } = createScene();
    texts.set("workflows", text);
    expect(start().busiest().workflows).toEqual([]);
  },
);
