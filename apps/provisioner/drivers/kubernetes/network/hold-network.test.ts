import type { V1NetworkPolicy } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import type { Cluster } from "../open-cluster.ts";
import { holdNetwork } from "./hold-network.ts";

function clusterWithoutPolicy() {
  const applied: V1NetworkPolicy[] = [];
  const cluster = {
    namespace: "workspaces",
    network: { controlNamespace: "slipway", closedRanges: ["203.0.113.0/24"], canaryTargets: [], isDemanded: false },
    objects: { patch: async (policy: V1NetworkPolicy) => void applied.push(policy) },
  } as unknown as Cluster;
  return { applied, network: holdNetwork(cluster) };
}

test("a deleted policy is restored at the next check of the cluster, not at the next start of the program", async () => {
  const { applied, network } = clusterWithoutPolicy();
  await network.check("n8n:1");
  await network.check("n8n:1");
  expect(applied).toHaveLength(1);
  expect(await network.hold()).toEqual([]);
  expect(applied).toHaveLength(2);
});

test("addresses at which clouds give out keys are closed, even if they are public", async () => {
  const { applied, network } = clusterWithoutPolicy();
  await network.hold();
  expect(applied[0]?.spec?.egress?.[0]?.to?.[0]?.ipBlock?.except).toEqual(
    expect.arrayContaining(["169.254.0.0/16", "168.63.129.16/32", "192.0.0.0/24", "203.0.113.0/24"]),
  );
});
