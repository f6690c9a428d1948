import type { RunObservation, RunSpec } from "../driver.ts";
import { DriverFailure } from "../driver.ts";
import { hashRunSpec } from "../hash-run-spec.ts";
import { apply, mergePatch, type Cluster } from "./open-cluster.ts";
import { hasEnded, isEnding, observeRunning, orderKeysOf, specHashOf, uidOf, type Reassigned } from "./pod-state.ts";
import { newestOutputTime } from "./read-output.ts";
import { observeWorkspace } from "./run-pod.ts";
import { buildSecret, nameOf, note } from "./workspace-objects.ts";

/** Makes the running pod one of this spec: its Secret, its annotations, and where its output begins. */
export async function reassignPod(cluster: Cluster, spec: RunSpec, now: Date): Promise<RunObservation> {
  const { pod } = await observeWorkspace(cluster, spec.workspaceId);
  if (!pod || hasEnded(pod) || isEnding(pod)) throw new DriverFailure("start_failed", "the workspace does not run");
  const specHash = hashRunSpec(spec);
  if (specHashOf(pod) === specHash) return observeRunning(pod);
  const name = nameOf(spec.workspaceId);
  // The pod's volume still names the key that it started with; without it the node would keep reporting an error.
  await apply(cluster, buildSecret(cluster, spec, orderKeysOf(pod)));
  const outputAfter = await newestOutputTime(cluster, name);
  const reassigned: Reassigned = { at: now.toISOString(), ...(outputAfter && { outputAfter }) };
  const annotations = {
    [note.specHash]: specHash,
    [note.generation]: String(spec.generation),
    [note.reassigned]: JSON.stringify(reassigned),
  };
  const body = { metadata: { uid: uidOf(pod), annotations } };
  return observeRunning(await cluster.core.patchNamespacedPod({ namespace: cluster.namespace, name, body }, mergePatch));
}
