/** Translates a pod's status into a driver's terms. */
import { constants } from "node:os";
import type { CoreV1Event, V1Pod } from "@kubernetes/client-node";
import { secondMs } from "#platform/clock.ts";
import { writeAddress } from "#platform/lines/open-line.ts";
import { containerPorts } from "../container/launch-order.ts";
import type { Missing, RunObservation } from "../driver.ts";
import { containerName, note } from "./workspace-objects.ts";

export type Exit = NonNullable<RunObservation["exit"]>;

export const workspaceIdOf = (pod: V1Pod): string | undefined => pod.metadata?.annotations?.[note.id];
export const specHashOf = (pod: V1Pod): string | undefined => pod.metadata?.annotations?.[note.specHash];
export const generationOf = (pod: V1Pod): number => Number(pod.metadata?.annotations?.[note.generation]);
export const uidOf = (pod: V1Pod): string => pod.metadata!.uid!;
export const isEnding = (pod: V1Pod): boolean => pod.metadata?.deletionTimestamp !== undefined;

/**
 * Whether none of its processes runs any more, according to its node. A pod that is being deleted from a silent node has not ended: it may
 * still run. A pod that no node had taken has ended; so has one whose node requested its final deletion, with a grace period of zero.
 */
export function hasEnded(pod: V1Pod): boolean {
  if (exitOf(pod) || ["Succeeded", "Failed"].includes(pod.status?.phase ?? "")) return true;
  return isEnding(pod) && (!pod.spec?.nodeName || pod.metadata?.deletionGracePeriodSeconds === 0);
}

/** As reported by the node; undefined while it runs, and for a pod that never did. */
export function exitOf(pod: V1Pod): Exit | undefined {
  const terminated = containerOf(pod)?.state?.terminated;
  if (!terminated) return undefined;
  const { exitCode, signal, reason, finishedAt } = terminated;
  const number = signal || (exitCode > 128 ? exitCode - 128 : 0);
  const name = Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? null;
  return {
    code: name ? null : exitCode,
    signal: name,
    at: new Date(finishedAt ?? Date.now()),
    ...(reason === "OOMKilled" && { outOfMemory: true }),
    ...(wasAskedToEnd(pod, new Date(finishedAt ?? Date.now())) && { requested: true }),
  };
}

/** Clocks of nodes and of the API server differ a little, and an exit's time has whole seconds. */
const clocksDifferMs = 5 * secondMs;

/**
 * Whether the container ended at that time because its pod was deleted, or because its node shuts down or lacks memory or disk for all its
 * pods. A pod that used more than its own limit is not meant, nor one that had crashed before it was deleted.
 */
function wasAskedToEnd({ metadata, status }: V1Pod, endedAt: Date): boolean {
  if (status?.conditions?.some(({ type, status: is }) => type === "DisruptionTarget" && is === "True")) return true;
  if (!metadata?.deletionTimestamp) return false;
  // The timestamp is that of the request plus the grace period, which later requests may shorten.
  const askedAt = new Date(metadata.deletionTimestamp).getTime() - (metadata.deletionGracePeriodSeconds ?? 0) * secondMs;
  return endedAt.getTime() >= askedAt - clocksDifferMs;
}

export const writeExit = (exit: Exit): string => JSON.stringify(exit);

export function readExit(text: string | undefined): Exit | undefined {
  if (!text) return undefined;
  const exit = JSON.parse(text) as Exit;
  return { ...exit, at: new Date(exit.at) };
}

/** When a running pod became one of another spec, and the time of the last line of output before. */
export interface Reassigned {
  at: string;
  outputAfter?: string;
}

export const reassignedOf = (pod: V1Pod): Reassigned | undefined => {
  const text = pod.metadata?.annotations?.[note.reassigned];
  return text === undefined ? undefined : (JSON.parse(text) as Reassigned);
};

/** Of the first port, whatever its name. */
const firstPort = containerPorts(["first"])["first"]!;

/** Of a pod that has not ended. */
export function observeRunning(pod: V1Pod): RunObservation {
  const address = pod.status?.podIP;
  const startedAt = reassignedOf(pod)?.at ?? containerOf(pod)?.state?.running?.startedAt ?? pod.metadata?.creationTimestamp;
  const starts = containerOf(pod)?.state?.running && address;
  return {
    state: "running",
    ...(specHashOf(pod) && { specHash: specHashOf(pod)! }),
    generation: generationOf(pod),
    ...(starts
      ? { address: writeAddress(address, firstPort, pod.metadata?.annotations?.[note.line]) }
      : { waitsFor: waitsFor(pod), missing: missingOf(pod) }),
    ...(startedAt && { startedAt: new Date(startedAt) }),
  };
}

/** What a pod that does not run yet waits for, judging by its conditions and the state of its container. */
export function waitsFor(pod: V1Pod): string {
  if (isEnding(pod)) return waitsForEnd(pod);
  const unscheduled = unscheduledOf(pod);
  if (unscheduled) return [unscheduled.reason, unscheduled.message].filter(Boolean).join(": ");
  const waiting = containerOf(pod)?.state?.waiting;
  return [waiting?.reason ?? "its node", waiting?.message].filter(Boolean).join(": ");
}

/** A node that is still pulling reports none of these. */
const refusedImage = /^(?:ErrImagePull|ImagePullBackOff|ErrImageNeverPull|InvalidImageName|ImageInspectError|RegistryUnavailable)$/;

/** What a pod that does not run yet lacks. */
export function missingOf(pod: V1Pod): Missing {
  if (isEnding(pod)) return "node";
  if (refusedImage.test(containerOf(pod)?.state?.waiting?.reason ?? "")) return "image";
  return /insufficient memory/i.test(unscheduledOf(pod)?.message ?? "") ? "memory" : "node";
}

/** The image of the pod's container, with its registry. */
export const imageNameOf = (pod: V1Pod): string => pod.spec?.containers[0]?.image ?? "";

/** The image that its container was started from, as its spec names it; undefined for a pod that never ran. */
export function ranImageOf(pod: V1Pod): string | undefined {
  const { state, imageID } = containerOf(pod) ?? {};
  return state?.running || state?.terminated || imageID ? pod.metadata?.annotations?.[note.image] : undefined;
}

/** Of a pod that has been asked to end. */
export const waitsForEnd = (pod: V1Pod): string => `its node ${pod.spec?.nodeName ?? ""} has not said that it ended`;

/** Why a node could not pull the pod's image: the registry's answer, if an event has it. */
export const pullTrouble = (pod: V1Pod, events: readonly CoreV1Event[]): string =>
  events.findLast(({ message }) => /^failed to pull image/i.test(message ?? ""))?.message ?? waitsFor(pod);

/** The newest warning about the pod, which may say, for example, why a volume is not mounted. */
export function newestWarning(events: readonly CoreV1Event[]): string | undefined {
  const at = ({ lastTimestamp, eventTime }: CoreV1Event) => new Date(lastTimestamp ?? eventTime ?? 0).getTime();
  const newest = events.filter(({ type }) => type === "Warning").toSorted((one, other) => at(other) - at(one))[0];
  return newest && [newest.reason, newest.message].filter(Boolean).join(": ");
}

/** What it reads of its Secret: its node does not start it without them. */
export const orderKeysOf = (pod: V1Pod): string[] =>
  pod.spec?.volumes?.flatMap(({ secret }) => secret?.items ?? []).map(({ key }) => key) ?? [];

const unscheduledOf = (pod: V1Pod) => pod.status?.conditions?.find(({ type, status }) => type === "PodScheduled" && status === "False");
const containerOf = (pod: V1Pod) => pod.status?.containerStatuses?.find(({ name }) => name === containerName);
