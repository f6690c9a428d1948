/** The settings of DRIVER=kubernetes. */
import { z } from "zod";
import { drivers } from "../choices/create-driver.ts";
import { commaList, namesOf, optional, withDefault } from "./setting-shapes.ts";

const name = z.string().regex(/^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/, "must be the name of an object in a cluster");
const range = z.union([z.cidrv4(), z.cidrv6()], { error: "must be ranges of addresses such as 203.0.113.0/24, separated by commas" });

const label = /^(?:[a-z0-9.-]{1,253}\/)?[A-Za-z0-9](?:[-\w.]{0,61}[A-Za-z0-9])?=(?:[A-Za-z0-9](?:[-\w.]{0,61}[A-Za-z0-9])?)?$/;
const imageDigest = /^([a-z0-9._-]+:[A-Za-z0-9._-]+)@(sha256:[0-9a-f]{64})$/;

export const clusterSettings = {
  WORKSPACE_IMAGES: optional(
    z.string().regex(/^[a-z0-9][a-z0-9.:-]*(?:\/[a-z0-9._-]+)*$/, "must be a registry and a folder in it, without a trailing slash"),
  ),
  WORKSPACE_IMAGE_DIGESTS: optional(
    commaList.pipe(z.array(z.string().regex(imageDigest, "must be images as name:tag@sha256:…, separated by commas")).max(100)),
  ),
  KUBERNETES_NAMESPACE: withDefault(name, "slipway-workspaces"),
  KUBERNETES_CONTROL_NAMESPACE: withDefault(name, "slipway"),
  KUBERNETES_STORAGE_CLASS: optional(name),
  KUBERNETES_NODE_SELECTOR: optional(
    commaList.pipe(z.array(z.string().regex(label, "must be node labels as key=value, separated by commas")).max(20)),
  ),
  KUBERNETES_PULL_SECRETS: optional(commaList.pipe(z.array(name).max(10))),
  KUBERNETES_PRIORITY_CLASS: optional(name),
  KUBERNETES_RUNTIME_CLASS: optional(name),
  KUBERNETES_USER_NAMESPACES: withDefault(z.enum(["on", "off"]), "off"),
  KUBERNETES_CANARY_TARGETS: optional(
    commaList.pipe(z.array(z.string().regex(/^\S+:\d{1,5}$/, "must be addresses as host:port, separated by commas")).max(100)),
  ),
  KUBERNETES_CLOSED_RANGES: optional(commaList.pipe(z.array(range).max(1000))),
};

const settings = z.object(clusterSettings);

export interface ClusterSetting {
  images: string | undefined;
  /** By name and tag. */
  digests: Record<string, string>;
  namespace: string;
  /** Of this program. */
  controlNamespace: string;
  storageClass: string | undefined;
  /** Labels of the nodes that workspaces may use; all nodes without any. */
  nodeSelector: Record<string, string>;
  /** Secrets in the workspaces' namespace with which nodes pull images from a private registry. */
  pullSecrets: string[];
  priorityClass: string | undefined;
  runtimeClass: string | undefined;
  userNamespaces: boolean;
  closedRanges: string[];
  canaryTargets: string[];
}

export const readCluster = (given: z.output<typeof settings>): ClusterSetting => ({
  images: given.WORKSPACE_IMAGES,
  digests: Object.fromEntries((given.WORKSPACE_IMAGE_DIGESTS ?? []).map((each) => each.split("@") as [string, string])),
  namespace: given.KUBERNETES_NAMESPACE,
  controlNamespace: given.KUBERNETES_CONTROL_NAMESPACE,
  storageClass: given.KUBERNETES_STORAGE_CLASS,
  nodeSelector: Object.fromEntries((given.KUBERNETES_NODE_SELECTOR ?? []).map((each) => each.split("=") as [string, string])),
  pullSecrets: given.KUBERNETES_PULL_SECRETS ?? [],
  priorityClass: given.KUBERNETES_PRIORITY_CLASS,
  runtimeClass: given.KUBERNETES_RUNTIME_CLASS,
  userNamespaces: given.KUBERNETES_USER_NAMESPACES === "on",
  canaryTargets: given.KUBERNETES_CANARY_TARGETS ?? [],
  closedRanges: given.KUBERNETES_CLOSED_RANGES ?? [],
});

/** What the driver lacks; one line for each. */
export function clusterProblems(env: Readonly<Record<string, string | undefined>>): string[] {
  const driver = namesOf(drivers).find((name) => name === env["DRIVER"]);
  return driver && drivers[driver].needsImages && !env["WORKSPACE_IMAGES"] ? [`WORKSPACE_IMAGES: is needed with DRIVER=${driver}`] : [];
}
