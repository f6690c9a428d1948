import type { V1Pod } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { exitOf, observeRunning } from "./pod-state.ts";
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

const deleted = { deletionTimestamp: new Date("2026-11-01T10:00:30Z"), deletionGracePeriodSeconds: 30 };
const disrupted = (reason: string) => [{ type: "DisruptionTarget", status: "True", reason }];

test.each([
  ["the pod was deleted before it ended", deleted, [], "10:00:04", true],
  [
    "the node asked for the final deletion meanwhile",
    { ...deleted, deletionTimestamp: new Date("2026-11-01T10:00:00Z"), deletionGracePeriodSeconds: 0 },
    [],
    "10:00:04",
    true,
  ],
  ["its node shuts down or lacks memory", {}, disrupted("TerminationByKubelet"), "10:00:04", true],
  ["it had crashed an hour before its pod was deleted", deleted, [], "09:00:00", false],
  ["it crashed, and nobody deleted its pod", {}, [{ type: "Ready", status: "False" }], "10:00:04", false],
])("an exit is called requested only if the workspace is not to blame: %s", (_title, metadata, conditions, time, isRequested) => {
  const terminated = { exitCode: 1, finishedAt: new Date(`2026-11-01T${time}Z`) };
  const pod = { metadata, status: { conditions, containerStatuses: [{ name: containerName, state: { terminated } }] } } as V1Pod;
  expect(exitOf(pod)?.requested ?? false).toBe(isRequested);
});
