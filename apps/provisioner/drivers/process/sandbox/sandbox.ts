/**
 * The isolation between a workspace's processes and this host. Root puts a process under its limits and into its network. The process then
 * drops all rights and builds, as the workspace's own user, the restricted view of files and processes that it runs in. Decision 0063.
 */
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Log } from "#platform/log.ts";
import { folderMark, isOfFolder, readIfPresent } from "../running/process-record.ts";
import type { Owner } from "../host/run-program.ts";
import type { WorkspacePaths } from "../storage/workspace-paths.ts";
import { groupFolders } from "./control-groups/find-controllers.ts";
import { canFreeze, freezeGroup, isFrozen, isInFreezer, pageOut, pageOutRunning, thawGroup } from "./control-groups/freezer.ts";
import { countDisks, processorTime, removeGroups } from "./control-groups/limits.ts";
import { countMemoryKills, swappedMb, usedMemoryMb, usedSeconds } from "./control-groups/usage.ts";
import { dataDisk, hasLogDisk, logDisk, mountDisk, unmountDisk } from "./disk.ts";
import { enclosure } from "./enclosure.ts";
import { widenFileTable } from "./file-table.ts";
import type { NetworkPolicy } from "./network/firewall.ts";
import { openHostNetwork } from "./network/host-network.ts";
import { chooseAddress, networkName, removeNetwork } from "./network/network.ts";
import type { SandboxTools } from "./sandbox-tools.ts";
import { isMounted } from "./read-only.ts";
import { openView, type Readable } from "./view.ts";

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
  /**
   * Mounts the workspace's disks, created or repaired if needed. Those of a running workspace are already mounted. Throws with "no space
   * left" in the message if the host has no room for a repair.
   */
  prepareDisks(paths: WorkspacePaths, owner: Owner, how?: { lendsSpare: boolean }): Promise<void>;
  /** Mounts the disk with its data unless it is mounted, even one that waits for its repair. */
  prepareReading(paths: WorkspacePaths, owner: Owner): Promise<void>;
  /** The same for the disk with its output, if it has one. */
  prepareLogs(paths: WorkspacePaths): Promise<void>;
  /**
   * Repairs the rules and settings for workspaces' networks after changes by other programs, and makes running workspaces follow the host's
   * name servers. Returns what cannot be repaired, as sentences for the operator; throws if the host refuses the rules.
   */
  holdNetwork(): string[];
  /** The workspace's future address, with the rules for its network in force; the previous one if it is free. */
  reserveAddress(paths: WorkspacePaths, owner: Owner): Promise<string>;
  /** Precedes the launcher and runs as root under the workspace's lock: limits and network. The start gets more processor time. */
  enclosure(owner: Owner, address: string, memoryMb: number): string[];
  /** Precedes the workspace's own command and runs as its user: its view of files and processes. */
  view(paths: WorkspacePaths): string[];
  /** Processor seconds that the workspace has used since its start; undefined if the host does not count them. */
  processorSeconds(owner: Pick<Owner, "uid">): number | undefined;
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
  wasOutOfMemory(owner: Pick<Owner, "uid">): boolean;
  /** Removes what a stopped workspace has on the host, except its data. */
  dismantle(paths: WorkspacePaths): Promise<void>;
}

type OfOwner<Result> = (owner: Pick<Owner, "uid">) => Result;

/** Stops a workspace's processes in place. Members do nothing for a workspace without a group. */
interface Freezer {
  /** Whether the workspace's process was started where it can be frozen. */
  holds(owner: Pick<Owner, "uid">, pid: number): boolean;
  isFrozen: OfOwner<boolean>;
  /** False if a process could not be stopped in time; then all of them run. */
  freeze: OfOwner<Promise<boolean>>;
  thaw: OfOwner<void>;
  /** Pages out the memory of the workspace, until `signal` ends it. */
  pageOut(owner: Pick<Owner, "uid">, signal: AbortSignal): Promise<void>;
  /** The same for one that is not frozen. Afterwards, no more of its pages go to swap. */
  pageOutRunning(owner: Pick<Owner, "uid">, signal: AbortSignal): Promise<void>;
}

/** Prepares the host for sandboxes: rules for their networks in force, shared files in place. Throws if the host refuses. */
export function openSandbox(
  tools: SandboxTools,
  workspacesDir: string,
  readable: Readable,
  limits: SandboxLimits,
  floorMb: number,
  log: Log,
): Sandbox {
  countDisks(tools.controllers);
  widenFileTable();
  const shared = path.join(workspacesDir, ".etc");
  mkdirSync(shared, { recursive: true });
  chmodSync(shared, 0o755);
  const network = openHostNetwork(tools, shared, limits, log);
  const view = openView(tools, shared, readable, network.resolverFile);
  const { controllers } = tools;
  return {
    prepareDisks: async (paths, owner, how) => {
      await mountDisk(tools, paths, { ...dataDisk(paths, owner, limits.diskMb), ...how }, { floorMb });
      await mountDisk(tools, paths, logDisk(paths), { floorMb });
    },
    // A mounted disk can be read. A broken one is repaired at the next start: a running process still uses it.
    prepareReading: async (paths, owner) => {
      if (!(await isMounted(paths.data)))
        await mountDisk(tools, paths, dataDisk(paths, owner, limits.diskMb), { floorMb, forReading: true });
    },
    prepareLogs: async (paths) => {
      if (!(await isMounted(paths.logs)) && (await hasLogDisk(paths)))
        await mountDisk(tools, paths, logDisk(paths), { floorMb, forReading: true });
    },
    holdNetwork: () => network.hold(),
    reserveAddress: async (paths, owner) => {
      // Rules that were flushed a moment ago must be back before a workspace starts.
      network.hold();
      const name = networkName(owner.uid);
      const [, before] = await readNetwork(paths);
      const address = chooseAddress(tools, name, before);
      // Written before the network is created, because its name is needed to remove it. Several processes may do so at the same time, each
      // through its own file.
      const beside = `${paths.network}.${randomBytes(6).toString("hex")}`;
      await writeFile(beside, `${name} ${address} ${await folderMark(paths)}`, { mode: 0o600 });
      await rename(beside, paths.network);
      return address;
    },
    enclosure: (owner, address, memoryMb) => enclosure(tools, limits.cpus, owner, address, memoryMb),
    view: ({ data, neutral }) => view({ data, isKnown: !existsSync(neutral) }),
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
        pageOutRunning: ({ uid }, signal) => pageOutRunning(controllers, networkName(uid), signal),
      },
    }),
    wasOutOfMemory: (owner) => countMemoryKills(controllers, networkName(owner.uid)) > 0,
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
