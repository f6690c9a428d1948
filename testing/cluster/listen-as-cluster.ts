/** A test's server in place of a cluster's API. */
import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import { KubeConfig } from "@kubernetes/client-node";
import type { KubernetesDriverOptions } from "#apps/provisioner/drivers/kubernetes/open-cluster.ts";
import { createLog } from "#platform/log.ts";
import { lineKeys } from "#testing/network/start-test-gateway.ts";

/** Once it listens on a free port of 127.0.0.1, resolves with the access that makes a driver use this server as its cluster. */
export async function listenAsCluster(server: Server): Promise<KubernetesDriverOptions> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const config = new KubeConfig();
  const { port } = server.address() as AddressInfo;
  config.loadFromClusterAndUser({ name: "c", server: `http://127.0.0.1:${port}`, skipTLSVerify: true }, { name: "u" });
  return {
    config,
    namespace: "workspaces",
    pods: { images: "registry.example", cpus: 1, diskMb: 256, nameServers: [] },
    network: { controlNamespace: "slipway", closedRanges: [], canaryTargets: [], isDemanded: false },
    places: { enginesDir: "/nowhere/engines", nodeBinary: "/nowhere/bin/node" },
    lineKeys,
    log: createLog("silent"),
  };
}
