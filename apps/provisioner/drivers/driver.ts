/**
 * Where a workspace runs. A driver knows processes, containers or pods; it knows no plans and no engines.
 * Every member can be repeated at any time, by any worker, after any crash.
 */
import type { Readable } from "node:stream";

/** Everything a driver must bring about for one workspace. Plain data, so that it can be hashed and compared. */
export interface RunSpec {
  workspaceId: string;
  /** Small, unique, never reused; Unix user ids derive from it. */
  workspaceNumber: number;
  /** False: the process must not exist, its storage must. */
  run: boolean;
  /** Changing it makes a running workspace be stopped and started, even if nothing else changed. */
  generation: number;
  /** Program and arguments. `{{folder}}`, `{{address}}` and `{{port.NAME}}` are replaced here and in `env` and `files`. */
  command: readonly string[];
  /** The complete environment: nothing of the control plane's own is added. */
  env: Readonly<Record<string, string>>;
  /** Written below the workspace's folder before each start. Path relative, mode octal. */
  files: readonly { path: string; content: string; mode: number }[];
  /** Must not be there when the process starts: removed, whatever it is, before the files are written. Relative paths. */
  absent?: readonly string[];
  /** Ports the workspace listens on at `{{address}}`, by name; the first is the one the gateway speaks to. */
  ports: readonly [string, ...string[]];
  memoryMb: number;
  /** How long a stop may take before the process is killed. */
  stopTimeoutMs: number;
}

/** Whose storage is meant. */
export type StoragePlace = Pick<RunSpec, "workspaceId" | "workspaceNumber">;

export type RunState = "absent" | "stopped" | "running";

/** What the driver sees now, never what it remembers having done. */
export interface RunObservation {
  state: RunState;
  /** Hash of the RunSpec the running process was started from. */
  specHash?: string;
  /** `generation` of that spec. */
  generation?: number;
  /** host:port of the first port, while running. */
  address?: string;
  startedAt?: Date;
  /** While running: what it stores on takes no more writes, since an error or a full disk of the host. Stopped and started again it is repaired. */
  readOnly?: true;
  /** How the last process ended, where that is known. */
  exit?: {
    code: number | null;
    signal: string | null;
    at: Date;
    /** The system ended it at its memory limit, where the driver can know that. */
    outOfMemory?: boolean;
  };
}

/** What a running workspace uses now. */
export interface RunUsage {
  /** Resident memory of all of its processes. */
  memoryMb: number;
}

/** Something that all workspaces of the host rely on, and that is not as it should be. */
export interface HostTrouble {
  kind: "network" | "name servers" | "room" | "bounds";
  /** For the operator. */
  detail: string;
}

export interface Driver {
  readonly name: string;
  /**
   * Brings the workspace to the spec: creates its folder, stops a process of another spec, starts or stops.
   * Returns what it then sees. Throws DriverFailure.
   */
  ensure(spec: RunSpec): Promise<RunObservation>;
  observe(workspaceId: string): Promise<RunObservation>;
  /** Ends the process and deletes everything the workspace stored. Missing things are fine. */
  remove(workspaceId: string): Promise<void>;
  /** Looks whether the host still is as workspaces need it, mends what it can, and tells the rest. Absent where there is nothing to hold. */
  holdHost?(): Promise<HostTrouble[]>;
  /** The workspace answers: whatever the driver gave it for its start may end. */
  endStart?(workspaceId: string): void;
  /** What those of these workspaces use that run on this host; absent where the driver cannot tell. */
  usage?(workspaceIds: readonly string[]): Promise<Map<string, RunUsage>>;
  /**
   * The named files and folders below `{{folder}}` as a tar stream, whether it runs or not; missing ones are left out. Read with the
   * workspace's own rights, links as links: a stream to be distrusted. It fails where reading does; destroying it ends the reading.
   * Files that the workspace itself may not read are left out, and `unread` is told of them.
   */
  readStorage(place: StoragePlace, paths: readonly string[], unread?: (name: string) => void): Promise<Readable>;
  /**
   * Puts what a tar stream holds in place of the named files and folders: of these, what it does not hold is gone afterwards. Nothing is
   * touched before the stream has ended well. Refuses while the workspace runs. `bytes`: as much as it holds, where that is known. Throws DriverFailure.
   */
  replaceStorage(place: StoragePlace, paths: readonly string[], archive: Readable, bytes?: number): Promise<void>;
  /** Whether `replaceStorage` would find room for so many bytes; without them, for as many as are stored now. Absent where the driver cannot tell. */
  hasRoomToReplace?(place: StoragePlace, bytes?: number): Promise<boolean>;
  /** The newest output, at most `maxBytes`, oldest line first; empty where there is none. */
  logs(workspaceId: string, maxBytes: number): Promise<string>;
  /**
   * Calls back soon after a workspace of this host stops running. A hint for speed: the truth is `observe`.
   * Returns the function that ends the watch.
   */
  watch(onExit: (workspaceId: string) => void): () => void;
  /** Stops every running workspace and keeps what they stored: for a person who ends the program. Absent where workspaces end with the program. */
  stopAll?(): Promise<void>;
}

export type DriverFailureCode = "no_room" | "port_in_use" | "start_failed" | "stop_failed" | "storage_failed" | "storage_too_large";

/** A driver could not do it; `message` is for the journal. */
export class DriverFailure extends Error {
  readonly code: DriverFailureCode;
  constructor(code: DriverFailureCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "DriverFailure";
    this.code = code;
  }
}
