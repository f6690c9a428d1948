/**
 * Where a workspace runs. A driver knows processes, containers or pods, but no plans and no engines. Every member can be repeated at any
 * time, by any worker, after any crash.
 */
import type { Readable } from "node:stream";
import type { NewOutput } from "./new-output.ts";

/** Everything a driver must bring about for one workspace. Plain data, so that it can be hashed and compared. */
export interface RunSpec {
  workspaceId: string;
  /** Small, unique, never reused; Unix user ids derive from it. */
  workspaceNumber: number;
  /** False: the process must not exist, its storage must. */
  run: boolean;
  /** Changing it restarts a running workspace, even if nothing else changed. */
  generation: number;
  /**
   * Program and arguments. `{{folder}}`, `{{address}}`, `{{port.NAME}}` and `{{ready}}` are replaced here and in `env` and `files`. The
   * last is the file descriptor that the workspace writes to when its start is over, or nothing if the driver would not hear it.
   */
  command: readonly string[];
  /** The complete environment: nothing of the control plane's environment is added. */
  env: Readonly<Record<string, string>>;
  /** Written below the workspace's folder before each start. Path relative, mode octal. */
  files: readonly { path: string; content: string; mode: number }[];
  /** Paths that must not exist when the process starts: anything there is removed before the files are written. Relative paths. */
  absent?: readonly string[];
  /** Ports the workspace listens on at `{{address}}`, by name; the gateway uses the first. */
  ports: readonly [string, ...string[]];
  memoryMb: number;
  /** How long a stop may take before the process is killed. */
  stopTimeoutMs: number;
  /**
   * The image with the tool, for drivers that run images: name and tag without a registry, such as `n8n:2.40.7-0a1b2c3d4e5f`. Others run
   * the program in `command`.
   */
  image?: string;
}

/** Identifies a workspace's storage. */
export type StoragePlace = Pick<RunSpec, "workspaceId" | "workspaceNumber">;

type RunState = "absent" | "stopped" | "running";

/** `image`: its image cannot be pulled. `memory`: no node has as much free. `node`: anything else of a node, such as a volume. */
export type Missing = "image" | "memory" | "node";

/** What the driver sees now, never what it remembers. */
export interface RunObservation {
  state: RunState;
  /** Hash of the RunSpec the running process was started from. */
  specHash?: string;
  /** `generation` of that spec. */
  generation?: number;
  /**
   * Where the first port can be reached while it runs, in the format of `platform/lines/open-line.ts`: `host:port`, preceded by the mark of
   * its key if another workspace may have the address later. Absent while it waits to run.
   */
  address?: string;
  /** Without an address: what it waits for, such as room in a cluster, for the operator. It is not a failure. */
  waitsFor?: string;
  /** Beside `waitsFor`: the sort of thing that is missing; `node` by default. */
  missing?: Missing;
  /**
   * Beside `waitsFor`: why it will never get that, for example because it was made under settings that have since been corrected. `ensure`
   * recreates it.
   */
  stranded?: string;
  startedAt?: Date;
  /** While running: its storage takes no more writes because of an error or a full host disk. A restart repairs it. */
  readOnly?: true;
  /** While running: its processes are stopped in place and their memory is paged out, until `thaw` or a stop. */
  frozen?: true;
  /** How the last process ended, if known. Code and signal are both null where only the time is known. */
  exit?: {
    code: number | null;
    signal: string | null;
    at: Date;
    /** The system killed it at its memory limit, if the driver can tell. */
    outOfMemory?: boolean;
    /** Its platform was asked to end it: by a stop, or by an operator who frees its node. Only where the platform says so. */
    requested?: true;
  };
  /** Its last process was started before the host was restarted. Absent if the driver cannot tell, or knows how that process ended. */
  endedWithHost?: true;
}

/** Whether a starting workspace has reported that it is ready. Only a reason to look now, never a proof. */
export interface ReadySignal {
  /** It has reported so, or this driver cannot hear it: ask the workspace itself. */
  readonly heard: boolean;
  /** Resolves once `heard` is true. Never rejects; stays pending if nothing is reported. */
  readonly told: Promise<void>;
}

/** What a running workspace uses now. */
export interface RunUsage {
  /** Resident memory of all of its processes. */
  memoryMb: number;
  /** Processor seconds used since its start; absent if the driver cannot tell. */
  cpuSeconds?: number;
  /** How busy it was recently, in percent of one processor, if the driver is told this instead of `cpuSeconds`. */
  cpuPercent?: number;
  /** How much of its storage its files use, in MB; absent if the driver cannot tell without reading all of them. */
  diskMb?: number;
  /** Memory of its processes that is paged out, in MB before compression; absent if there is none. */
  swappedMb?: number;
  /**
   * How much of the host's memory those pages use, compressed; absent if they are on a disk. The host knows this only for all workspaces
   * together, so each has the average.
   */
  compressedMb?: number;
}

/** Something that all workspaces of the host depend on is not in order. */
export interface HostTrouble {
  kind: "network" | "name servers" | "room" | "bounds" | "container service" | "cluster";
  /** For the operator. */
  detail: string;
}

export interface Driver {
  readonly name: string;
  /** A start is work for other machines, and here only a wait. */
  readonly startsElsewhere?: true;
  /** Workspaces run from images: releases are not installed on this host. */
  readonly runsImages?: true;
  /**
   * Brings the workspace to the spec: creates its folder, stops a process of another spec, starts or stops.
   * Returns what it then sees. Throws DriverFailure.
   */
  ensure(spec: RunSpec): Promise<RunObservation>;
  observe(workspaceId: string): Promise<RunObservation>;
  /**
   * Ids of all workspaces that run on this host, in one look that is cheap for thousands; from then on `watch` covers each of them. One
   * that cannot be read counts as running.
   */
  listRunning(): Promise<Set<string>>;
  /** Ids of all workspaces whose files are on this host, in one look. Absent if workspaces do not belong to a single host. */
  listStored?(): Promise<string[]>;
  /**
   * The numbers of the workspaces whose files are on this host, by id, in one look. Absent if none of them has a user of this host, so that
   * two with one number could not reach each other.
   */
  listNumbers?(): Promise<Map<string, number>>;
  /**
   * Stops every process of a running workspace in place and pages its memory out. Its address still accepts connections, which are answered
   * after the thaw. Does nothing if the workspace is not running. `ensure` leaves a frozen workspace frozen, but thaws it for a clean stop.
   * With `until`, it resolves as soon as they stand still: the page-out, which may queue behind other workspaces', follows.
   * Absent if this host cannot freeze; then `cannotFreeze` says why. Throws DriverFailure `freeze_failed`, and then the workspace runs.
   */
  freeze?(workspaceId: string, until?: "frozen"): Promise<RunObservation>;
  /** Lets a frozen workspace run again, without waiting for any page-out: its own ends. Does nothing for any other. Throws DriverFailure `freeze_failed`. */
  thaw?(workspaceId: string): Promise<RunObservation>;
  /**
   * Pages out the memory of a running workspace without stopping it: the pages it uses afterwards come back, one by one. Later, no more of
   * its pages go to swap. Takes at most a few seconds, even for a workspace that uses all of its memory. Does nothing if it is not running
   * or is frozen. Absent if `freeze` is. Throws DriverFailure `freeze_failed`; the workspace then still runs.
   */
  pageOut?(workspaceId: string): Promise<void>;
  /** Where the memory of frozen workspaces goes, for the operator: "zram", for example. Absent if the driver cannot tell. */
  readonly freezesTo?: string;
  /** Why `freeze` is absent, as a sentence for the operator. */
  readonly cannotFreeze?: string;
  /**
   * Makes the running process one of this spec, without a restart: from now on, it is observed as if it had been started from the spec at
   * this moment, and its earlier output is gone. The caller has already changed the process to match the spec; limits and ports must be
   * those it was started with. Throws DriverFailure `start_failed` if it does not run. Absent if the driver cannot.
   */
  reassign?(spec: RunSpec): Promise<RunObservation>;
  /**
   * Whether this host's memory, or its space for paged-out memory, is nearly used up: then sleeping workspaces are stopped, and without
   * memory starts and thaws wait for a moment. Cheap: called several times a second. Absent if the driver cannot tell.
   */
  shortOf?(): "memory" | "swap" | undefined;
  /**
   * Ends every process of a workspace that another host has now, and keeps its data. Does nothing if none runs. Absent if workspaces do not
   * belong to a single host. Throws DriverFailure.
   */
  end?(workspaceId: string): Promise<void>;
  /** Ends the process and deletes all of the workspace's data. Does nothing if there is none. */
  remove(workspaceId: string): Promise<void>;
  /**
   * Brings these images, as named in specs, to where workspaces run and keeps them there, instead of those of an earlier call. Does not
   * wait for them. Absent if the driver runs no images.
   */
  keepImages?(images: readonly string[]): Promise<void>;
  /**
   * Resolves once a workspace could be started from this image where workspaces run; it is pulled for that. Throws DriverFailure `no_image`
   * if it cannot be pulled; any other error says nothing about it. Absent if the driver runs no images.
   */
  proveImage?(image: string, signal: AbortSignal): Promise<void>;
  /**
   * Checks that the host still meets the workspaces' needs, repairs what it can, and returns the remaining problems. Absent if there is
   * nothing to check.
   */
  holdHost?(): Promise<HostTrouble[]>;
  /**
   * From now on, notices when the running workspace writes to `{{ready}}`, even if it has done so since its start, or was started by an
   * earlier control plane. It is read once for each start, so anything else it writes there costs nothing. Ends with `endStart` and with
   * the process. Absent if the driver cannot.
   */
  readySignal?(workspaceId: string): ReadySignal;
  /** The workspace has answered, so its extra resources for the start may end. */
  endStart?(workspaceId: string): void;
  /** What each of these workspaces that runs on this host uses now; absent if the driver cannot tell. */
  usage?(workspaceIds: readonly string[]): Promise<Map<string, RunUsage>>;
  /**
   * The named files and folders below `{{folder}}` as a tar stream, from a running or stopped workspace; missing ones are left out. Read
   * with the workspace's own rights, and links as links: do not trust the stream. It fails if reading fails; destroying it ends the
   * reading. Files that the workspace itself may not read are left out and reported to `unread`.
   */
  readStorage(place: StoragePlace, paths: readonly string[], unread?: (name: string) => void): Promise<Readable>;
  /**
   * Replaces the named files and folders with those in a tar stream; those missing from it are removed. Nothing is touched before the
   * stream has ended without error. Refuses while the workspace runs. `bytes` is the size of the contents, if known. Throws DriverFailure.
   */
  replaceStorage(place: StoragePlace, paths: readonly string[], archive: Readable, bytes?: number): Promise<void>;
  /** Whether `replaceStorage` has room for so many bytes, by default for as many as are stored now. Absent if the driver cannot tell. */
  hasRoomToReplace?(place: StoragePlace, bytes?: number): Promise<boolean>;
  /** The newest output, at most `maxBytes`, oldest line first; empty if there is none. */
  logs(workspaceId: string, maxBytes: number): Promise<string>;
  /**
   * Like `readNewOutput`, without reading again what was read before; cheap enough to be called every second. Absent if the driver cannot:
   * then everything is read again.
   */
  newLogs?(workspaceId: string, mark: string | null, maxBytes: number): Promise<NewOutput>;
  /**
   * Calls back soon after a workspace of this host stops running. Only a hint for speed: `observe` tells the truth. Returns the function
   * that ends the watch.
   */
  watch(onExit: (workspaceId: string) => void): () => void;
  /** Stops every running workspace and keeps its data, for when a person ends the program. Absent if workspaces end with the program. */
  stopAll?(): Promise<void>;
}

export type DriverFailureCode =
  | "no_room"
  | "no_image"
  | "freeze_failed"
  | "port_in_use"
  | "start_failed"
  | "stop_failed"
  | "storage_failed"
  | "storage_too_large";

/** The driver could not do its work; `message` is for the journal. */
export class DriverFailure extends Error {
  readonly code: DriverFailureCode;
  constructor(code: DriverFailureCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "DriverFailure";
    this.code = code;
  }
}

/** Another workspace of this host has the number, so both would have one user: neither is touched. */
export const numberTaken = (number: number, workspaceId: string): DriverFailure =>
  new DriverFailure(
    "storage_failed",
    `its number ${number} is that of the workspace ${workspaceId} on this host, whose files it could read`,
  );
