/**
 * What a workspace is in the cluster: a Secret with its spec, a claim with its files, and while it runs one pod, all with the same name.
 */
import { createHash } from "node:crypto";
import type { V1PersistentVolumeClaim, V1Pod, V1PodSpec, V1Secret } from "@kubernetes/client-node";
import type { LineKey } from "#platform/lines/line-keys.ts";
import { DriverFailure, type RunSpec, type StoragePlace } from "../driver.ts";
import { dataFolder, launchCommand } from "../container/image-places.ts";
import { nameImage } from "../container/name-image.ts";
import { launchOrder } from "../container/launch-order.ts";
import { hashRunSpec } from "../hash-run-spec.ts";
import type { Cluster } from "./open-cluster.ts";

/** Used to find our objects; the network policy applies to pods with it. */
export const managedLabel = "app.kubernetes.io/managed-by";
export const roleLabel = "slipway.dev/role";
/** The value is the workspace's name, not its id: a label's value has a narrower alphabet. */
const workspaceLabel = "slipway.dev/workspace";
export const ownPods = `${managedLabel}=slipway,${roleLabel}=workspace`;

export const note = {
  id: "slipway.dev/workspace-id",
  specHash: "slipway.dev/spec-hash",
  generation: "slipway.dev/generation",
  /** On a pod: the mark of the key that proves its id, which precedes its address. */
  line: "slipway.dev/line",
  /** On a pod: its image as its spec names it. On the claim: the image that ran last, for the pods that only read and write its files. */
  image: "slipway.dev/image",
  /** On the Secret: how the last pod ended. */
  exit: "slipway.dev/exit",
  /** On a pod: a hash of what it got beyond its spec. */
  settings: "slipway.dev/settings",
  /** On a pod: when it became one of another spec, and the last line of output before that. */
  reassigned: "slipway.dev/reassigned",
} as const;

/** Keeps an ended pod until its exit code is recorded. */
export const exitFinalizer = "slipway.dev/exit";

export const containerName = "workspace";
/** Where the launcher finds its order. */
const orderFolder = "/run/slipway";
const tmpMb = 256;
/** In addition to /tmp: output, which the node rotates. */
const ephemeralMb = tmpMb + 256;
/** How long until a workspace whose node is silent may start on another one. */
const lostNodeSeconds = 60;
/** Each workspace has its own user, although it is alone in its pod: the system counts keys and file watches by user, across a node. */
const firstUid = 100_000;
export const userOf = ({ workspaceNumber }: Pick<StoragePlace, "workspaceNumber">): number => firstUid + workspaceNumber;
/** Nodes with a taint of this key are only for workspaces. */
const ownNodesTaint = "slipway.dev/workspaces";
/** Its share when all compete for the node's processors. */
const requestedCpu = "50m";

const dnsLabel = /^[a-z0-9](?:[a-z0-9-]{0,40}[a-z0-9])?$/;

/** A DNS label: the id itself if it can be one. */
export const nameOf = (workspaceId: string): string =>
  dnsLabel.test(workspaceId) ? `w-${workspaceId}` : `x-${createHash("sha256").update(workspaceId).digest("hex").slice(0, 40)}`;

export const labelsOf = (workspaceId: string, role: "workspace" | "files" = "workspace"): Record<string, string> => ({
  [managedLabel]: "slipway",
  [roleLabel]: role,
  [workspaceLabel]: nameOf(workspaceId),
});

/**
 * The launch order's key in the Secret, which the pod names: a pod never starts from another spec or with another key, even if the Secret
 * is overwritten in the meantime.
 */
const orderKey = (spec: RunSpec, { mark }: LineKey): string => `${hashRunSpec(spec)}${mark.slice(mark.lastIndexOf("."))}`;

/** `emptyKeys` are those that a running pod was started with and still refers to. */
export function buildSecret({ namespace, places, lineKeys }: Cluster, spec: RunSpec, emptyKeys: readonly string[] = []): V1Secret {
  const line = lineKeys.named(spec.workspaceId);
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name: nameOf(spec.workspaceId),
      namespace,
      labels: labelsOf(spec.workspaceId),
      annotations: { [note.id]: spec.workspaceId, [note.specHash]: hashRunSpec(spec), [note.generation]: String(spec.generation) },
    },
    type: "slipway.dev/order",
    data: {
      ...Object.fromEntries(emptyKeys.map((key) => [key, ""])),
      [orderKey(spec, line)]: Buffer.from(JSON.stringify(launchOrder(spec, places, line.key))).toString("base64"),
    },
  };
}

export async function buildClaim(cluster: Cluster, { workspaceId, image }: RunSpec): Promise<V1PersistentVolumeClaim> {
  const { storageClass, diskMb } = cluster.pods;
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name: nameOf(workspaceId),
      namespace: cluster.namespace,
      labels: labelsOf(workspaceId),
      annotations: { [note.id]: workspaceId, ...(image && { [note.image]: image }) },
    },
    spec: {
      accessModes: [await cluster.accessMode()],
      ...(storageClass && { storageClassName: storageClass }),
      resources: { requests: { storage: `${diskMb}Mi` } },
    },
  };
}

/** The Secret owns the pod as its controller: a drain evicts such a pod, but refuses to delete one that no controller would start again. */
export function buildPod(cluster: Cluster, spec: RunSpec, secret: V1Secret): V1Pod {
  const line = cluster.lineKeys.named(spec.workspaceId);
  const own = podFrame(cluster, spec, spec.image);
  return {
    ...own,
    metadata: {
      ...own.metadata,
      name: nameOf(spec.workspaceId),
      labels: labelsOf(spec.workspaceId),
      annotations: {
        [note.id]: spec.workspaceId,
        [note.specHash]: hashRunSpec(spec),
        [note.generation]: String(spec.generation),
        [note.line]: line.mark,
        [note.settings]: settingsOf(cluster),
        [note.image]: spec.image!,
      },
      finalizers: [exitFinalizer],
      ownerReferences: [
        {
          apiVersion: "v1",
          kind: "Secret",
          name: secret.metadata!.name!,
          uid: secret.metadata!.uid!,
          controller: true,
          blockOwnerDeletion: false,
        },
      ],
    },
    spec: {
      ...own.spec,
      terminationGracePeriodSeconds: graceSeconds(spec.stopTimeoutMs),
      containers: [
        {
          ...own.spec.containers[0]!,
          command: launchCommand(`${orderFolder}/order.json`),
          resources: resourcesOf(cluster, spec.memoryMb),
          volumeMounts: [...own.spec.containers[0]!.volumeMounts!, { name: "order", mountPath: orderFolder, readOnly: true }],
        },
      ],
      volumes: [
        ...own.spec.volumes!,
        {
          name: "order",
          secret: { secretName: secret.metadata!.name!, defaultMode: 0o440, items: [{ key: orderKey(spec, line), path: "order.json" }] },
        },
      ],
    },
  };
}

/** A hash of what pods get beyond their specs: the registry, the nodes they may use, and this release's own settings. */
export function settingsOf(cluster: Cluster): string {
  const { spec } = podFrame(cluster, { workspaceId: "any", workspaceNumber: 0 }, "any:1");
  const all = [spec, resourcesOf(cluster, 0), cluster.pods.digests ?? {}];
  return createHash("sha256").update(JSON.stringify(all)).digest("hex").slice(0, 16);
}

/** For a pod that only holds something. */
export const sleepForever = ["/usr/bin/tini", "--", "/bin/sh", "-c", "exec sleep infinity"] as const;
/** Ends automatically if it is not deleted. */
const helperLifeSeconds = 4 * 3600;
const helperMemoryMb = 256;
/** Its maker runs a program in it within seconds, and the next one right after that. */
const helperIdleSeconds = 120;
/**
 * While files are read or written there is a process beside tini and this shell. Without one, its maker was killed, and others need the
 * claim.
 */
const sleepWhileUsed = `idle=0
while [ $idle -lt "$1" ]; do sleep 1; idle=$((idle + 1)); set -- "$1" /proc/[0-9]*; [ $# -le 3 ] || idle=0; done`;

/** A pod that only holds the claim open, so that files can be read and written while the workspace does not run. */
export function buildHelper(cluster: Cluster, place: StoragePlace, image: string | undefined, idleSeconds = helperIdleSeconds): V1Pod {
  const own = podFrame(cluster, place, image);
  return {
    ...own,
    metadata: { ...own.metadata, generateName: `${nameOf(place.workspaceId)}-files-`, labels: labelsOf(place.workspaceId, "files") },
    spec: {
      ...own.spec,
      terminationGracePeriodSeconds: 1,
      activeDeadlineSeconds: helperLifeSeconds,
      containers: [
        {
          ...own.spec.containers[0]!,
          command: ["/usr/bin/tini", "--", "/bin/sh", "-c", sleepWhileUsed, "sh", String(idleSeconds)],
          resources: resourcesOf(cluster, helperMemoryMb),
        },
      ],
    },
  };
}

/** Much more than a few connections take. */
const canaryLifeSeconds = 600;
const canaryMemoryMb = 128;

/** A pod like a workspace's, without files, which tries what a hostile one would. */
export function buildCanary(cluster: Cluster, image: string, command: string[], resources = resourcesOf(cluster, canaryMemoryMb)): V1Pod {
  const own = podFrame(cluster, { workspaceId: "canary", workspaceNumber: 0 }, image);
  const spec = withoutFiles(own.spec);
  return {
    ...own,
    metadata: { ...own.metadata, generateName: "canary-", labels: { [managedLabel]: "slipway", [roleLabel]: "canary" } },
    spec: {
      ...spec,
      activeDeadlineSeconds: canaryLifeSeconds,
      terminationGracePeriodSeconds: 1,
      containers: [{ ...spec.containers[0]!, command, workingDir: "/tmp", resources }],
    },
  };
}

/** For a pod that needs nothing but its image. */
export const imageResources = {
  requests: { cpu: "1m", memory: "16Mi", "ephemeral-storage": "1Mi" },
  limits: { cpu: "100m", memory: "32Mi", "ephemeral-storage": "16Mi" },
};

/** A pod like a workspace's that ends as soon as its image is there. */
export const buildImageProof = (cluster: Cluster, image: string): V1Pod => buildCanary(cluster, image, ["/bin/true"], imageResources);

/** The same pod without a claim. */
export function withoutFiles({ containers, volumes, ...rest }: ReturnType<typeof podFrame>["spec"]) {
  const isOther = ({ name }: { name: string }): boolean => name !== "data";
  return {
    ...rest,
    containers: containers.map(({ volumeMounts, ...each }) => ({ ...each, volumeMounts: volumeMounts.filter(isOther) })),
    volumes: volumes.filter(isOther),
  };
}

/** At least a second: 0 means that the name is released while the process may still run. */
export const graceSeconds = (timeoutMs: number): number => Math.max(1, Math.ceil(timeoutMs / 1000));

/** The whole memory is requested: on an overcommitted node the system would kill workspaces that stay within their limit. */
function resourcesOf({ pods: { cpus } }: Cluster, memoryMb: number) {
  return {
    requests: { cpu: requestedCpu, memory: `${memoryMb}Mi`, "ephemeral-storage": `${tmpMb}Mi` },
    limits: { cpu: String(cpus), memory: `${memoryMb}Mi`, "ephemeral-storage": `${ephemeralMb}Mi` },
  };
}

/** What all pods with a workspace image have in common. */
export function podFrame({ namespace, pods }: Cluster, { workspaceId, workspaceNumber }: StoragePlace, image: string | undefined) {
  if (image === undefined) throw new DriverFailure("start_failed", "the spec names no image");
  const uid = userOf({ workspaceNumber });
  const spec = {
    restartPolicy: "Never",
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    ...(pods.userNamespaces && { hostUsers: false }),
    ...(pods.runtimeClass && { runtimeClassName: pods.runtimeClass }),
    ...(pods.pullSecrets?.length && { imagePullSecrets: pods.pullSecrets.map((name) => ({ name })) }),
    ...(pods.priorityClass && { priorityClassName: pods.priorityClass }),
    dnsPolicy: "None",
    dnsConfig: { nameservers: [...pods.nameServers] },
    ...(pods.nodeSelector && { nodeSelector: { ...pods.nodeSelector } }),
    tolerations: [
      { key: ownNodesTaint, operator: "Exists" },
      ...["not-ready", "unreachable"].map((state) => ({
        key: `node.kubernetes.io/${state}`,
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: lostNodeSeconds,
      })),
    ],
    securityContext: {
      runAsNonRoot: true,
      runAsUser: uid,
      runAsGroup: uid,
      fsGroup: uid,
      fsGroupChangePolicy: "OnRootMismatch",
      seccompProfile: { type: "RuntimeDefault" },
    },
    containers: [
      {
        name: containerName,
        image: nameImage(pods, image),
        imagePullPolicy: "IfNotPresent",
        workingDir: dataFolder,
        securityContext: {
          allowPrivilegeEscalation: false,
          privileged: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
        volumeMounts: [
          { name: "data", mountPath: dataFolder },
          { name: "tmp", mountPath: "/tmp" },
        ],
      },
    ],
    volumes: [
      { name: "data", persistentVolumeClaim: { claimName: nameOf(workspaceId) } },
      { name: "tmp", emptyDir: { sizeLimit: `${tmpMb}Mi` } },
    ],
  } satisfies V1PodSpec;
  return { apiVersion: "v1", kind: "Pod", metadata: { namespace }, spec };
}
