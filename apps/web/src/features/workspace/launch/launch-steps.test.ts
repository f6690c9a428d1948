import { expect, test } from "vitest";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { instanceStatus, launchSteps } from "#contract/workspaces/workspace-values.ts";
import { buildInstance } from "#testing/accounts/build-instance.ts";
import { launchPercent } from "../state/workspace-status.ts";
import { listLaunchSteps } from "./launch-steps.ts";

const workspace = (more: Partial<Instance>): Instance => buildInstance({ status: instanceStatus.pending, ...more });
const states = (instance: Instance | null) => listLaunchSteps(instance).map((step) => step.state);

test("the list has the contract's steps in the contract's order", () => {
  expect(listLaunchSteps(null).map((step) => step.id)).toEqual([...launchSteps]);
});

test("steps before the reported one are done, those after it wait", () => {
  const progress = { step: "start", label: "Starting n8n", percent: 48 } as const;
  expect(states(workspace({ progress }))).toEqual(["done", "done", "current", "waiting", "waiting", "waiting"]);
  expect(listLaunchSteps(workspace({ progress }))[2]?.note).toBe("Starting n8n");
});

test("a step that did not succeed is shown as such", () => {
  const progress = { step: "install-engine", label: "Next try in 40 seconds", percent: 4 } as const;
  expect(states(workspace({ progress, reason: "The registry is out of reach." }))[0]).toBe("failed");
});

test("an online workspace has completed every step and shows 100 percent", () => {
  const online = workspace({ status: instanceStatus.online });
  expect(new Set(states(online))).toEqual(new Set(["done"]));
  expect(launchPercent(online)).toBe(100);
});

test("without progress the percentage is unknown", () => {
  expect(launchPercent(null)).toBeNull();
  expect(launchPercent(workspace({}))).toBeNull();
});
