/**
 * The isolation between a workspace's processes and this host. Root puts a process under its limits and into its network. The process then
 * drops all rights and builds, as the workspace's own user, the restricted view of files and processes that it runs in. Decision 0063.
 */
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Log } from "#platform/log.ts";
import { folderMark, isOfFolder, readIfPresent } from "../running/process-record.ts";
import { userProcesses } from "../running/launch-process.ts";
import type { Owner } from "../host/run-program.ts";
import type { WorkspacePaths } from "../storage/workspace-paths.ts";
import { allFolders, groupFolders } from "./control-groups/find-controllers.ts";
import { canFreeze, freezeGroup, freezerWrites, isFrozen, isInFreezer, pageOut, thawGroup } from "./control-groups/freezer.ts";
import { countDisks, groupWrites, processorTime, removeGroups } from "./control-groups/limits.ts";
import { countMemoryKills, swappedMb, usedMemoryMb, usedSeconds } from "./control-groups/usage.ts";
import { dataDisk, hasLogDisk, logDisk, mountDisk, unmountDisk } from "./disk.ts";
import { widenFileTable } from "./file-table.ts";
import type { NetworkPolicy } from "./network/firewall.ts";
import { openHostNetwork } from "./network/host-network.ts";
import { chooseAddress, networkName, removeNetwork, workspaceNetwork } from "./network/network.ts";
import { placeFile } from "./place-file.ts";
import { rootFolders } from "./root-folders.ts";
import type { SandboxTools } from "./sandbox-tools.ts";
import { systemCallFilter } from "./system-calls.ts";
import { writeBounds } from "./write-bounds.ts";

export interface SandboxLimits {
  /** Processors that one workspace may use. */
  cpus: number;
  /** What one workspace may store, in MB. */
  diskMb: number;
  network: NetworkPolicy;
  /** IPv4 addresses of the name servers for workspaces; if absent, the host's own, followed as they change. */
  nameServers?: readonly string[] | undefined;
}

export interface Sandbox {
  /** Mounts the workspace's disks, created if needed. Those of a running workspace are already mounted. */
  prepareDisks(paths: WorkspacePaths, owner: Owner, how?: { lendsSpare: boolean }): Promise<void>;
  /** Mounts the disk with its output, if it has one. */
  prepareLogs(paths: WorkspacePaths): Promise<void>;
  /**
   * Repairs the rules and settings for workspaces' networks after changes by other programs, and makes running workspaces follow the host's
   * name servers. Returns what cannot be repaired, as sentences for the operator; throws if the host refuses the rules.
   */
  holdNetwork(): string[];
  /** The address the workspace will have, with the rules for its network in force; the previous one if it is free. */
  reserveAddress(paths: WorkspacePaths, owner: Owner): Promise<string>;
  /** What comes before the launcher and runs as root under the workspace's lock: limits and network. The start has more processor time. */
  enclosure(owner: Owner, address: string, memoryMb: number): string[];
  /** What comes before the workspace's own command and runs as its user: its view of files and processes. */
  view(paths: WorkspacePaths): string[];
  /** Processor seconds that the workspace has used since its start; undefined if the host does not count them. */
  processorSeconds(owner: Pick<Owner, "uid">): Promise<number | undefined>;
  /** Limits a running workspace to this many processors. */
  hold(owner: Pick<Owner, "uid">, cpus: number): Promise<void>;
  /** The folders of the control groups that limit a running workspace. */
  groups(owner: Pick<Owner, "uid">): string[];
  /** Memory of a running workspace that counts against its limit, without the page cache; undefined if it has no group. */
  memoryMb(owner: Pick<Owner, "uid">): number | undefined;
  /** Memory of a workspace that is paged out, in MB before compression. */
  swappedMb(owner: Pick<Owner, "uid">): number;
  /** Absent if this host has no freezer. */
  freezer?: Freezer;
  /** Whether the system has killed a process of the workspace at its memory limit since its start. */
  wasOutOfMemory(owner: Pick<Owner, "uid">): Promise<boolean>;
  /** Removes what a stopped workspace has on the host, except its data. */
  dismantle(paths: WorkspacePaths): Promise<void>;
}

type OfOwner<Result> = (owner: Pick<Owner, "uid">) => Result;

/** Stops a workspace's processes in place. Members do nothing for a workspace without a group. */
export interface Freezer {
  /** Whether the workspace's process was started where it can be frozen. */
  holds(owner: Pick<Owner, "uid">, pid: number): boolean;
  isFrozen: OfOwner<boolean>;
  /** False if a process could not be stopped in time; then all of them run. */
  freeze: OfOwner<Promise<boolean>>;
  thaw: OfOwner<void>;
  /** Pages out what the workspace holds in memory, until `signal` ends it. */
  pageOut(owner: Pick<Owner, "uid">, signal: AbortSignal): Promise<void>;
}

/**
 * Processes and threads of one workspace: few enough that neighbours hardly notice when all are busy, and slightly more than its user may
 * have.
 */
const tasks = userProcesses + 32;
/**
 * Processors for a starting workspace, if its own limit is lower: n8n needs two for its start, and with one takes 1.4 times as long
 * (measured, 2.40.7). The processor shares end it, and repeated restarts wait longer each time.
 */
const cpusAtStart = 2;
const temporaryBytes = String(256 * 1024 * 1024);

/*
 * Arguments: 1 ip, 2 nsenter, 3 the network's name, 4 its address, 5 the host's; then pairs of a file and what to write there, up to "--".
 * The previous network is removed first, so that after an interrupted start the next one begins anew. "?" marks a file that not every
 * kernel has. The host's address is on its loopback, for all workspaces: an address that comes or goes makes browsers on this machine abort
 * what they load. A group with the value "anew" is removed unless it still has processes, so that the counts of the last start are not
 * taken for this one's.
 */
const encloseScript = `
set -e
ip=$1 nsenter=$2 name=$3 address=$4 host=$5
shift 5
while [ "$2" = anew ]; do
  /bin/rmdir -- "$1" 2>/dev/null || :
  shift 2
done
${writeBounds}"$ip" link delete "$name" 2>/dev/null || :
"$ip" netns delete "$name" 2>/dev/null || :
"$ip" netns add "$name"
"$ip" address add "$host/32" dev lo scope host 2>/dev/null || :
"$ip" -batch - <<END
link add $name type veth peer name eth0 netns $name
link set dev $name addrgenmode none
link set dev $name up
route add $address/32 dev $name src $host
END
"$ip" -n "$name" -batch - <<END
link set dev lo up
link set dev eth0 addrgenmode none
address add $address/32 dev eth0
link set dev eth0 up
route add $host/32 dev eth0
route add default via $host
END
exec "$nsenter" --net="/run/netns/$name" -- "$@"
`;

/**
 * Arguments: 1 the filter of system calls, which bubblewrap needs as an open file, then the command. If it cannot be opened, the shell ends
 * and nothing is started.
 */
const filterScript = 'exec 9< "$1"; shift; exec "$@"';

/** Prepares the host for sandboxes: rules for their networks in force, shared files in place. Throws if the host refuses. */
export function openSandbox(
  tools: SandboxTools,
  workspacesDir: string,
  readablePaths: readonly string[],
  limits: SandboxLimits,
  log: Log,
): Sandbox {
  countDisks(tools.controllers);
  widenFileTable();
  const shared = path.join(workspacesDir, ".etc");
  mkdirSync(shared, { recursive: true });
  chmodSync(shared, 0o755);
  const network = openHostNetwork(tools, shared, limits, log);
  const etc = [...placeEtc(shared), [network.resolverFile, "/etc/resolv.conf"] as const];
  const filter = placeFile(shared, "system-calls", systemCallFilter(process.arch));
  const { controllers } = tools;
  return {
    prepareDisks: async (paths, owner, how) => {
      await mountDisk(tools, paths, { ...dataDisk(paths, owner, limits.diskMb), ...how });
      await mountDisk(tools, paths, logDisk(paths));
    },
    prepareLogs: async (paths) => {
      if (await hasLogDisk(paths)) await mountDisk(tools, paths, logDisk(paths));
    },
    holdNetwork: () => network.hold(),
    reserveAddress: async (paths, owner) => {
      // Rules that were flushed a moment ago must be back before a workspace starts.
      network.hold();
      const name = networkName(owner.uid);
      const [, before] = await readNetwork(paths);
      const address = chooseAddress(tools, name, before);
      // Written before the network is made: its name is needed to remove it. Several processes may do so together, each through its own
      // file.
      const beside = `${paths.network}.${randomBytes(6).toString("hex")}`;
      await writeFile(beside, `${name} ${address} ${await folderMark(paths)}`, { mode: 0o600 });
      await rename(beside, paths.network);
      return address;
    },
    enclosure: (owner, address, memoryMb) => {
      const group = networkName(owner.uid);
      const folders = allFolders(controllers, group).map((folder) => [folder, "anew"]);
      const writes = groupWrites(
        controllers,
        group,
        { memoryMb, cpus: Math.max(limits.cpus, cpusAtStart), tasks },
        os.availableParallelism(),
      );
      return [
        "/bin/sh",
        "-c",
        encloseScript,
        "sh",
        tools.ip,
        tools.nsenter,
        group,
        address,
        workspaceNetwork.host,
        ...folders.flat(),
        ...freezerWrites(controllers, group).flat(),
        ...writes.flat(),
        "--",
      ];
    },
    view: ({ data }) => [
      "/bin/sh",
      "-c",
      filterScript,
      "sh",
      filter,
      tools.bwrap,
      "--seccomp",
      "9",
      ...viewArguments(data, readablePaths, etc),
    ],
    processorSeconds: ({ uid }) => usedSeconds(controllers, networkName(uid)),
    hold: async ({ uid }, cpus) => {
      const [file, value] = processorTime(controllers, networkName(uid), cpus);
      // The group is gone if the workspace ended just now.
      await writeFile(file, value, { flag: "r+" }).catch(() => undefined);
    },
    groups: ({ uid }) => groupFolders(controllers, networkName(uid)),
    memoryMb: ({ uid }) => usedMemoryMb(controllers, networkName(uid)),
    swappedMb: ({ uid }) => swappedMb(controllers, networkName(uid)),
    ...(canFreeze(controllers) && {
      freezer: {
        holds: ({ uid }, pid) => isInFreezer(controllers, networkName(uid), pid),
        isFrozen: ({ uid }) => isFrozen(controllers, networkName(uid)),
        freeze: ({ uid }) => freezeGroup(controllers, networkName(uid)),
        thaw: ({ uid }) => thawGroup(controllers, networkName(uid)),
        pageOut: ({ uid }, signal) => pageOut(controllers, networkName(uid), signal),
      },
    }),
    wasOutOfMemory: async (owner) => (await countMemoryKills(controllers, networkName(owner.uid))) > 0,
    dismantle: async (paths) => {
      const [name] = await readNetwork(paths);
      if (name !== undefined) {
        await removeNetwork(tools, name);
        await removeGroups(controllers, name);
      }
      await unmountDisk(tools, paths, { image: paths.disk, folder: paths.data });
      await unmountDisk(tools, paths, logDisk(paths));
    },
  };
}

/**
 * The name of the workspace's network and control groups, and its address; empty if it was never started in a sandbox. Those in a copied
 * folder belong to the original.
 */
async function readNetwork(paths: WorkspacePaths): Promise<[name?: string, address?: string]> {
  const [name, address, mark] = ((await readIfPresent(paths.network)) ?? "").split(" ");
  return name && address && (await isOfFolder(paths, mark)) ? [name, address] : [];
}

/** The settings of the host that programs need, without any that reveal the host; missing ones are left out. */
const sharedEtc = [
  "ssl",
  "ca-certificates",
  "pki",
  "crypto-policies",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "alternatives",
  "fonts",
  "localtime",
  "mime.types",
  "services",
  "protocols",
];

function viewArguments(data: string, readablePaths: readonly string[], etc: readonly (readonly [file: string, place: string])[]): string[] {
  return [
    // A namespace without any rights, in which no further namespaces can be made.
    "--unshare-user",
    "--disable-userns",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--hostname",
    "workspace",
    "--ro-bind",
    "/usr",
    "/usr",
    ...rootFolders(),
    ...sharedEtc.flatMap((name) => ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`]),
    ...etc.flatMap(([file, place]) => ["--ro-bind", file, place]),
    // Hides how the host was started.
    "--proc",
    "/proc",
    "--ro-bind",
    "/dev/null",
    "/proc/cmdline",
    "--dev",
    "/dev",
    "--size",
    temporaryBytes,
    "--perms",
    "1777",
    "--tmpfs",
    "/dev/shm",
    "--remount-ro",
    "/dev",
    "--size",
    temporaryBytes,
    "--perms",
    "1777",
    "--tmpfs",
    "/tmp",
    "--symlink",
    "/tmp",
    "/var/tmp",
    "--dir",
    "/run",
    ...readablePaths.flatMap((place) => ["--ro-bind-try", place, place]),
    "--bind",
    data,
    data,
    "--chdir",
    data,
    "--remount-ro",
    "/",
    "--",
  ];
}

/** The few files of /etc that workspaces get instead of the host's. */
function placeEtc(folder: string): (readonly [string, string])[] {
  const files = {
    hosts: "127.0.0.1 localhost workspace\n::1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
    passwd: "root:x:0:0:root:/:/usr/sbin/nologin\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n",
    group: "root:x:0:\nnogroup:x:65534:\n",
  };
  return Object.entries(files).map(([name, content]) => [placeFile(folder, name, content), `/etc/${name}`] as const);
}
