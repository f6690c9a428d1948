/** A namespace for workspaces with the rights that the documentation gives workers, and access with exactly those. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { KubeConfig, KubernetesObjectApi, loadAllYaml, type KubernetesObject } from "@kubernetes/client-node";
import type { TestCluster } from "./start-cluster.ts";

const rights = join(import.meta.dirname, "../../apps/provisioner/drivers/kubernetes/rights.yaml");
const tokenTimeoutMs = 60_000;

/** Applies the file of rights under other names of namespaces; a second time under the same changes nothing. */
export async function giveWorkerAccess({ config, core }: TestCluster, namespace: string): Promise<KubeConfig> {
  const control = `${namespace}-control`;
  const text = (await readFile(rights, "utf8")).replaceAll(/(?<=(?:namespace|name): )slipway(-workspaces)?$/gm, (name) =>
    name === "slipway" ? control : namespace,
  );
  const objects = KubernetesObjectApi.makeApiClient(config);
  for (const object of loadAllYaml(text) as KubernetesObject[]) await objects.create(object);
  const server = config.getCurrentCluster()!;
  const access = new KubeConfig();
  access.loadFromClusterAndUser(server, { name: "slipway-worker", token: await tokenOf(core, control) });
  return access;
}

/** The controllers of this release make one for each service account. */
async function tokenOf(core: TestCluster["core"], namespace: string): Promise<string> {
  for (const deadline = performance.now() + tokenTimeoutMs; performance.now() < deadline; await sleep(200)) {
    const { items } = await core.listNamespacedSecret({ namespace });
    const token = items.find(({ metadata }) => metadata?.annotations?.["kubernetes.io/service-account.name"] === "slipway-worker")?.data?.[
      "token"
    ];
    if (token) return Buffer.from(token, "base64").toString();
  }
  throw new Error("the cluster made no token for the worker");
}
