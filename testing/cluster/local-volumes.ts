/** Volumes for the claims of a test cluster, which has no provisioner for them: folders of this machine, bound as the claims appear. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { StorageV1Api } from "@kubernetes/client-node";
import type { TestCluster } from "./start-cluster.ts";

export const storageClass = "folders";
/** The nodes are one machine, so each volume is on all of them. */
const nodes = ["node1", "node2"];

/** Makes so many, each for one claim, once. */
export async function makeVolumes({ config, core, folder }: TestCluster, count: number): Promise<void> {
  await config.makeApiClient(StorageV1Api).createStorageClass({
    body: { metadata: { name: storageClass }, provisioner: "kubernetes.io/no-provisioner", allowVolumeExpansion: true },
  });
  const make = async (index: number): Promise<void> => {
    const path = join(folder, "volumes", String(index));
    await mkdir(path, { recursive: true });
    const nodeSelectorTerms = [{ matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: nodes }] }];
    await core.createPersistentVolume({
      body: {
        metadata: { name: `volume-${index}` },
        spec: {
          accessModes: ["ReadWriteOnce"],
          capacity: { storage: "1Gi" },
          storageClassName: storageClass,
          // `hostPath` would ignore the pod's group.
          local: { path },
          persistentVolumeReclaimPolicy: "Retain",
          nodeAffinity: { required: { nodeSelectorTerms } },
        },
      },
    });
  };
  await Promise.all(Array.from({ length: count }, (_none, index) => make(index)));
}
