/** Runs each workspace as a pod of a Kubernetes cluster. The reconciler is its controller, and the pod's name its lock. */
import type { V1Pod } from "@kubernetes/client-node";
import type { Clock } from "#platform/clock.ts";
import { checkRunSpec, checkStorage, checkWorkspaceId } from "../check-run-spec.ts";
import type { Driver, DriverFailureCode, HostTrouble, RunObservation } from "../driver.ts";
import { createOneAtATime } from "../one-at-a-time.ts";
import { reassignPod } from "./reassign-pod.ts";
import { holdImages } from "./image-holder.ts";
import { holdNetwork } from "./network/hold-network.ts";
import { holdTidy } from "./network/remove-leftovers.ts";
import { clusterFailure, clusterSentence, openCluster, type Cluster, type KubernetesDriverOptions } from "./open-cluster.ts";
import { hasEnded, isEnding, uidOf, workspaceIdOf } from "./pod-state.ts";
import { readStorage, replaceStorage } from "./storage/pod-storage.ts";
import { proveImage } from "./prove-image.ts";
import { readOutput } from "./read-output.ts";
import { readUsage } from "./read-usage.ts";
import { observeWorkspace, releasePod, removePod, runPod, stopPod } from "./run-pod.ts";
import { RunningPods, watchPods } from "./watch-pods.ts";
import { ownPods } from "./workspace-objects.ts";

/** A driver for one namespace; several may share it, in one process or in several. */
export function createKubernetesDriver(options: KubernetesDriverOptions & { clock: Clock }): Driver {
  const cluster = openCluster(options);
  const inTurn = createOneAtATime();
  const running = new RunningPods();
  const network = holdNetwork(cluster);
  const images = holdImages(cluster);
  const tidy = holdTidy(cluster);
  const look = async (workspaceId: string): Promise<RunObservation> => {
    const { seen, pod } = await observeWorkspace(cluster, workspaceId);
    if (pod) note(cluster, running, pod);
    else running.noteAbsent(workspaceId);
    return seen;
  };
  return {
    name: "kubernetes",
    startsElsewhere: true,
    runsImages: true,
    cannotFreeze: "Kubernetes cannot freeze pods",
    ensure: async (spec) => {
      checkRunSpec(spec);
      return inTurn(spec.workspaceId, async () => {
        if (spec.run && spec.image) await network.check(spec.image);
        const seen = await (spec.run ? runPod(cluster, spec) : stopPod(cluster, spec));
        await look(spec.workspaceId);
        return seen;
      }).catch((error: unknown) =>
        fail(error, spec.run ? "start_failed" : "stop_failed", `the workspace could not be ${spec.run ? "started" : "stopped"}`),
      );
    },
    observe: async (workspaceId) => {
      checkWorkspaceId(workspaceId);
      return look(workspaceId);
    },
    listRunning: async () => {
      const { items } = await cluster.core.listNamespacedPod({ namespace: cluster.namespace, labelSelector: ownPods });
      for (const pod of items) note(cluster, running, pod);
      return new Set(items.filter((pod) => !hasEnded(pod)).flatMap((pod) => workspaceIdOf(pod) ?? []));
    },
    reassign: async (spec) => {
      checkRunSpec(spec);
      return inTurn(spec.workspaceId, () => reassignPod(cluster, spec, options.clock.now())).catch((error: unknown) =>
        fail(error, "start_failed", "the workspace could not be made one of another spec"),
      );
    },
    remove: async (workspaceId) => {
      checkWorkspaceId(workspaceId);
      const remove = async (): Promise<void> => {
        await removePod(cluster, workspaceId);
        running.noteAbsent(workspaceId);
      };
      await inTurn(workspaceId, remove).catch((error: unknown) => fail(error, "stop_failed", "the workspace could not be removed"));
    },
    holdHost: async () => {
      const unusable = (error: unknown): HostTrouble[] => [{ kind: "cluster", detail: `it can't be used: ${clusterSentence(error)}` }];
      const [troubles] = await Promise.all([network.hold().catch(unusable), images.hold(), tidy()]);
      return troubles;
    },
    keepImages: (names) => images.keep(names),
    proveImage: (image, signal) => proveImage(cluster, image, signal),
    usage: (workspaceIds) => {
      workspaceIds.forEach((id) => checkWorkspaceId(id));
      return readUsage(cluster, workspaceIds);
    },
    readStorage: async (place, paths, unread) => {
      checkStorage(place, paths);
      return readStorage(cluster, place, paths, unread);
    },
    replaceStorage: async (place, paths, archive) => {
      checkStorage(place, paths);
      await inTurn(place.workspaceId, () => replaceStorage(cluster, place, paths, archive)).catch((error: unknown) =>
        fail(error, "storage_failed", "the workspace's files could not be replaced"),
      );
    },
    logs: async (workspaceId, maxBytes) => {
      checkWorkspaceId(workspaceId);
      return readOutput(cluster, workspaceId, maxBytes);
    },
    watch: (onExit) => {
      const endListening = running.listen(onExit);
      const endWatch = watchPods(cluster, {
        seen: (pod) => note(cluster, running, pod),
        gone: (pod) => running.noteEnded(workspaceIdOf(pod) ?? "", uidOf(pod)),
        listed: (pods, begunAt) => running.noteListed(new Set(pods.map(uidOf)), begunAt),
      });
      return () => {
        endListening();
        endWatch();
      };
    },
  };
}

/** A pod that ended while it was being deleted, in a drain for example, is released by whichever worker sees it. */
function note(cluster: Cluster, running: RunningPods, pod: V1Pod): void {
  const workspaceId = workspaceIdOf(pod);
  if (workspaceId === undefined) return;
  if (!hasEnded(pod)) return running.noteRunning(workspaceId, pod);
  running.noteEnded(workspaceId, uidOf(pod));
  if (isEnding(pod))
    void releasePod(cluster, pod).catch((err: unknown) => cluster.log.warn({ err, workspaceId }, "an ended pod could not be released"));
}

function fail(error: unknown, code: DriverFailureCode, what: string): never {
  throw clusterFailure(error, code, what);
}
