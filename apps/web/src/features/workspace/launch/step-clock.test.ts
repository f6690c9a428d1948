import { expect, test } from "vitest";
import { instanceStatus, type LaunchStep } from "#contract/workspaces/workspace-values.ts";
import { buildInstance } from "#testing/accounts/build-instance.ts";
import { isLate, stepMs, watchStep, type StepClock } from "./step-clock.ts";

const at = (step: LaunchStep | null, life = 1) =>
  buildInstance({ life, status: instanceStatus.pending, isNew: true, ...(step ? { progress: { step, label: "", percent: 10 } } : {}) });

/** The observed states, by second. */
const watched = (looks: [second: number, instance: ReturnType<typeof at>][]): StepClock =>
  looks.reduce<StepClock | null>((clock, [second, instance]) => watchStep(clock, instance, second * 1000), null)!;

test("each step's time runs until the next one begins, and the last one's until the workspace is online", () => {
  const clock = watched([
    [0, at(null)],
    [1, at("prepare")],
    [2, at("prepare")],
    [4, at("start")],
    [9, at("open-gateway")],
    [10, buildInstance()],
  ]);
  expect(["prepare", "start", "open-gateway"].map((step) => stepMs(clock, step as LaunchStep, 99_000))).toEqual([3000, 5000, 1000]);
});

test("the current step keeps counting", () => {
  const clock = watched([
    [0, at(null)],
    [1, at("start")],
  ]);
  expect([stepMs(clock, "start", 4000), stepMs(clock, "start", 9000)]).toEqual([3000, 8000]);
});

test("a step that was running when the page was opened has no time, nor have steps before it", () => {
  const clock = watched([
    [0, at("start")],
    [5, at("open-gateway")],
  ]);
  expect([stepMs(clock, "prepare", 9000), stepMs(clock, "start", 9000), stepMs(clock, "open-gateway", 9000)]).toEqual([null, null, 4000]);
});

test("a retried step keeps its first beginning; another workspace starts from zero", () => {
  const clock = watched([
    [0, at(null)],
    [1, at("start")],
    [5, at(null)],
    [8, at("start")],
  ]);
  expect(stepMs(clock, "start", 9000)).toBe(8000);
  expect(watchStep(clock, at("start", 2), 10_000).began).toEqual({});
});

test.each([
  ["prepare", 1, false],
  ["prepare", 3, true],
  ["install-engine", 3, false],
  ["install-engine", 6, true],
] as const)("%s, waited %i minutes: late is %s", (step, minutes, late) => expect(isLate(step, minutes * 60_000)).toBe(late));
