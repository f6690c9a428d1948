import { expect, test } from "vitest";
import { onboardingView, type OnboardingFacts } from "./onboarding-view.ts";

const at = new Date("2026-01-01T00:00:00Z");
const fresh: OnboardingFacts = { onboardingSteps: {}, confirmedAt: null, setUpAt: null, workspace: null };
const done = "done";
const skipped = "skipped";

const rows: [what: string, facts: Partial<OnboardingFacts>, next: string | null][] = [
  ["just registered", {}, "survey"],
  ["survey answered", { onboardingSteps: { survey: done } }, "apps"],
  ["survey skipped", { onboardingSteps: { survey: skipped } }, "apps"],
  ["survey and apps done", { onboardingSteps: { survey: done, apps: skipped } }, "invite"],
  ["all three left", { onboardingSteps: { survey: done, apps: skipped, invite: skipped } }, "verify"],
  ["confirmed before anything else", { confirmedAt: at }, "survey"],
  ["confirmed, all three left", { confirmedAt: at, onboardingSteps: { survey: skipped, apps: skipped, invite: done } }, "setup"],
  ["only the survey open", { confirmedAt: at, onboardingSteps: { apps: done, invite: done } }, "survey"],
  ["set up with steps left open", { confirmedAt: at, setUpAt: at, workspace: { observedGeneration: 0 } }, "launch"],
  ["online once", { confirmedAt: at, setUpAt: at, workspace: { observedGeneration: 1 } }, null],
  ["the workspace was deleted", { confirmedAt: at, setUpAt: at, workspace: null }, null],
];

test.each(rows)("%s: the right step comes next", (_what, facts, next) => {
  expect(onboardingView({ ...fresh, ...facts }).next).toBe(next);
});

test("the steps are in the order of the sign-up, each with its state", () => {
  expect(onboardingView({ ...fresh, onboardingSteps: { survey: done, apps: skipped }, confirmedAt: at }).steps).toEqual([
    { name: "survey", state: "done" },
    { name: "apps", state: "skipped" },
    { name: "invite", state: "todo" },
    { name: "verify", state: "done" },
    { name: "setup", state: "todo" },
    { name: "launch", state: "todo" },
  ]);
});

test("steps left open when the account was set up count as skipped", () => {
  const { steps } = onboardingView({ ...fresh, confirmedAt: at, setUpAt: at, workspace: { observedGeneration: 0 } });
  expect(steps.filter(({ state }) => state === "skipped").map(({ name }) => name)).toEqual(["survey", "apps", "invite"]);
});
