import { expect, test } from "vitest";
import { environment } from "./environment.ts";
import { clusterProblems, readCluster } from "./cluster-settings.ts";

const read = (env: Record<string, string>) => environment.safeParse(env);

const digest = `sha256:${"0a".repeat(32)}`;

test("the cluster's settings have defaults, lists, and a line for what is missing", () => {
  expect(readCluster(read({}).data!)).toEqual({
    images: undefined,
    digests: {},
    namespace: "slipway-workspaces",
    controlNamespace: "slipway",
    storageClass: undefined,
    nodeSelector: {},
    pullSecrets: [],
    priorityClass: undefined,
    runtimeClass: undefined,
    userNamespaces: false,
    closedRanges: [],
    canaryTargets: [],
  });
  const given = {
    WORKSPACE_IMAGES: "registry.example:5000/slipway",
    WORKSPACE_IMAGE_DIGESTS: `n8n:2.40.7-0a1b@${digest}, node-red:4.1.0-0a1b@${digest}`,
    KUBERNETES_NODE_SELECTOR: "node.example.com/pool=workspaces, disk=",
    KUBERNETES_CLOSED_RANGES: "203.0.113.0/24, 2001:db8::/32",
    KUBERNETES_CANARY_TARGETS: "10.0.0.5:5432",
  };
  expect(readCluster(read(given).data!)).toMatchObject({
    images: "registry.example:5000/slipway",
    digests: { "n8n:2.40.7-0a1b": digest, "node-red:4.1.0-0a1b": digest },
    nodeSelector: { "node.example.com/pool": "workspaces", disk: "" },
    closedRanges: ["203.0.113.0/24", "2001:db8::/32"],
    canaryTargets: ["10.0.0.5:5432"],
  });
  expect(clusterProblems({ DRIVER: "kubernetes" })).toEqual(["WORKSPACE_IMAGES: is needed with DRIVER=kubernetes"]);
  expect(clusterProblems({ DRIVER: "kubernetes", ...given })).toEqual([]);
});

test.each([
  ["WORKSPACE_IMAGES", "registry.example/slipway/"],
  ["WORKSPACE_IMAGE_DIGESTS", "n8n:2.40.7@sha256:0a"],
  ["KUBERNETES_NAMESPACE", "Not a name"],
  ["KUBERNETES_NODE_SELECTOR", "workspaces"],
  ["KUBERNETES_PULL_SECRETS", "registry,Not a name"],
  ["KUBERNETES_CLOSED_RANGES", "203.0.113.0"],
  ["KUBERNETES_CANARY_TARGETS", "10.0.0.5"],
  ["KUBERNETES_USER_NAMESPACES", "yes"],
])("%s=%s is refused", (name, value) => {
  expect(read({ [name]: value }).error?.issues[0]?.path[0]).toBe(name);
});
