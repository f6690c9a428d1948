/**
 * Checks every pod that the driver makes against the standard that the namespace requires: a cluster refuses any other, and the tests'
 * cluster is too old to do so.
 */
import type { V1PodSpec, V1Secret } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { buildRunSpec } from "#testing/drivers/driver-harness.ts";
import { lineKeys } from "#testing/network/start-test-gateway.ts";
import { buildImageHolder } from "./image-holder.ts";
import type { Cluster, PodSettings } from "./open-cluster.ts";
import { buildCanary, buildHelper, buildPod } from "./workspace-objects.ts";

const image = "n8n:1";
const pods: PodSettings = {
  images: "registry.example",
  cpus: 1,
  diskMb: 256,
  nameServers: ["192.0.2.53"],
  pullSecrets: ["registry"],
  nodeSelector: { pool: "workspaces" },
};
const cluster = { namespace: "workspaces", pods, lineKeys } as unknown as Cluster;
const spec = buildRunSpec({ image, command: ["/bin/true"] });
const secret: V1Secret = { metadata: { name: "w-a", uid: "1" } };
const made: Record<string, V1PodSpec> = {
  "a workspace's pod": buildPod(cluster, spec, secret).spec!,
  "a pod for its files": buildHelper(cluster, spec, image).spec!,
  "a canary": buildCanary(cluster, image, ["/bin/true"]).spec!,
  "the images' holder": buildImageHolder(cluster, [image, "n8n:2"]).spec!.template.spec!,
};
const allowedVolumes = new Set("configMap csi downwardAPI emptyDir ephemeral persistentVolumeClaim projected secret".split(" "));

test.each(Object.entries(made))("%s meets the restricted standard, has no token, and can be counted by a quota", (_what, pod) => {
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: expect.any(Number), seccompProfile: { type: "RuntimeDefault" } },
  });
  expect(pod.securityContext!.runAsUser).toBeGreaterThan(0);
  for (const key of ["hostNetwork", "hostPID", "hostIPC"]) expect(pod).not.toHaveProperty(key);
  for (const { name: _name, ...kind } of pod.volumes!) expect(allowedVolumes).toContain(Object.keys(kind).join());
  expect(pod.containers.length).toBeGreaterThan(0);
  for (const container of pod.containers) {
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      privileged: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    for (const amounts of [container.resources!.requests, container.resources!.limits])
      expect(Object.keys(amounts!).toSorted()).toEqual(["cpu", "ephemeral-storage", "memory"]);
  }
});

test.each(Object.entries(made))("%s names the secrets with which its node pulls from a private registry", (_what, pod) => {
  expect(pod.imagePullSecrets).toEqual([{ name: "registry" }]);
});

test.each(Object.entries(made))("%s goes only to the nodes for workspaces, even if these keep other pods away", (_what, pod) => {
  expect(pod.nodeSelector).toEqual({ pool: "workspaces" });
  expect(pod.tolerations).toContainEqual({ key: "slipway.dev/workspaces", operator: "Exists" });
});
