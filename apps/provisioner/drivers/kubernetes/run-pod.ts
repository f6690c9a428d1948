/** Brings one workspace to its spec. Every step can be repeated and allows for other workers: the pod's name is the lock. */
import { setTimeout as sleep } from "node:timers/promises";
import type { KubernetesObject, V1Pod } from "@kubernetes/client-node";
import { secondMs } from "#platform/clock.ts";
import { containerPorts } from "../container/launch-order.ts";
import { DriverFailure, type RunObservation, type RunSpec } from "../driver.ts";
import { fillTemplates } from "../fill-templates.ts";
import { hashRunSpec } from "../hash-run-spec.ts";
import { apply, isStatus, jsonPatch, mergePatch, orNone, type Cluster } from "./open-cluster.ts";
import {
  exitOf,
  generationOf,
  hasEnded,
  imageNameOf,
  isEnding,
  newestWarning,
  observeRunning,
  orderKeysOf,
  pullTrouble,
  ranImageOf,
  readExit,
  specHashOf,
  uidOf,
  waitsForEnd,
  writeExit,
  type Exit,
} from "./pod-state.ts";
import { removeHelpers } from "./storage/pod-storage.ts";
import { mebibytes } from "./read-usage.ts";
import { waitForPod } from "./watch-pods.ts";
import { buildClaim, buildPod, buildSecret, exitFinalizer, graceSeconds, nameOf, note, settingsOf, userOf } from "./workspace-objects.ts";

/** Two workers can get in each other's way a few times, but not forever. */
const startTries = 4;
/** Added to a pod's grace period: until its node has reported the end. */
const usualLateMs = 30 * secondMs;
/** A claim disappears after its last pod. */
const removeTimeoutMs = 2 * 60 * secondMs;
/** Its node reports the exit code within this time, or never. */
const exitMs = 3 * secondMs;
const removeLookMs = 250;
const usualAddressMs = 10 * secondMs;

/** Starts the workspace from this spec unless it already runs from it; a pod of another spec is stopped first. */
export async function runPod(cluster: Cluster, spec: RunSpec): Promise<RunObservation> {
  const { core, namespace } = cluster;
  const name = nameOf(spec.workspaceId);
  const specHash = hashRunSpec(spec);
  // A dry run: a spec that cannot be filled in is refused before anything of it is in the cluster.
  fillTemplates(spec, { folder: "/", address: "0.0.0.0", ports: containerPorts(spec.ports) });
  for (let tries = 0; tries < startTries; tries += 1) {
    const pod = await orNone(core.readNamespacedPod({ namespace, name }));
    if (pod && !hasEnded(pod) && !isEnding(pod)) {
      // Another worker was faster: its pod is this one's unless it is of an earlier generation.
      if (tries > 0 && generationOf(pod) >= spec.generation) return waitForAddress(cluster, pod);
      const why = specHashOf(pod) === specHash ? await strandedBy(cluster, pod) : "another spec";
      if (why === undefined) return waitForAddress(cluster, pod);
      if (why === claimGone) {
        await endPod(cluster, pod, spec.stopTimeoutMs, "gone");
        return (await observeWorkspace(cluster, spec.workspaceId)).seen;
      }
    }
    // A node that still mounts the files for another user does not hand them over to this one, who then could not read them.
    const ranAs = pod?.spec?.securityContext?.runAsUser ?? userOf(spec);
    if (pod) await endPod(cluster, pod, spec.stopTimeoutMs, ranAs === userOf(spec) ? "gone" : "unmounted");
    const secret = await apply(cluster, buildSecret(cluster, spec));
    await core.patchNamespacedSecret({ namespace, name, body: { metadata: { annotations: { [note.exit]: null } } } }, mergePatch);
    await holdClaim(cluster, spec);
    await removeHelpers(cluster, spec.workspaceId);
    const created = await core.createNamespacedPod({ namespace, body: buildPod(cluster, spec, secret) }).catch((error: unknown) => {
      if (!isStatus(error, 409)) throw error;
    });
    if (!created) continue;
    // A worker that has opened one since then looks for this pod afterwards.
    await removeHelpers(cluster, spec.workspaceId);
    return waitForAddress(cluster, created);
  }
  throw new DriverFailure("start_failed", "another worker keeps starting the workspace from another spec");
}

/** Usually seconds. If it takes longer, that is reported and checked again later. */
async function waitForAddress(cluster: Cluster, { metadata }: V1Pod): Promise<RunObservation> {
  const name = metadata!.name!;
  const isSettled = (pod: V1Pod | undefined): boolean =>
    !pod || uidOf(pod) !== metadata!.uid || hasEnded(pod) || observeRunning(pod).address !== undefined;
  const found = await waitForPod(cluster, name, cluster.addressTimeoutMs ?? usualAddressMs, isSettled);
  return observePod(
    cluster,
    found ? found.pod : await orNone(cluster.core.readNamespacedPod({ namespace: cluster.namespace, name })),
    name,
  );
}

const claimGone = "its claim is gone";

/** Why a pod that does not run yet never will as it is; undefined if it may, or already runs. */
async function strandedBy(cluster: Cluster, pod: V1Pod): Promise<string | undefined> {
  if (observeRunning(pod).address) return undefined;
  const { core, namespace } = cluster;
  const name = pod.metadata!.name!;
  const [secret, claim] = await Promise.all([
    orNone(core.readNamespacedSecret({ namespace, name })),
    orNone(core.readNamespacedPersistentVolumeClaim({ namespace, name })),
  ]);
  if (!claim || claim.metadata?.deletionTimestamp) return claimGone;
  // Made by a worker that had lost the workspace and did not know it yet.
  if (!orderKeysOf(pod).every((key) => secret?.data?.[key] !== undefined)) return "its Secret is that of another start";
  return pod.metadata?.annotations?.[note.settings] === settingsOf(cluster) ? undefined : "it was made by other settings";
}

/** The workspace's objects in the cluster now. */
export async function observeWorkspace(cluster: Cluster, workspaceId: string): Promise<{ seen: RunObservation; pod?: V1Pod }> {
  const name = nameOf(workspaceId);
  const pod = await orNone(cluster.core.readNamespacedPod({ namespace: cluster.namespace, name }));
  return { seen: await observePod(cluster, pod, name), ...(pod && { pod }) };
}

async function observePod(cluster: Cluster, pod: V1Pod | undefined, name: string): Promise<RunObservation> {
  const { core, namespace } = cluster;
  if (pod && !hasEnded(pod)) {
    const seen = observeRunning(pod);
    if (seen.address) return seen;
    // Only its events say why a volume is not there, for example.
    const [{ items }, stranded] = await Promise.all([
      core.listNamespacedEvent({ namespace, fieldSelector: `involvedObject.uid=${uidOf(pod)}` }),
      isEnding(pod) ? undefined : strandedBy(cluster, pod),
    ]);
    const waitsFor =
      seen.missing === "image"
        ? `the image ${imageNameOf(pod)} cannot be pulled: ${pullTrouble(pod, items)}`
        : (newestWarning(items) ?? seen.waitsFor);
    return { ...seen, waitsFor, ...(stranded && { stranded }) };
  }
  const [secret, claim] = await Promise.all([
    orNone(core.readNamespacedSecret({ namespace, name })),
    orNone(core.readNamespacedPersistentVolumeClaim({ namespace, name })),
  ]);
  // An ended pod has no files. A claim that is being deleted disappears with it, and the next start would create an empty one.
  if (!claim || claim.metadata?.deletionTimestamp) return { state: "absent" };
  const exit = (pod && exitOf(pod)) ?? readExit(secret?.metadata?.annotations?.[note.exit]);
  return { state: "stopped", ...(exit && { exit }) };
}

/** Stops the workspace and keeps its files; creates the claim if there was none, unless it ran with a claim that is gone. */
export async function stopPod(cluster: Cluster, spec: RunSpec): Promise<RunObservation> {
  const { workspaceId, stopTimeoutMs } = spec;
  const { seen, pod } = await observeWorkspace(cluster, workspaceId);
  if (pod) await endPod(cluster, pod, stopTimeoutMs, "ended");
  if (seen.state !== "running") await holdClaim(cluster, spec);
  return (await observeWorkspace(cluster, workspaceId)).seen;
}

/** `gone`: its name is free as well. `unmounted`: before that, once its node has released its files. */
type PodEnd = "ended" | "gone" | "unmounted";

/**
 * Asks the pod to end, waits for its node's confirmation, and records how it ended. It is never removed by force: while its node is silent
 * it may still run, and two pods would write to the same files.
 */
async function endPod(cluster: Cluster, pod: V1Pod, stopTimeoutMs: number, until: PodEnd): Promise<void> {
  const { core, namespace, lateMs = usualLateMs } = cluster;
  const name = pod.metadata!.name!;
  const uid = uidOf(pod);
  const gracePeriodSeconds = graceSeconds(stopTimeoutMs);
  await noteImage(cluster, pod);
  const isAnother = (now: V1Pod | undefined): boolean => !now || uidOf(now) !== uid;
  await deleteThis(pod, (body) => core.deleteNamespacedPod({ namespace, name, body: { ...body, gracePeriodSeconds } }));
  const ended = await waitForPod(cluster, name, gracePeriodSeconds * secondMs + lateMs, (now) => isAnother(now) || hasEnded(now!));
  if (!ended) throw new DriverFailure("stop_failed", `the pod did not end: ${waitsForEnd(pod)}`);
  if (isAnother(ended.pod)) return;
  await releasePod(cluster, ended.pod!);
  if (until === "ended") return;
  // None of its processes runs, according to its node. The node unmounts its files and deletes the rest when it next looks, which takes up
  // to ten seconds.
  if (until === "gone")
    await deleteThis(pod, (body) => core.deleteNamespacedPod({ namespace, name, body: { ...body, gracePeriodSeconds: 0 } }));
  if (!(await waitForPod(cluster, name, lateMs, isAnother)))
    throw new DriverFailure("stop_failed", "the pod ended but its node still holds it");
}

/** Records how an ended pod ended, and releases it. Can be repeated, by any worker. */
export async function releasePod(cluster: Cluster, pod: V1Pod): Promise<void> {
  const { core, namespace } = cluster;
  const name = pod.metadata!.name!;
  const finalizers = pod.metadata?.finalizers ?? [];
  if (!finalizers.includes(exitFinalizer)) return;
  // A busy node may request the final deletion before it has reported how the container ended.
  const told = exitOf(pod)
    ? { pod }
    : await waitForPod(cluster, name, exitMs, (now) => !now || uidOf(now) !== uidOf(pod) || exitOf(now) !== undefined);
  const exit = told ? told.pod && uidOf(told.pod) === uidOf(pod) && exitOf(told.pod) : untoldExit(pod);
  if (exit)
    await orNone(
      core.patchNamespacedSecret({ namespace, name, body: { metadata: { annotations: { [note.exit]: writeExit(exit) } } } }, mergePatch),
    );
  const path = `/metadata/finalizers/${finalizers.indexOf(exitFinalizer)}`;
  const body = [
    { op: "test", path: "/metadata/uid", value: uidOf(pod) },
    { op: "test", path, value: exitFinalizer },
    { op: "remove", path },
  ];
  await orNone(core.patchNamespacedPod({ namespace, name, body }, jsonPatch)).catch((error: unknown) => {
    // Another worker was faster.
    if (!isStatus(error, 409, 422)) throw error;
  });
}

/** A busy node may delete a container before it has reported how it ended. A pod without an address has run nothing. */
const untoldExit = (pod: V1Pod): Exit | undefined =>
  pod.status?.podIP ? { code: null, signal: null, at: new Date(), ...(isEnding(pod) && { requested: true }) } : undefined;

/** Only of a pod that ran: the files of one whose image is missing are read and written with the image before it. */
async function noteImage({ core, namespace }: Cluster, pod: V1Pod): Promise<void> {
  const image = ranImageOf(pod);
  if (image === undefined) return;
  const body = { metadata: { annotations: { [note.image]: image } } };
  await orNone(core.patchNamespacedPersistentVolumeClaim({ namespace, name: pod.metadata!.name!, body }, mergePatch));
}

/** Creates the claim, or lets it grow. It never shrinks: no storage can. */
async function holdClaim(cluster: Cluster, spec: RunSpec): Promise<void> {
  const { core, namespace, pods, log } = cluster;
  const { workspaceId } = spec;
  const name = nameOf(workspaceId);
  const claim = await orNone(core.readNamespacedPersistentVolumeClaim({ namespace, name }));
  if (!claim) {
    const body = await buildClaim(cluster, spec);
    await core.createNamespacedPersistentVolumeClaim({ namespace, body }).catch((error: unknown) => {
      if (!isStatus(error, 409)) throw error;
    });
    return;
  }
  if (claim.metadata?.deletionTimestamp) throw new DriverFailure("start_failed", "the workspace's files are being deleted");
  if (mebibytes(claim.spec?.resources?.requests?.["storage"]) >= pods.diskMb) return;
  const body = { spec: { resources: { requests: { storage: `${pods.diskMb}Mi` } } } };
  await core.patchNamespacedPersistentVolumeClaim({ namespace, name, body }, mergePatch).catch((error: unknown) => {
    // Its storage class does not let claims grow: the workspace keeps the room it has.
    if (!isStatus(error, 403, 422)) throw error;
    log.warn({ err: error, workspaceId }, "a workspace's claim could not grow");
  });
}

/**
 * Ends the pod and deletes everything that is there now, and waits until it is gone. What another worker creates in the meantime under the
 * same names stays: by then it may be a new workspace.
 */
export async function removePod(cluster: Cluster, workspaceId: string): Promise<void> {
  const { core, namespace } = cluster;
  const name = nameOf(workspaceId);
  const [pod, claim, secret] = await Promise.all([
    orNone(core.readNamespacedPod({ namespace, name })),
    orNone(core.readNamespacedPersistentVolumeClaim({ namespace, name })),
    orNone(core.readNamespacedSecret({ namespace, name })),
  ]);
  await removeHelpers(cluster, workspaceId);
  if (pod) await endPod(cluster, pod, 0, "gone");
  if (claim) await deleteThis(claim, (body) => core.deleteNamespacedPersistentVolumeClaim({ namespace, name, body }));
  if (secret) await deleteThis(secret, (body) => core.deleteNamespacedSecret({ namespace, name, body }));
  for (const deadline = performance.now() + removeTimeoutMs; ; await sleep(removeLookMs)) {
    const now = await orNone(core.readNamespacedPersistentVolumeClaim({ namespace, name }));
    if (!now || now.metadata?.uid !== claim?.metadata?.uid) return;
    if (performance.now() > deadline) throw new DriverFailure("stop_failed", "the cluster has not deleted the workspace's files yet");
  }
}

/** Does nothing if it is gone, or another object has its name. */
async function deleteThis(
  { metadata }: KubernetesObject,
  call: (body: { preconditions: { uid: string } }) => Promise<unknown>,
): Promise<void> {
  await orNone(call({ preconditions: { uid: metadata!.uid! } })).catch((error: unknown) => {
    if (!isStatus(error, 409)) throw error;
  });
}
