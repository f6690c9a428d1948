/**
 * Proves that nodes can pull an image, with the pull secrets, on the nodes and under the rules of workspaces: by a small pod that needs nothing
 * else. The pods that keep images on nodes (image-holder.ts) are no proof: a cluster may have no node yet, and another worker's have
 * other images.
 */
import type { V1Pod } from "@kubernetes/client-node";
import { minuteMs } from "#platform/clock.ts";
import { DriverFailure } from "../driver.ts";
import { clusterFailure, orNone, type Cluster } from "./open-cluster.ts";
import { hasEnded, imageNameOf, missingOf, pullTrouble, ranImageOf, uidOf, waitsFor } from "./pod-state.ts";
import { waitForPod } from "./watch-pods.ts";
import { buildImageProof } from "./workspace-objects.ts";

/** Includes pulling gigabytes. Less than after which another worker removes the pod as left behind. */
const proofLimitMs = 10 * minuteMs;

/** As `proveImage` of a driver. */
export async function proveImage(cluster: Cluster, image: string, signal: AbortSignal): Promise<void> {
  const { core, namespace } = cluster;
  const { metadata } = await core.createNamespacedPod({ namespace, body: buildImageProof(cluster, image) }).catch((error: unknown) => {
    throw clusterFailure(error, "start_failed", `whether the image ${image} is there is not known`);
  });
  const name = metadata!.name!;
  try {
    const found = await Promise.race([
      waitForPod(cluster, name, proofLimitMs, (pod) => pod === undefined || isPulled(pod) || missingOf(pod) === "image"),
      aborted(signal),
    ]);
    signal.throwIfAborted();
    const pod = found ? found.pod : await orNone(core.readNamespacedPod({ namespace, name }));
    if (pod && isPulled(pod)) return;
    if (!pod) throw new DriverFailure("start_failed", `whether the image ${image} is there is not known: the pod that looks was deleted`);
    if (missingOf(pod) !== "image")
      throw new DriverFailure("start_failed", `whether the image ${imageNameOf(pod)} is there is not known yet: ${waitsFor(pod)}`);
    const { items } = await core.listNamespacedEvent({ namespace, fieldSelector: `involvedObject.uid=${uidOf(pod)}` });
    throw new DriverFailure("no_image", `the image ${imageNameOf(pod)} cannot be pulled: ${pullTrouble(pod, items)}`);
  } finally {
    await orNone(core.deleteNamespacedPod({ namespace, name, gracePeriodSeconds: 1 })).catch((err: unknown) =>
      cluster.log.warn({ err, pod: name }, "a pod that looked for an image could not be deleted; it is removed later"),
    );
  }
}

/** Its container has been made from the image, even if it could not run. */
const isPulled = (pod: V1Pod): boolean => hasEnded(pod) || ranImageOf(pod) !== undefined;

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined), { once: true }));
