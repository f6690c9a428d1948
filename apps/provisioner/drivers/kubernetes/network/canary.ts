/**
 * Tries what a hostile workspace would try, from a pod like a workspace's: to reach its neighbour, its node, the cluster's API and the
 * cloud's metadata. A cluster whose network ignores policies still accepts them, so the policy alone proves nothing.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { V1Pod } from "@kubernetes/client-node";
import { minuteMs } from "#platform/clock.ts";
import { nodeInImage } from "../../container/image-places.ts";
import type { Cluster } from "../open-cluster.ts";
import { hasEnded, waitsFor } from "../pod-state.ts";
import { waitForPod } from "../watch-pods.ts";
import { buildCanary } from "../workspace-objects.ts";

interface Target {
  name: string;
  host: string;
  port: number;
}

/** Includes pulling the image on a node that lacks it. */
const canaryTimeoutMs = 5 * minuteMs;
/** Its output reaches the API within a second. */
const sayTimeoutMs = minuteMs;
const sayLookMs = 250;
const neighbourPort = 5678;
/** Every kubelet listens there. */
const kubeletPort = 10_250;

const listen = `require("node:net").createServer().listen(${neighbourPort}, "0.0.0.0", () => console.log("listening"))`;
const attempt = `
const { connect } = require("node:net");
const reach = ({ name, host, port }) => new Promise((resolve) => {
  const socket = connect({ host, port, timeout: 3000 }, () => { socket.destroy(); resolve([name]); });
  socket.on("error", () => resolve([]));
  socket.on("timeout", () => { socket.destroy(); resolve([]); });
});
Promise.all(JSON.parse(process.argv[1]).map(reach)).then((reached) => console.log("reached " + JSON.stringify(reached.flat())));
`;

/** What a workspace of this namespace can reach and must not, by name; empty if the network is isolated. Throws if the pods do not run. */
export async function findWaysThrough(cluster: Cluster, image: string): Promise<string[]> {
  const neighbour = await createCanary(cluster, image, [nodeInImage, "-e", listen]);
  let canary: string | undefined;
  try {
    const { status } = await untilPod(cluster, neighbour, (pod) => pod.status?.podIP !== undefined && pod.status.phase === "Running");
    // Before that, nothing would reach it, and the network would look isolated.
    await untilSaid(cluster, neighbour, /^listening$/m);
    const targets = targetsOf(cluster, status!.podIP!, status!.hostIP!);
    canary = await createCanary(cluster, image, [nodeInImage, "-e", attempt, JSON.stringify(targets)]);
    await untilPod(cluster, canary, hasEnded);
    const [, reached] = await untilSaid(cluster, canary, /^reached (.*)$/m);
    return JSON.parse(reached!) as string[];
  } finally {
    for (const name of [neighbour, canary])
      if (name)
        await cluster.core.deleteNamespacedPod({ namespace: cluster.namespace, name, gracePeriodSeconds: 1 }).catch(() => undefined);
  }
}

function targetsOf({ config, network }: Cluster, neighbour: string, node: string): Target[] {
  const api = new URL(config.getCurrentCluster()!.server);
  return [
    { name: "a neighbour", host: neighbour, port: neighbourPort },
    { name: "its node", host: node, port: kubeletPort },
    { name: "the cluster's API", host: api.hostname, port: Number(api.port || 443) },
    { name: "the cloud's metadata", host: "169.254.169.254", port: 80 },
    { name: "Azure's keys", host: "168.63.129.16", port: 80 },
    ...network.canaryTargets.map((name) => ({
      name,
      host: name.slice(0, name.lastIndexOf(":")).replaceAll(/[[\]]/g, ""),
      port: Number(name.slice(name.lastIndexOf(":") + 1)),
    })),
  ];
}

const createCanary = async (cluster: Cluster, image: string, command: string[]): Promise<string> =>
  (await cluster.core.createNamespacedPod({ namespace: cluster.namespace, body: buildCanary(cluster, image, command) })).metadata!.name!;

async function untilSaid({ core, namespace }: Cluster, name: string, what: RegExp): Promise<RegExpExecArray> {
  for (const deadline = performance.now() + sayTimeoutMs; ; await sleep(sayLookMs)) {
    const said = what.exec((await core.readNamespacedPodLog({ namespace, name })) ?? "");
    if (said) return said;
    if (performance.now() > deadline) throw new Error(`the canary pod ${name} has not said "${what.source}"`);
  }
}

async function untilPod(cluster: Cluster, name: string, test: (pod: V1Pod) => boolean): Promise<V1Pod> {
  let last: V1Pod | undefined;
  const found = await waitForPod(cluster, name, canaryTimeoutMs, (pod) => {
    last = pod;
    return pod === undefined || test(pod) || hasEnded(pod);
  });
  if (found?.pod && test(found.pod)) return found.pod;
  throw new Error(`the canary pod ${found ? "ended" : `waits: ${last && waitsFor(last)}`}`);
}
