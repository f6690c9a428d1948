/** Brings the images of workspaces to every node before a start needs them: they are gigabytes, for which a customer would have to wait. */
import type { KubernetesObject, V1DaemonSet } from "@kubernetes/client-node";
import { secondMs } from "#platform/clock.ts";
import { within } from "#platform/loops/within.ts";
import { apply, orNone, type Cluster } from "./open-cluster.ts";
import { imageResources, managedLabel, podFrame, roleLabel, sleepForever, withoutFiles } from "./workspace-objects.ts";

const name = "slipway-images";
const holdLimitMs = 10 * secondMs;

/**
 * On the nodes that workspaces may use, by the same rules. One container per image, so that one that cannot be pulled does not block the
 * others. While they run, no node deletes their images.
 */
export function buildImageHolder(cluster: Cluster, images: readonly string[]): V1DaemonSet {
  const labels = { [managedLabel]: "slipway", [roleLabel]: "images" };
  const frames = images.map((image) => withoutFiles(podFrame(cluster, { workspaceId: "images", workspaceNumber: 0 }, image).spec));
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name, namespace: cluster.namespace, labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          ...frames[0]!,
          restartPolicy: "Always",
          terminationGracePeriodSeconds: 1,
          containers: frames.map(({ containers: [container] }, index) => ({
            ...container!,
            name: `image-${index}`,
            command: [...sleepForever],
            workingDir: "/tmp",
            // A shell that sleeps; the rest of the image is only kept on the node's disk.
            resources: imageResources,
          })),
        },
      },
    },
  };
}

interface ImageHolder {
  /** Brings these to every node and keeps them there, instead of those of an earlier call. */
  keep(images: readonly string[]): Promise<void>;
  /**
   * Retries if it has failed, or if it was deleted. Images that another worker has brought in the meantime stay: otherwise old and new
   * workers would undo each other's work during an upgrade, pulling gigabytes each time. Never rejects: without it, workspaces still start,
   * only later.
   */
  hold(): Promise<void>;
}

export function holdImages(cluster: Cluster): ImageHolder {
  let wanted: readonly string[] = [];
  let isBrought = false;
  /** Logged once. */
  let failure: string | undefined;
  const bring = async (): Promise<void> => {
    isBrought = false;
    if (wanted.length > 0) await apply(cluster, buildImageHolder(cluster, wanted));
    isBrought = true;
  };
  const isThere = async (): Promise<boolean> => {
    const { namespace, objects } = cluster;
    const found = objects.read<KubernetesObject>({ apiVersion: "apps/v1", kind: "DaemonSet", metadata: { name, namespace } });
    return (await orNone(found)) !== undefined;
  };
  const bringIfMissing = async (): Promise<void> => {
    if (!isBrought || !(await isThere())) await bring();
  };
  return {
    keep(images) {
      wanted = images;
      return bring();
    },
    async hold() {
      if (wanted.length === 0) return;
      try {
        await within(holdLimitMs, "the images' holder", bringIfMissing());
        failure = undefined;
      } catch (err) {
        const { message } = err as Error;
        if (failure !== message) cluster.log.warn({ err }, "the workspace images could not be pulled to the nodes");
        failure = message;
      }
    },
  };
}
