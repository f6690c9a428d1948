import type { V1Pod } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { observeRunning } from "./pod-state.ts";
import { containerName } from "./workspace-objects.ts";

test.each([
  ["10.4.0.7", "10.4.0.7:5678"],
  ["2001:db8::7", "[2001:db8::7]:5678"],
])("a pod at %s is reached at %s", (podIP, address) => {
  const state = { running: { startedAt: new Date() } };
  const pod = { metadata: { uid: "1" }, status: { podIP, containerStatuses: [{ name: containerName, state }] } } as V1Pod;
  expect(observeRunning(pod)).toMatchObject({ state: "running", address });
  expect(() => new URL(`http://${address}`)).not.toThrow();
});
