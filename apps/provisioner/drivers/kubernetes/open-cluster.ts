/** The cluster as the driver uses it: its clients, what workspaces get there, and the few calls that every part makes. */
import {
  ApiException,
  CoreV1Api,
  CustomObjectsApi,
  Exec,
  KubernetesObjectApi,
  PatchStrategy,
  setHeaderOptions,
  VersionApi,
  Watch,
  type KubeConfig,
  type KubernetesObject,
} from "@kubernetes/client-node";
import type { LineKeys } from "#platform/lines/line-keys.ts";
import type { Log } from "#platform/log.ts";
import { knownOnce } from "#platform/loops/known-once.ts";
import type { HostPlaces } from "../container/launch-order.ts";
import type { DriverFailure, DriverFailureCode } from "../driver.ts";
import { asDriverFailure } from "../driver-trouble.ts";
import { fetchWithin, makeClient, openWithin, usualLimits, type ClusterLimits } from "./limited-calls.ts";

/** What a workspace's pod gets beyond its spec. */
export interface PodSettings {
  /** The prefix of images' names, without a slash at the end: registry.example/slipway. */
  images: string;
  /** Of images by name and tag, such as `n8n:2.40.7-0a1b2c3d4e5f`: `sha256:…`. */
  digests?: Readonly<Record<string, string>>;
  /** Processors a workspace may use at most. */
  cpus: number;
  /** Size of its claim. It can grow later, but never shrink. */
  diskMb: number;
  /** The cluster's default without one. */
  storageClass?: string;
  /** Labels of the nodes that workspaces may use; all nodes without any. */
  nodeSelector?: Readonly<Record<string, string>>;
  /** Names of secrets in the workspaces' namespace. */
  pullSecrets?: readonly string[];
  priorityClass?: string;
  runtimeClass?: string;
  /** Whether root in a pod is an unprivileged user on its node (Kubernetes 1.33 and newer). */
  userNamespaces?: boolean;
  /** Resolvers outside the cluster: its own would reveal names of neighbours. */
  nameServers: readonly string[];
}

interface NetworkSettings {
  /** The namespace of the gateways and workers, from which workspaces can be reached. */
  controlNamespace: string;
  /** Ranges that workspaces must not reach besides the private ones: public addresses of nodes and of the API. */
  closedRanges: readonly string[];
  /** Addresses, as host:port, that the canary tries in addition to its own targets. */
  canaryTargets: readonly string[];
  /** Whether no workspace may start unless the cluster isolates it. */
  isDemanded: boolean;
}

export interface KubernetesDriverOptions {
  config: KubeConfig;
  /** For workspaces, and nothing else. */
  namespace: string;
  pods: PodSettings;
  network: NetworkSettings;
  /** What specs' paths refer to on this host. */
  places: HostPlaces;
  /** The keys with which workspaces prove their ids: a pod's address may belong to another one a moment later. */
  lineKeys: LineKeys;
  log: Log;
  /** How long a pod may take to disappear after its grace period; 30 s by default. */
  lateMs?: number;
  /** How long a start waits for the pod's address before it reports what it waits for. */
  addressTimeoutMs?: number;
  /** How long calls may take; the usual limits by default. */
  limits?: ClusterLimits;
}

export interface Cluster extends KubernetesDriverOptions {
  limits: ClusterLimits;
  core: CoreV1Api;
  objects: KubernetesObjectApi;
  /** APIs added by other programs, such as the metrics server. */
  added: CustomObjectsApi;
  /** Ends a watch after 30 s of silence. */
  watcher: Watch;
  exec: Exec;
  /** ReadWriteOncePod if the cluster has it: then even a second pod of ours on the same node cannot open the files. */
  accessMode(): Promise<"ReadWriteOncePod" | "ReadWriteOnce">;
}

/** The field manager in server-side apply. */
const fieldManager = "slipway-worker";

export function openCluster(options: KubernetesDriverOptions): Cluster {
  const { limits = usualLimits } = options;
  const config = fetchWithin(limits.questionMs, options.config);
  return {
    ...options,
    config,
    limits,
    core: makeClient(config, limits, CoreV1Api),
    objects: makeClient(config, limits, KubernetesObjectApi),
    added: makeClient(config, limits, CustomObjectsApi),
    watcher: new Watch(config),
    exec: new Exec(openWithin(limits.questionMs, config)),
    accessMode: knownOnce(() => readAccessMode(makeClient(config, limits, VersionApi))),
  };
}

/** Stable since Kubernetes 1.29. */
const onePodSince = 29;

async function readAccessMode(versions: VersionApi): ReturnType<Cluster["accessMode"]> {
  const { major, minor } = await versions.getCode();
  return Number(major) > 1 || Number.parseInt(minor, 10) >= onePodSince ? "ReadWriteOncePod" : "ReadWriteOnce";
}

/** Creates the object, or changes the fields that are ours, taking them back from anyone who changed them. */
export const apply = <T extends KubernetesObject>({ objects }: Cluster, object: T): Promise<T> =>
  objects.patch(object, undefined, undefined, fieldManager, true, PatchStrategy.ServerSideApply) as Promise<T>;

/** For patches of single fields. */
export const mergePatch = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
export const jsonPatch = setHeaderOptions("Content-Type", PatchStrategy.JsonPatch);

/** The API server's answer, or undefined if there is no such object. */
export async function orNone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}

/** Whether the API server answered with one of these HTTP statuses. */
export const isStatus = (error: unknown, ...statuses: number[]): boolean => error instanceof ApiException && statuses.includes(error.code);

/** The failure as a DriverFailure, with the API server's own sentence. */
export const clusterFailure = (error: unknown, code: DriverFailureCode, what: string): DriverFailure =>
  asDriverFailure(error instanceof ApiException ? new Error(clusterSentence(error), { cause: error }) : error, code, what);

/** The API server's own answer; for any other error, its message. Not an exception's own message, which contains the answer's headers. */
export function clusterSentence(error: unknown): string {
  if (!(error instanceof ApiException)) return (error as Error).message;
  const { code, body } = error as ApiException<unknown>;
  const status = (typeof body === "string" ? parse(body) : body) as { message?: unknown } | undefined;
  return `the cluster answers ${code}: ${typeof status?.message === "string" ? status.message : "no reason given"}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
