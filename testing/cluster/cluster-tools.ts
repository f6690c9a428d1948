/**
 * The programs of the test cluster: Kubernetes itself from TEST_CLUSTER, and what a node needs from Debian's packages, unpacked but not
 * installed.
 */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { findDebianProgram, hasDebianPrograms } from "../debian-program.ts";

/** The folder with `up`, `node-up`, `node-down` and `mkimage.py`, which start Kubernetes without installing it. */
export const clusterDir = resolve(process.env["TEST_CLUSTER"] ?? join(import.meta.dirname, "../../../shared/envtest"));

/** Why this machine cannot run the cluster, as a sentence; undefined if it can. */
export function missingForCluster(): string | undefined {
  if (!hasDebianPrograms) return "a cluster's nodes need root and Debian's packages";
  if (!existsSync(join(clusterDir, "node-up"))) return "there is no Kubernetes to start (TEST_CLUSTER names its folder)";
  // The nodes' settings are those of control groups version 1.
  return existsSync("/sys/fs/cgroup/memory") ? undefined : "this host's control groups are not version 1";
}

export interface ClusterTools {
  /** For PATH: etcd, containerd, its shim, and runc. */
  binDirs: readonly string[];
  /** With the plugins that connect pods. */
  cniDir: string;
  /** Ends a pod's processes with it, as in the production image. */
  tini: string;
}

/** Fetches what is missing: 48 MB, once per machine. */
export async function findClusterTools(): Promise<ClusterTools> {
  const [etcd, containerd, runc, bridge, tini] = await Promise.all([
    findDebianProgram("etcd-server", "usr/bin/etcd"),
    findDebianProgram("containerd", "usr/bin/containerd"),
    findDebianProgram("runc", "usr/sbin/runc"),
    findDebianProgram("containernetworking-plugins", "usr/lib/cni/bridge"),
    findDebianProgram("tini", "usr/bin/tini-static"),
  ]);
  return { binDirs: [etcd, containerd, runc].map((program) => dirname(program!)), cniDir: dirname(bridge!), tini: tini! };
}
