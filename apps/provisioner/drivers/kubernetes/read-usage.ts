/** Memory and processor time of pods, from the cluster's metrics server. */
import type { RunUsage } from "../driver.ts";
import { clusterSentence, isStatus, type Cluster } from "./open-cluster.ts";
import { containerName, nameOf } from "./workspace-objects.ts";

/** What the metrics server reports about a namespace's pods. */
interface PodMetrics {
  items: { metadata: { name: string }; containers: { name: string; usage: { cpu: string; memory: string } }[] }[];
}

/**
 * The working set, which is what counts against a pod's limit, and how busy it was on average between the server's last two samples: both
 * are up to a minute old. Empty in a cluster without a metrics server. Rejects if it cannot be asked.
 */
export async function readUsage({ added, namespace }: Cluster, workspaceIds: readonly string[]): Promise<Map<string, RunUsage>> {
  if (workspaceIds.length === 0) return new Map();
  const pods = { group: "metrics.k8s.io", version: "v1beta1", namespace, plural: "pods" };
  const { items } = await added.listNamespacedCustomObject(pods).then(
    (answer) => answer as PodMetrics,
    (error: unknown): PodMetrics => {
      if (isStatus(error, 404, 503)) return { items: [] };
      throw new Error(`the cluster's metrics can't be read: ${clusterSentence(error)}`, { cause: error });
    },
  );
  const measured = new Map(items.map(({ metadata, containers }) => [metadata.name, containers.find(({ name }) => name === containerName)]));
  const found = workspaceIds.flatMap((id): [string, RunUsage][] => {
    const usage = measured.get(nameOf(id))?.usage;
    const memoryMb = Math.round(mebibytes(usage?.memory));
    const cpuPercent = Math.round(processors(usage?.cpu) * 100);
    // A value that is missing or not in bytes is left out: otherwise none of the values would be stored.
    return Number.isFinite(memoryMb) ? [[id, { memoryMb, ...(Number.isFinite(cpuPercent) && { cpuPercent }) }]] : [];
  });
  return new Map(found);
}

/** By the suffixes of Kubernetes' quantities of bytes; without one they are bytes. */
const bytesOf: Readonly<Record<string, number>> = {
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
  Ti: 1024 ** 4,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
};

/** In MiB. The API server may write 5120Mi as 5Gi, and a metrics server counts in Ki. NaN for anything else. */
export function mebibytes(quantity: string | undefined): number {
  const [, number, suffix] = /^(\d+)([KMGT]i|[kMGT])?$/.exec(quantity ?? "") ?? [];
  return (Number(number) * (suffix ? bytesOf[suffix]! : 1)) / 1024 ** 2;
}

const partsOf: Readonly<Record<string, number>> = { n: 1e9, u: 1e6, m: 1e3 };

/** Whole processors. A metrics server counts in billionths, and others in thousandths. NaN for anything else. */
export function processors(quantity: string | undefined): number {
  const [, number, suffix] = /^(\d+)([num])?$/.exec(quantity ?? "") ?? [];
  return Number(number) / (suffix ? partsOf[suffix]! : 1);
}
