/**
 * Removes what a killed worker left in the namespace: canaries, and the pods that kept volumes attached. Other workers may use them now, so
 * nothing is removed before a living maker would have removed it.
 */
import type { V1Pod } from "@kubernetes/client-node";
import { minuteMs } from "#platform/clock.ts";
import { isStatus, type Cluster } from "../open-cluster.ts";
import { hasEnded, uidOf } from "../pod-state.ts";
import { managedLabel, roleLabel } from "../workspace-objects.ts";

/** A canary's maker waits at most five minutes for each of two pods, and a minute for the output of each. */
const leaseMs = 15 * minuteMs;
const lookEveryMs = 5 * minuteMs;

/** `now`: this machine's time, which is the cluster's; later in tests. */
export async function removeLeftovers({ core, namespace }: Cluster, now = Date.now()): Promise<void> {
  const labelSelector = `${managedLabel}=slipway,${roleLabel} in (canary,files)`;
  const { items } = await core.listNamespacedPod({ namespace, labelSelector });
  for (const pod of items) {
    if (!isLeft(pod, now)) continue;
    const { name } = pod.metadata!;
    const body = { gracePeriodSeconds: 1, preconditions: { uid: uidOf(pod) } };
    await core.deleteNamespacedPod({ namespace, name: name!, body }).catch((error: unknown) => {
      // Another worker was faster.
      if (!isStatus(error, 404, 409)) throw error;
    });
  }
}

/** A pod for files works as long as it runs: a backup may take hours, and after four its node ends it. */
function isLeft(pod: V1Pod, now: number): boolean {
  const isOld = pod.metadata!.creationTimestamp!.getTime() < now - leaseMs;
  return isOld && (pod.metadata!.labels?.[roleLabel] === "canary" || hasEnded(pod));
}

/** At its first call, and then when five minutes have passed since the last time. Never rejects. */
export function holdTidy(cluster: Cluster): () => Promise<void> {
  let lookedAt = -Infinity;
  return async () => {
    if (performance.now() - lookedAt < lookEveryMs) return;
    lookedAt = performance.now();
    await removeLeftovers(cluster).catch((err: unknown) =>
      cluster.log.warn({ err }, "leftover pods of an ended worker could not be removed yet"),
    );
  };
}
