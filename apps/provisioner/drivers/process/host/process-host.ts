/** What all actions on workspaces of this host need, created once. */
import { chmodSync, mkdirSync } from "node:fs";
import path from "node:path";
import type { Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { HostPlaces } from "../../container/launch-order.ts";
import { createPortAllocator, defaultPortRange, type PortAllocator, type PortRange } from "./allocate-ports.ts";
import { describeIsolation, type Isolation } from "./describe-isolation.ts";
import { openFreezing, type Freezing, type FreezingOptions } from "../freezing/freeze-workspace.ts";
import { createReadySignals, type ReadySignals } from "../running/ready-signals.ts";
import { createExitWatch, type ExitWatch } from "../running/exit-watch.ts";
import { claimFirstUid } from "./first-uid.ts";
import { findHostTools, type HostTools } from "./host-tools.ts";
import { boundOutput } from "../running/output-log.ts";
import { createProcessorShares, type ProcessorShares } from "./processor-shares.ts";
import type { Owner } from "./run-program.ts";
import { usualNetworkPolicy } from "../sandbox/network/firewall.ts";
import { openSandbox, type Sandbox, type SandboxLimits } from "../sandbox/sandbox.ts";
import { findSandboxTools } from "../sandbox/sandbox-tools.ts";
import type { Readable } from "../sandbox/view.ts";
import type { Started } from "../running/start-process.ts";
import { workspacePaths, type WorkspacePaths } from "../storage/workspace-paths.ts";

export interface ProcessDriverOptions {
  /** Holds one folder per workspace; created with mode 0711 if missing. */
  workspacesDir: string;
  log: Log;
  clock: Clock;
  /** The engines and Node, which a spec may name. Determines, with the next, whether workspaces can have separate users. */
  places?: HostPlaces;
  /** What else workspaces must be able to read. */
  readablePaths?: readonly string[];
  /** What one workspace may use of this host in addition to its memory; enforced where there are sandboxes. */
  limits?: SandboxLimits;
  /** Added to a workspace's number to make its user id; chosen once per installation if absent. */
  firstUid?: number;
  portRange?: PortRange;
  /** MB that the host's disk keeps free: with less, no workspace is launched. 1024 by default. */
  floorMb?: number;
  /** Where the memory of frozen workspaces may go. */
  freezing?: FreezingOptions;
  /** Bytes per log file; there are three. 4 MB by default. */
  maxLogBytes?: number;
}

export interface ProcessHost {
  workspacesDir: string;
  log: Log;
  clock: Clock;
  isolation: Isolation;
  /** Present if this host can isolate workspaces. */
  sandbox: Sandbox | undefined;
  /** What specs mean on this host. */
  places: HostPlaces | undefined;
  tools: HostTools;
  ports: PortAllocator;
  exits: ExitWatch;
  /** Children of this process; others are known only by their records. */
  children: Map<string, Started>;
  /** Distributes processor time, if it is limited. */
  shares: ProcessorShares | undefined;
  freezing: Freezing;
  /** Reports of starting workspaces that they are ready. */
  ready: ReadySignals;
  paths(workspaceId: string): WorkspacePaths;
  /** The workspace's own user, if it has one. */
  owner(workspaceNumber: number): Owner | undefined;
  boundOutput(workspaceId: string): Promise<void>;
  /** MB that must stay free on the disk with the folder of workspaces. */
  floorMb: number;
}

const defaultFloorMb = 1024;
const defaultMaxLogBytes = 4 * 1024 * 1024;
/** A database after a year of use takes a few hundred megabytes; half of the smallest server is left for the others. */
const defaultLimits: SandboxLimits = { cpus: 1, diskMb: 5_120, network: usualNetworkPolicy };

/** Creates the folder of workspaces and finds out what this host can do. */
export function openProcessHost(options: ProcessDriverOptions): ProcessHost {
  const { log, clock, maxLogBytes = defaultMaxLogBytes } = options;
  const workspacesDir = path.resolve(options.workspacesDir);
  // Other users may pass through to their own files, but not list the folder; a strict umask must not prevent that.
  if (mkdirSync(workspacesDir, { recursive: true }) !== undefined) chmodSync(workspacesDir, 0o711);
  const { places, readablePaths = [], limits = defaultLimits } = options;
  const floorMb = options.floorMb ?? defaultFloorMb;
  const { isolation, sandbox } = isolate(workspacesDir, { places, paths: readablePaths }, limits, floorMb, log);
  const firstUid = isolation.hasUsers ? (options.firstUid ?? claimFirstUid(workspacesDir)) : undefined;
  const paths = (workspaceId: string): WorkspacePaths => workspacePaths(workspacesDir, workspaceId);
  const bound = onceAtATime(async (workspaceId) => {
    // A log that cannot be truncated now is truncated at the next look, and must not make a running workspace look broken.
    await boundOutput(paths(workspaceId), maxLogBytes).catch((err: unknown) =>
      log.warn({ err, workspaceId }, "a workspace's log could not be truncated"),
    );
  });
  const shares =
    sandbox && createProcessorShares({ cpus: limits.cpus, now: () => clock.now(), used: sandbox.processorSeconds, hold: sandbox.hold });
  return {
    workspacesDir,
    log,
    clock,
    isolation,
    sandbox,
    places,
    shares,
    freezing: openFreezing(options.freezing ?? {}, lackOfFreezer(isolation, sandbox)),
    ready: createReadySignals((workspaceId) => paths(workspaceId).ready),
    paths,
    boundOutput: bound,
    tools: findHostTools(),
    ports: createPortAllocator(workspacesDir, options.portRange ?? defaultPortRange),
    exits: createExitWatch(log, async (workspaceId, record) => {
      await bound(workspaceId);
      const { pid, uid, sandboxed, startedAt } = record;
      if (sandboxed && uid !== undefined) await shares?.look(workspaceId, { pid, uid, startedAt: new Date(startedAt) });
    }),
    children: new Map(),
    floorMb,
    owner: (number) => (firstUid === undefined ? undefined : { uid: firstUid + number, gid: firstUid + number }),
  };
}

/** A host that has all the tools can still refuse to isolate: then workspaces only get separate users. */
function isolate(
  workspacesDir: string,
  readable: Readable,
  limits: SandboxLimits,
  floorMb: number,
  log: Log,
): Pick<ProcessHost, "isolation" | "sandbox"> {
  const isolation = describeIsolation([workspacesDir, ...Object.values(readable.places ?? {}), ...readable.paths]);
  const { tools } = isolation.isolated ? findSandboxTools() : {};
  if (tools === undefined) return { isolation, sandbox: undefined };
  try {
    return { isolation, sandbox: openSandbox(tools, workspacesDir, readable, limits, floorMb, log) };
  } catch (error) {
    return { isolation: { isolated: false, hasUsers: true, reason: (error as Error).message }, sandbox: undefined };
  }
}

function lackOfFreezer(isolation: Isolation, sandbox: Sandbox | undefined): string | undefined {
  if (sandbox === undefined) return `only isolated workspaces can be frozen: ${isolation.reason}`;
  return sandbox.freezer ? undefined : 'the control group "freezer" cannot be written below /sys/fs/cgroup';
}

/** While the work for a key runs, further calls for it do nothing. */
function onceAtATime(work: (key: string) => Promise<void>): (key: string) => Promise<void> {
  const busy = new Set<string>();
  return async (key) => {
    if (busy.has(key)) return;
    busy.add(key);
    await work(key).finally(() => busy.delete(key));
  };
}
