import type { V1Pod } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { hourMs, minuteMs } from "#platform/clock.ts";
import type { Cluster } from "../open-cluster.ts";
import { removeLeftovers, holdTidy } from "./remove-leftovers.ts";

const now = Date.parse("2026-03-01T12:00:00Z");

const pod = (name: string, role: "canary" | "files", ageMs: number, phase: string): V1Pod => ({
  metadata: { name, uid: name, creationTimestamp: new Date(now - ageMs), labels: { "slipway.dev/role": role } },
  spec: { nodeName: "node1", containers: [] },
  status: { phase },
});

function namespaceOf(pods: V1Pod[]) {
  const removed: string[] = [];
  const asked: string[] = [];
  const core = {
    listNamespacedPod: async ({ labelSelector }: { labelSelector: string }) => {
      asked.push(labelSelector);
      return { items: pods };
    },
    deleteNamespacedPod: async ({ name, body }: { name: string; body: { preconditions: { uid: string } } }) => {
      expect(body.preconditions.uid).toBe(name);
      removed.push(name);
    },
  };
  return { removed, asked, cluster: { namespace: "workspaces", core } as unknown as Cluster };
}

test("canaries of a killed worker are removed once no living one can wait for them; pods for files only after they have ended", async () => {
  const { removed, asked, cluster } = namespaceOf([
    pod("canary-of-a-living-worker", "canary", 11 * minuteMs, "Running"),
    pod("canary-that-still-runs", "canary", 16 * minuteMs, "Running"),
    pod("canary-that-has-ended", "canary", hourMs, "Failed"),
    pod("backup-of-hours", "files", 3 * hourMs, "Running"),
    pod("ended-with-its-node", "files", 5 * hourMs, "Failed"),
    pod("ended-a-moment-ago", "files", minuteMs, "Succeeded"),
  ]);
  await removeLeftovers(cluster, now);
  expect(asked).toEqual(["app.kubernetes.io/managed-by=slipway,slipway.dev/role in (canary,files)"]);
  expect(removed).toEqual(["canary-that-still-runs", "canary-that-has-ended", "ended-with-its-node"]);
});

test("a worker looks for them when it starts, and not at every check of the cluster", async () => {
  const { asked, cluster } = namespaceOf([]);
  const tidy = holdTidy(cluster);
  await tidy();
  await tidy();
  expect(asked).toHaveLength(1);
});
