/**
 * Where a workspace runs. A driver knows processes, containers or pods; it knows no plans and no engines.
 * Every member can be repeated at any time, by any worker, after any crash.
 */

/** Everything a driver must bring about for one workspace. Plain data, so that it can be hashed and compared. */
export interface RunSpec {
  workspaceId: string;
  /** Small, unique, never reused; Unix user ids derive from it. */
  workspaceNumber: number;
  /** False: the process must not exist, its storage must. */
  run: boolean;
  /** Changing it makes a running workspace be stopped and started, even if nothing else changed. */
  generation: number;
  /** Program and arguments. `{{folder}}` and `{{port.NAME}}` are replaced here and in `env` and `files`. */
  command: readonly string[];
  /** The complete environment: nothing of the control plane's own is added. */
  env: Readonly<Record<string, string>>;
  /** Written below the workspace's folder before each start. Path relative, mode octal. */
  files: readonly { path: string; content: string; mode: number }[];
  /** Ports the workspace listens on, by name; the first is the one the gateway speaks to. */
  ports: readonly [string, ...string[]];
  memoryMb: number;
  /** How long a stop may take before the process is killed. */
  stopTimeoutMs: number;
}

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
  /** How the last process ended, where that is known. */
  exit?: { code: number | null; signal: string | null; at: Date };
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
  /** The newest output, at most `maxBytes`, oldest line first; empty where there is none. */
  logs(workspaceId: string, maxBytes: number): Promise<string>;
  /**
   * Calls back soon after a workspace of this host stops running. A hint for speed: the truth is `observe`.
   * Returns the function that ends the watch.
   */
  watch(onExit: (workspaceId: string) => void): () => void;
}

export type DriverFailureCode = "no_room" | "port_in_use" | "start_failed" | "stop_failed";

/** A driver could not do it; `message` is for the journal. */
export class DriverFailure extends Error {
  readonly code: DriverFailureCode;
  constructor(code: DriverFailureCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "DriverFailure";
    this.code = code;
  }
}
