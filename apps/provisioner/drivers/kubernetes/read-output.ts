/** A pod's newest output. Its node keeps and rotates it. */
import { isStatus, orNone, type Cluster } from "./open-cluster.ts";
import { newestText } from "../newest-text.ts";
import { reassignedOf } from "./pod-state.ts";
import { containerName, nameOf } from "./workspace-objects.ts";

/** Enough for any page or journal entry; a line of it is at most 16 KB. */
const mostLines = 1_000;
const usualLineBytes = 100;
/** The API server returns the oldest lines up to this limit, so fewer lines are requested when it is reached. */
const mostBytes = 4 * 1024 * 1024;

/** Empty if there is no pod, or none of its containers has begun. */
export async function readOutput(cluster: Cluster, workspaceId: string, maxBytes: number): Promise<string> {
  if (maxBytes <= 0) return "";
  const name = nameOf(workspaceId);
  const pod = await orNone(cluster.core.readNamespacedPod({ namespace: cluster.namespace, name }));
  if (!pod) return "";
  const after = reassignedOf(pod)?.outputAfter;
  for (let lines = Math.max(mostLines, Math.ceil(maxBytes / usualLineBytes)); ; lines = Math.ceil(lines / 10)) {
    const text = await readLines(cluster, name, lines);
    if (Buffer.byteLength(text) >= mostBytes && lines > 1) continue;
    return newestText(Buffer.from(withoutTimes(text, after)), maxBytes);
  }
}

/** The time of the newest line, as its node wrote it. */
export async function newestOutputTime(cluster: Cluster, name: string): Promise<string | undefined> {
  return /^\S+/.exec(await readLines(cluster, name, 1))?.[0];
}

async function readLines({ core, namespace }: Cluster, name: string, tailLines: number): Promise<string> {
  try {
    const text = await core.readNamespacedPodLog({
      namespace,
      name,
      container: containerName,
      tailLines,
      limitBytes: mostBytes,
      timestamps: true,
    });
    return text ?? "";
  } catch (error) {
    // 400: its container is still being created.
    if (isStatus(error, 400, 404)) return "";
    throw error;
  }
}

/** Each line begins with its time and a space. Times of one node in this format sort as text. */
function withoutTimes(text: string, after: string | undefined): string {
  return text
    .split(/(?<=\n)/)
    .filter((line) => after === undefined || line.slice(0, line.indexOf(" ")) > after)
    .map((line) => line.slice(line.indexOf(" ") + 1))
    .join("");
}
