/**
 * What stands between a workspace's processes and this host. A process is put under its bounds and into its network by root, then loses
 * every right, and then builds, as the workspace's own user, the small world of files and processes that it sees. Decision 0063.
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
import {
  countDisks,
  countMemoryKills,
  groupFolders,
  groupWrites,
  processorTime,
  removeGroups,
  usedMemoryMb,
  usedSeconds,
} from "./control-groups.ts";
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
  /** Processors' worth of time that one workspace may use. */
  cpus: number;
  /** What one workspace may store. */
  diskMb: number;
  network: NetworkPolicy;
  /** IPv4 addresses of the name servers that workspaces ask; the host's own where absent, as they change. */
  nameServers?: readonly string[] | undefined;
}

export interface Sandbox {
  /** Mounts the workspace's disks, made where there are none. Those of a running workspace are in their places. */
  prepareDisks(paths: WorkspacePaths, owner: Owner, how?: { lendsSpare: boolean }): Promise<void>;
  /** Mounts the disk that its output is on, where it has one. */
  prepareLogs(paths: WorkspacePaths): Promise<void>;
  /**
   * Puts back what others changed of the rules and settings that workspaces' networks need, and has running workspaces follow the host's name
   * servers. Returns what is wrong and cannot be mended here, as sentences for the operator; throws where the host refuses the rules.
   */
  holdNetwork(): string[];
  /** The address the workspace will have, with the rules for its network in force; the one it had, where that is free. */
  reserveAddress(paths: WorkspacePaths, owner: Owner): Promise<string>;
  /** What stands before the launcher, run as root under the workspace's lock: bounds and network. Its start has more processor time. */
  enclosure(owner: Owner, address: string, memoryMb: number): string[];
  /** What stands before the workspace's own command, run as its user: its view of files and processes. */
  view(paths: WorkspacePaths): string[];
  /** Processor seconds that the workspace has used since its start; nothing where the host does not count them. */
  processorSeconds(owner: Pick<Owner, "uid">): Promise<number | undefined>;
  /** Holds a running workspace to this many processors' time. */
  hold(owner: Pick<Owner, "uid">, cpus: number): Promise<void>;
  /** The control groups whose bounds hold for a running workspace, as folders. */
  groups(owner: Pick<Owner, "uid">): string[];
  /** Memory of a running workspace that counts against its bound, without the page cache; nothing where it has no group. */
  memoryMb(owner: Pick<Owner, "uid">): number | undefined;
  /** Whether the system killed something of the workspace at its memory bound since it was started. */
  wasOutOfMemory(owner: Pick<Owner, "uid">): Promise<boolean>;
  /** Takes down what a stopped workspace has on the host, but for what it stored. */
  dismantle(paths: WorkspacePaths): Promise<void>;
}

/** Processes and threads of one workspace: as many as its neighbours hardly notice when all of them are busy, and a few more than its user may have. */
const tasks = userProcesses + 32;
/**
 * Processors for a workspace that starts, where its own bound is lower: n8n needs two for its start, and with one takes 1.4 times as long
 * (measured, 2.40.7). Ended by the shares of processors; whoever starts again for it waits longer each time.
 */
const cpusAtStart = 2;
const temporaryBytes = String(256 * 1024 * 1024);

/*
 * 1 ip, 2 nsenter, 3 the network's name, 4 its address, 5 the host's; then pairs of a file and what to write there, up to "--". The
 * network of before is taken down first: whatever stopped a start halfway, the next one begins anew. "?" marks a file not every kernel has;
 * the host's address is on its loopback, for all: an address that comes or goes has browsers on this machine break off what they load;
 * a group with the value "anew" is removed, so that what is counted of the last start is not taken for this one's, unless somebody is still in it.
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

/** 1 the filter of system calls, which bubblewrap wants open, then the command. Where it cannot be opened the shell ends, and nothing is started. */
const filterScript = 'exec 9< "$1"; shift; exec "$@"';

/** Opens the host for sandboxes: rules for their networks in force, files for all of them in place. Throws where the host refuses. */
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
      // What was flushed a moment ago must not leave a workspace that starts now without its rules.
      network.hold();
      const name = networkName(owner.uid);
      const [, before] = await readNetwork(paths);
      const address = chooseAddress(tools, name, before);
      // Written before any of it is made: whoever has to take it down needs its name. Several may do so at once, each by a file of its own.
      const beside = `${paths.network}.${randomBytes(6).toString("hex")}`;
      await writeFile(beside, `${name} ${address} ${await folderMark(paths)}`, { mode: 0o600 });
      await rename(beside, paths.network);
      return address;
    },
    enclosure: (owner, address, memoryMb) => {
      const group = networkName(owner.uid);
      const folders = groupFolders(controllers, group).map((folder) => [folder, "anew"]);
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
      // Gone with a workspace that ended just now.
      await writeFile(file, value, { flag: "r+" }).catch(() => undefined);
    },
    groups: ({ uid }) => groupFolders(controllers, networkName(uid)),
    memoryMb: ({ uid }) => usedMemoryMb(controllers, networkName(uid)),
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

/** The name of the workspace's network and control groups, and its address; nothing where it was never started in a sandbox. A copy's are the original's. */
async function readNetwork(paths: WorkspacePaths): Promise<[name?: string, address?: string]> {
  const [name, address, mark] = ((await readIfPresent(paths.network)) ?? "").split(" ");
  return name && address && (await isOfFolder(paths, mark)) ? [name, address] : [];
}

/** What of the host's settings programs need, and nothing that tells of the host; missing ones are left out. */
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
    // A world of its own in which nobody has a right, and in which no further world can be made.
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
    // How the host was started is nobody's business inside.
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

/** The few files of /etc that workspaces get instead of the host's own. */
function placeEtc(folder: string): (readonly [string, string])[] {
  const files = {
    hosts: "127.0.0.1 localhost workspace\n::1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
    passwd: "root:x:0:0:root:/:/usr/sbin/nologin\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n",
    group: "root:x:0:\nnogroup:x:65534:\n",
  };
  return Object.entries(files).map(([name, content]) => [placeFile(folder, name, content), `/etc/${name}`] as const);
}
