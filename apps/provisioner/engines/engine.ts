/** What runs in a workspace. An engine knows its tool; it knows no processes, containers, ports or plans. */
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import type { CatalogueNode } from "#domain/node-catalogue/catalogue.ts";
import type { RunSpec } from "../drivers/driver.ts";

/** A release this repository has qualified: its folder holds package.json, package-lock.json and release.json. */
export interface EngineRelease {
  engine: EngineName;
  version: string;
  /** Absolute path of the folder in this repository. */
  folder: string;
  releasedAt: string;
  /** Number of packages in the lock file, for measuring install progress. */
  packages: number;
  /** `stable`: its minor version had a successor when it was qualified. */
  channel: "stable" | "newest";
  /** Number of migrations in its database; 0 if the engine has no database that changes. */
  migrations?: number;
  /** Address of the release notes. */
  notes?: string | undefined;
}

/** What an engine needs to know of a workspace to say how to run it. */
export interface EngineWorkspace {
  id: string;
  number: number;
  generation: number;
  run: boolean;
  timezone: string;
  /** How many executions are kept, and for how long (null: the engine's default); the tool's own defaults if absent. */
  executions?: { keep: number; maxAgeHours: number | null };
  memoryMb: number;
  /** The plan's labels, and whether it includes the tool's licence; absent without a plan. */
  features?: { enabledFeatures: string[]; n8nLicense?: boolean };
  /** The address customers use, without a trailing slash: http://acme.localhost:3000 */
  publicUrl: string;
  /** The panel's address, without a trailing slash. */
  panelUrl: string;
  /** What `createSecrets` made for this workspace. */
  secrets: Readonly<Record<string, string>>;
}

export interface EngineOwner {
  email: string;
  fullName: string;
}

/** A person in the tool other than its owner. */
export interface EngineMember {
  id: string;
  /** Lowercase. */
  email: string;
  /** False while only invited. */
  joined: boolean;
  /** In the tool's own words: "admin" and "member" are known to the panel. */
  role?: string | undefined;
  name?: string | undefined;
}

/** The people in the tool's own user management. Each call may be repeated. They throw EngineRefusal when the tool refuses. */
export interface EngineMembers {
  /** Invites a person. `acceptPath`, below the workspace's address, is where they join; null: they have joined already. */
  invite(address: string, workspaceId: string, email: string): Promise<{ memberId: string; acceptPath: string | null }>;
  /** Revokes the invitation; false: they have joined, and stay. */
  revoke(address: string, workspaceId: string, email: string): Promise<boolean>;
  list(address: string, workspaceId: string): Promise<EngineMember[]>;
}

/** Packages that owners add to the tool themselves. */
export interface EngineCommunityNodes {
  /** `isOffered` is false in a workspace that has none, even if others have some. */
  list(
    address: string,
    workspaceId: string,
  ): Promise<{ isOffered: boolean; nodes: { name: string; version: string; isHeldBack: boolean }[] }>;
}

/** What the tool may know of its owner, to greet them accordingly. */
export interface EngineProfile {
  username: string;
  selectedApps: readonly string[];
  /** Answers to the sign-up's surveys, by the contract's names. */
  answers: Readonly<Record<string, unknown>>;
}

/** What the owner has bought, as the tool shows and enforces it. -1 is unlimited. */
export interface EnginePlan {
  /** Identifies this exact plan: compared with `EngineUsage.plan` to see whether the tool knows it. */
  fingerprint: string;
  /** The id in the catalogue, such as "pro-1". */
  id: string;
  displayName: string;
  group: string;
  slug: string;
  status: "active" | "trialing" | "paused" | "past_due" | "deleted";
  /** End of the trial, or of a plan that ends; null: no end. */
  expiresAt: Date | null;
  trialDays: number;
  /** Executions in a usage period; workflows active at once; people, the owner included. */
  limits: { executions: number; activeWorkflows: number; credentials: number; users: number };
  /** Starts of usage periods, oldest first: this one and later ones, so that the tool can begin them without being told. */
  periodStarts: readonly Date[];
  /**
   * Executions of the first of these periods as the control plane counts them, and how many of them each epoch of the tool's own counters
   * had.
   */
  counted: { executions: number; epochs: Readonly<Record<string, number>> };
  /** Where the owner chooses a plan: a page of the panel. */
  changePlanPath: string;
  /** Whether the owner has confirmed their e-mail address. */
  isConfirmed: boolean;
}

/** Executions that count toward the plan, in one usage period, on one day. Only ever grows within its epoch. */
export interface EngineUsageCounter {
  /** One life of the tool's counters: a later one begins at zero, even if the earlier one's files were lost. */
  epoch: string;
  /** Start of the usage period, as set by `setPlan`; null: the tool has not been told yet. */
  periodStart: Date | null;
  /** UTC, YYYY-MM-DD. */
  date: string;
  executions: number;
  failed: number;
}

/** What the tool reports. It may lie: it runs beside its customer's code. */
export interface EngineUsage {
  /** Fingerprint of the plan that the tool enforces; null: none. */
  plan: string | null;
  /** Executions in this usage period: what the tool was told plus what it has counted since. */
  executions: number;
  activeWorkflows: number;
  /** Counters of at least the last 8 days, as totals: repeating one does not count it again. */
  counters: EngineUsageCounter[];
  /** Null if the tool has none. */
  statistics: EngineStatistics | null;
  /** Absent if there are none. */
  requests?: readonly EngineRequest[];
}

/** A request from the tool's editor that only the control plane can fulfil. It is repeated until `requestsDone`. */
export type EngineRequest =
  | { id: string; kind: "confirmation-mail" }
  | { id: string; kind: "event"; name: string }
  /** A user of the tool forgot their password. `path`, below the workspace's address, is where they choose another. */
  | { id: string; kind: "password-mail"; email: string; path: string }
  /** A person was invited in the tool itself. */
  | { id: string; kind: "invitation"; email: string }
  /** The tool was started without the nodes that its owner added ("name version" each), because two starts with them failed. */
  | { id: string; kind: "nodes-held-back"; nodes: string[] };

/** The tool's own statistics, independent of the counters above. */
export interface EngineStatistics {
  /** One life of the tool's process: the figures are comparable only within it. */
  life: string;
  /** All executions ever that count toward the plan and succeeded. */
  succeeded: number;
  /** Executions that have started and not ended, read before `succeeded`. */
  unfinished: number;
}

/** What a workspace says about sleep. It may lie. */
export interface EngineRest {
  /** Nothing happens in it unless it is called: no schedule, poller or open connection waits in its memory, and no execution runs. */
  sleepable: boolean;
  /** When its next waiting execution resumes, by the machine's clock; null: none does without a call. */
  due: Date | null;
}

/** Sleep of workspaces: their processes are frozen while nothing happens in them. */
export interface EngineSleep {
  ask(address: string, workspaceId: string): Promise<EngineRest>;
  /**
   * Paths that monitors call, with query. They neither keep a workspace awake nor wake it: the gateway answers 200 for one that sleeps.
   * Without stateful flags.
   */
  readonly monitored: RegExp;
  /** Paths that scanners call and no workspace of this tool has. The same, with 404. */
  readonly absent: RegExp;
}

/** How the gateway recognizes from an answer that an execution has begun. Uncertain cases are not counted. */
export interface EngineExecutionSign {
  /** Matches path and query, as sent. Without stateful flags. */
  path: RegExp;
  /** A header, in lower case, that the tool sets and that its workflows cannot. */
  header: string;
  /** The exact value of that header. */
  value: string;
}

/**
 * Which files of a workspace a backup contains, and how they are copied while the tool writes. All paths are below the workspace's folder.
 */
export interface EngineBackups {
  /** Files and folders that a restore replaces. The tool's counts for the control plane are not among them. */
  readonly contents: readonly string[];
  /** Those of `contents` that are never copied: a restore deletes them, and the tool recreates them. */
  readonly remade: readonly string[];
  /**
   * Has the running tool write a consistent copy while it keeps running. Returns where the copy of each content is; null for contents that
   * must not be copied beside them. Contents that are not named are read directly. May be repeated; `name` is of letters, digits and
   * dashes.
   */
  freeze(address: string, workspaceId: string, name: string): Promise<ReadonlyMap<string, string | null>>;
  /** Deletes the copies. */
  thaw(address: string, workspaceId: string, name: string): Promise<void>;
  /** Those of `contents` that must be inspected before a backup counts as one. */
  readonly inspected: readonly string[];
  /**
   * Source of a program that inspects a copy, in TypeScript that Node runs without any other package. Its argument is a folder with
   * `inspected` in it. It prints `{"workflows":1,"credentials":2,"executions":3}`, or exits with a code other than 0 and an error. It reads
   * files that a tenant made, so it runs in a separate process with no rights beyond that folder.
   */
  readonly inspector: string;
}

/** A file of an export, as another copy of the tool imports it. */
export interface EngineExportFile {
  kind: "workflow" | "credentials";
  /** Path within the export; letters, digits, dots and dashes, with folders. */
  path: string;
  content: string;
  /** How many items of its kind are in it. */
  count: number;
}

/** What people made, in files of the tool's own format. */
export interface EngineExports {
  /**
   * Reads the export from the running tool. With a key (32 bytes, base64), it includes credentials: the tool itself encrypts them, so that
   * nothing else sees them. Rejects if the tool stops before the end.
   */
  read(address: string, workspaceId: string, credentialsKey: string | null): AsyncIterable<EngineExportFile>;
  /** Files that explain how to import it elsewhere; `scrypt` says how the key was derived from the passphrase, if there are credentials. */
  companions(scrypt: { salt: string; N: number; r: number; p: number } | null): { path: string; content: string }[];
}

export interface EngineHealth {
  ready: boolean;
  /** For the journal, when not ready. */
  detail?: string;
}

/** A sign-in code as a workspace wrote it; do not trust it before `isSignedWith`. */
export interface EngineLoginCode {
  workspaceId: string;
  /** Chosen by the workspace; used once. */
  id: string;
  /** By the machine's clock, which the workspace shares. */
  ageMs: number;
  /** Whether the key of the workspace with these secrets signed it. */
  isSignedWith(secrets: Readonly<Record<string, string>>): boolean;
}

export interface Engine {
  readonly name: EngineName;
  readonly displayName: string;
  /** Newest first. */
  readonly releases: readonly EngineRelease[];
  /**
   * Installs the release where every workspace of this host can read it. Cheap if it is installed already; safe to call twice at the same
   * time, in one process or in two. `signal` aborts it. Throws EngineInstallFailure; nothing half-installed is left in place.
   */
  install(version: string, onProgress: (percent: number) => void, signal?: AbortSignal): Promise<void>;
  /**
   * Makes what all starts of an installed release share on this host: they start without it as well, only slower. Cheap if it is there;
   * safe to call twice at the same time. Rejects if it cannot be made; nothing half-made is left. Absent if starts share nothing.
   */
  prepare?(version: string, signal?: AbortSignal): Promise<void>;
  /** Whether `install` has finished on this host. */
  isInstalled(version: string): Promise<boolean>;
  /** Made once per workspace and kept encrypted by the control plane. */
  createSecrets(): Record<string, string>;
  /** What a driver must bring about. */
  runSpec(workspace: EngineWorkspace, version: string): RunSpec;
  /** Asks the process itself, not through the gateway. Never throws: any error is "not ready". */
  health(address: string): Promise<EngineHealth>;
  /** The path that answers 200 when all is well, for the check through the gateway. */
  readonly healthPath: string;
  /** Absent if workspaces of this tool must not sleep. */
  readonly sleep?: EngineSleep;
  /** Absent if answers do not show whether an execution began. */
  readonly executionSign?: EngineExecutionSign;
  /** Creates the tool's owner. Repeating it with the same owner does nothing. */
  setUpOwner(address: string, workspaceId: string, owner: EngineOwner): Promise<void>;
  /** Tells the tool about its owner, replacing what it knew. The tool keeps it across restarts. */
  setProfile(address: string, workspaceId: string, profile: EngineProfile): Promise<void>;
  /** Gives the tool's owner this e-mail address and name. Throws EngineRefusal if another user of the tool has the address. */
  updateOwner?(address: string, workspaceId: string, owner: EngineOwner): Promise<void>;
  /** Tells the tool its owner's plan, replacing the previous one. The tool enforces it immediately and keeps it across restarts. */
  setPlan?(address: string, workspaceId: string, plan: EnginePlan): Promise<void>;
  /** Reads the usage. Reading changes nothing, so it can be repeated after any crash. */
  readUsage?(address: string, workspaceId: string): Promise<EngineUsage>;
  /** Completes requests that `readUsage` returned. */
  requestsDone?(address: string, workspaceId: string, ids: readonly string[]): Promise<void>;
  /** The nodes of an installed release, read from its own files; rejects if there are none. */
  readCatalogue(version: string): Promise<CatalogueNode[]>;
  /** Path and query, below the workspace's address, that sign its owner in: single use, valid for 60 s, for this workspace only. */
  loginPath(workspaceId: string, landingPath: string): string;
  /** The code, if workspaces of this engine write such codes for their owners. */
  readLoginCode(code: string): EngineLoginCode | null;
  /** Absent if the tool has no users other than its owner. */
  readonly members?: EngineMembers;
  /** Absent if owners cannot add any. */
  readonly communityNodes?: EngineCommunityNodes;
  /** Absent if workspaces of the tool cannot be backed up. */
  readonly backups?: EngineBackups;
  /** Absent if the tool has no export. */
  readonly exports?: EngineExports;
}

/** The tool was reached and refused; `message` is its own reason. */
export class EngineRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = "EngineRefusal";
  }
}

export type EngineInstallFailureCode = "registry_unreachable" | "no_room" | "compile_failed" | "not_identical" | "failed";

/** An install failed; `message` has the reason, for the journal. */
export class EngineInstallFailure extends Error {
  readonly code: EngineInstallFailureCode;
  constructor(code: EngineInstallFailureCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "EngineInstallFailure";
    this.code = code;
  }
}
