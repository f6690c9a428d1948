/**
 * Reads and replaces a workspace's files as one tar stream, with a program that runs in a pod with the workspace's own permissions: in its
 * own pod while it runs, otherwise in a helper pod that has its claim mounted.
 */
import { PassThrough, pipeline, type Readable } from "node:stream";
import { minuteMs } from "#platform/clock.ts";
import { DriverFailure, type StoragePlace } from "../../driver.ts";
import {
  changedMeanwhileCode,
  discardScript,
  namesUnread,
  placeScript,
  readScript,
  settleScript,
  tooLargeCode,
  unpackScript,
} from "../../storage-scripts.ts";
import { execInPod, feedInPod } from "./exec-in-pod.ts";
import { isStatus, orNone, type Cluster } from "../open-cluster.ts";
import { hasEnded, ranImageOf, waitsFor } from "../pod-state.ts";
import { waitForPod } from "../watch-pods.ts";
import { buildHelper, labelsOf, nameOf, note } from "../workspace-objects.ts";

/** Its image is there, but its volume may have to move to its node. */
const helperTimeoutMs = 2 * minuteMs;

export async function readStorage(
  cluster: Cluster,
  place: StoragePlace,
  paths: readonly string[],
  unread: (name: string) => void = () => undefined,
): Promise<Readable> {
  const left = new AbortController();
  const files = new PassThrough({ highWaterMark: 256 * 1024 });
  // Also while no data arrives: in its own pod a tenant can stop the program that reads.
  files.once("close", () => left.abort());
  pipeline(readTar(cluster, place, paths, { unread, left: left.signal }), files, () => undefined);
  return files;
}

async function* readTar(
  cluster: Cluster,
  place: StoragePlace,
  paths: readonly string[],
  { unread, left }: { unread: (name: string) => void; left: AbortSignal },
): AsyncGenerator<Buffer> {
  const { pod, release } = await openFiles(cluster, place);
  try {
    const tar = await execInPod(cluster, pod, ["/bin/sh", "-c", readScript, "sh", ...paths]);
    try {
      left.addEventListener("abort", () => tar.stdout.destroy());
      if (left.aborted) return;
      for await (const chunk of tar.stdout) yield chunk as Buffer;
      const code = await tar.ended;
      if (code === tooLargeCode) throw new DriverFailure("storage_too_large", tar.said().trim());
      if (code !== 0 && code !== changedMeanwhileCode) throw new Error(tar.said().trim() || `tar ended with ${code}`);
      for (const name of namesUnread(tar.said())) unread(name);
    } finally {
      tar.close();
    }
  } finally {
    await release();
  }
}

/** Unpacks beside the existing files and then renames, so that a broken stream changes nothing. */
export async function replaceStorage(cluster: Cluster, place: StoragePlace, paths: readonly string[], archive: Readable): Promise<void> {
  const { pod, release, isHelper } = await openFiles(cluster, place);
  try {
    if (!isHelper) throw new DriverFailure("storage_failed", "the workspace runs");
    try {
      await runScript(cluster, pod, settleScript, paths);
      const { code, said } = await feedInPod(cluster, pod, unpackScript, [], archive);
      if (code !== 0) throw new Error(said.trim() || `tar ended with ${code}`);
      await runScript(cluster, pod, placeScript, paths);
    } catch (error) {
      await runScript(cluster, pod, discardScript).catch(() => undefined);
      throw error;
    }
  } finally {
    archive.destroy();
    await release();
  }
}

async function runScript(cluster: Cluster, pod: string, script: string, args: readonly string[] = []): Promise<void> {
  const run = await execInPod(cluster, pod, ["/bin/sh", "-c", script, "sh", ...args]);
  run.stdout.resume();
  const code = await run.ended.finally(() => run.close());
  if (code !== 0) throw new Error(run.said().trim() || `a script ended with ${code}`);
}

interface OpenFiles {
  pod: string;
  isHelper: boolean;
  release(): Promise<void>;
}

async function openFiles(cluster: Cluster, place: StoragePlace): Promise<OpenFiles> {
  const { core, namespace } = cluster;
  const name = nameOf(place.workspaceId);
  const own = await orNone(core.readNamespacedPod({ namespace, name }));
  if (own && !hasEnded(own)) return { pod: name, isHelper: false, release: async () => undefined };
  const claim = await orNone(core.readNamespacedPersistentVolumeClaim({ namespace, name }));
  const body = buildHelper(cluster, place, (own && ranImageOf(own)) ?? claim?.metadata?.annotations?.[note.image]);
  const { metadata } = await core.createNamespacedPod({ namespace, body });
  const helper = metadata!.name!;
  const release = async (): Promise<void> => {
    await orNone(core.deleteNamespacedPod({ namespace, name: helper, gracePeriodSeconds: 1 })).catch((err: unknown) =>
      cluster.log.warn({ err, pod: helper }, "a helper pod could not be deleted; it ends after a while"),
    );
  };
  // A pod that was started in the meantime has removed the helpers that it saw, but may have missed this one.
  const started = await orNone(core.readNamespacedPod({ namespace, name }));
  if (started && !hasEnded(started)) {
    await release();
    throw new DriverFailure("storage_failed", "the workspace has been started since");
  }
  const ready = await waitForPod(
    cluster,
    helper,
    helperTimeoutMs,
    (pod) => pod === undefined || hasEnded(pod) || pod.status?.phase === "Running",
  );
  if (ready?.pod && !hasEnded(ready.pod)) return { pod: helper, isHelper: true, release };
  const pod = ready ? ready.pod : await orNone(core.readNamespacedPod({ namespace, name: helper }));
  await release();
  throw new DriverFailure("storage_failed", `the pod for its files does not run: ${pod ? waitsFor(pod) : "it was deleted"}`);
}

/** Helper pods that a dead worker left would keep the claim attached. Does nothing if there are none. */
export async function removeHelpers(cluster: Cluster, workspaceId: string): Promise<void> {
  const labelSelector = Object.entries(labelsOf(workspaceId, "files"))
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
  await cluster.core
    .deleteCollectionNamespacedPod({ namespace: cluster.namespace, labelSelector, gracePeriodSeconds: 1 })
    .catch((error: unknown) => {
      if (!isStatus(error, 404)) throw error;
    });
}
