/** What runs in a workspace. An engine knows its tool; it knows no processes, containers, ports or plans. */
import type { CatalogueNode } from "#domain/node-catalogue/catalogue.ts";
import type { RunSpec } from "../drivers/driver.ts";

/** A release this repository has qualified: its folder holds package.json, package-lock.json and release.json. */
export interface EngineRelease {
  engine: EngineName;
  version: string;
  /** Absolute path of the folder in this repository. */
  folder: string;
  releasedAt: string;
  /** Packages in the lock file; what install progress is measured against. */
  packages: number;
  /** `stable`: its minor version had a successor when it was qualified. */
  channel: "stable" | "newest";
  /** Migrations its database has behind it; 0 where the engine has no database that changes. */
  migrations?: number;
  /** Address of the release notes. */
  notes?: string | undefined;
}

/** Every engine by name; engine-list.ts says how each is made. */
export const engineNames = ["n8n", "node-red"] as const;
export type EngineName = (typeof engineNames)[number];

/** What an engine needs to know of a workspace to say how to run it. */
export interface EngineWorkspace {
  id: string;
  number: number;
  generation: number;
  run: boolean;
  timezone: string;
  /** How many executions are kept, and for how long (null: as long as the engine keeps them by default); the tool's own habit where absent. */
  executions?: { keep: number; maxAgeHours: number | null };
  memoryMb: number;
  /** The plan's labels, and whether it includes the licence of the tool; absent where there is no plan. */
  features?: { enabledFeatures: string[]; n8nLicense?: boolean };
  /** The address customers use, without a trailing slash: http://acme.localhost:3000 */
  publicUrl: string;
  /** Where the panel lives, without a trailing slash. */
  panelUrl: string;
  /** What `createSecrets` made for this workspace. */
  secrets: Readonly<Record<string, string>>;
}

export interface EngineOwner {
  email: string;
  fullName: string;
}

/** Somebody in the tool beside its owner. */
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

/** The people in the tool's own user management. Each call may be repeated. They throw EngineRefusal when the tool says no. */
export interface EngineMembers {
  /** Asks somebody in. `acceptPath`, below the workspace's address, is where they join; null: they have joined already. */
  invite(address: string, workspaceId: string, email: string): Promise<{ memberId: string; acceptPath: string | null }>;
  /** Takes the invitation back; false: they have joined, and stay. */
  revoke(address: string, workspaceId: string, email: string): Promise<boolean>;
  list(address: string, workspaceId: string): Promise<EngineMember[]>;
}

/** Packages that owners add to the tool themselves. */
export interface EngineCommunityNodes {
  /** `isOffered` is false in a workspace that has none, whatever the others have. */
  list(
    address: string,
    workspaceId: string,
  ): Promise<{ isOffered: boolean; nodes: { name: string; version: string; isHeldBack: boolean }[] }>;
}

/** What the tool may know of its owner, to greet them with what fits. */
export interface EngineProfile {
  username: string;
  selectedApps: readonly string[];
  /** Answers to the sign-up's surveys, by the contract's names. */
  answers: Readonly<Record<string, unknown>>;
}

/** What the owner has bought, as the tool shows it and holds its people to it. -1 is unlimited. */
export interface EnginePlan {
  /** Says whether the tool has heard of this very plan: compared with `EngineUsage.plan`. */
  fingerprint: string;
  /** Of the catalogue, such as "pro-1". */
  id: string;
  displayName: string;
  group: string;
  slug: string;
  status: "active" | "trialing" | "paused" | "past_due" | "deleted";
  /** End of the trial, or of the plan where it ends; null: it goes on. */
  expiresAt: Date | null;
  trialDays: number;
  /** Executions in a usage period; workflows active at once; people, the owner included. */
  limits: { executions: number; activeWorkflows: number; credentials: number; users: number };
  /** When usage periods begin, oldest first: this one and those to come, so that the tool starts anew by itself. */
  periodStarts: readonly Date[];
  /** Executions of the first of these periods by the control plane's count, and how many each epoch of the tool's own counters has to it. */
  counted: { executions: number; epochs: Readonly<Record<string, number>> };
  /** Where the owner chooses a plan: a page of the panel. */
  changePlanPath: string;
  /** Whether the owner has confirmed their e-mail address. */
  isConfirmed: boolean;
}

/** Executions that count toward the plan, in one usage period, on one day. Only ever grows within its epoch. */
export interface EngineUsageCounter {
  /** One life of the tool's counters: a later one begins at zero, whatever became of the files of the one before. */
  epoch: string;
  /** Start of the usage period, as told by `setPlan`; null: the tool was not told yet. */
  periodStart: Date | null;
  /** UTC, YYYY-MM-DD. */
  date: string;
  executions: number;
  failed: number;
}

/** What the tool says of itself. It may lie: it runs beside its customer's code. */
export interface EngineUsage {
  /** Fingerprint of the plan it goes by; null: none. */
  plan: string | null;
  /** Executions in this usage period, by what it was told and has seen since. */
  executions: number;
  activeWorkflows: number;
  /** Of the last 8 days at least, each as a whole: what is said again is not counted again. */
  counters: EngineUsageCounter[];
  /** Null: the tool has none. */
  statistics: EngineStatistics | null;
  /** Absent where there are none. */
  requests?: readonly EngineRequest[];
}

/** Something that a person asked for in the tool's editor, and that only the control plane can do. It comes again until `requestsDone`. */
export type EngineRequest =
  | { id: string; kind: "confirmation-mail" }
  | { id: string; kind: "event"; name: string }
  /** Somebody in the tool forgot their password. `path`, below the workspace's address, is where they choose another. */
  | { id: string; kind: "password-mail"; email: string; path: string }
  /** Somebody was invited in the tool itself. */
  | { id: string; kind: "invitation"; email: string }
  /** The tool was started without what its owner added to it, as "name version" each: two starts with it came to nothing. */
  | { id: string; kind: "nodes-held-back"; nodes: string[] };

/** The tool's own statistics, which the counters above have no part in. */
export interface EngineStatistics {
  /** One life of the tool's process: only within it do the figures grow by what runs. */
  life: string;
  /** Executions since ever that count toward the plan and ended well. */
  succeeded: number;
  /** Executions that have begun and not ended, read before `succeeded`. */
  unfinished: number;
}

/** By what the gateway sees in an answer that an execution has begun. What it can't tell for sure it does not count. */
export interface EngineExecutionSign {
  /** Of path and query, as sent. Without flags that keep a state. */
  path: RegExp;
  /** A header, in lower case, that the tool sets itself and that its workflows cannot. */
  header: string;
  /** Of that header, to the letter. */
  value: string;
}

/** What of a workspace's files is its people's, and how it is copied while the tool writes. All paths are below the workspace's folder. */
export interface EngineBackups {
  /** Files and folders that a restore replaces, all of them. What the tool counts for the control plane is not among them. */
  readonly contents: readonly string[];
  /** Of these, what is never copied: the tool makes it anew, and a restore takes it away so that it does. */
  readonly remade: readonly string[];
  /**
   * Has the running tool write a copy that is consistent while it goes on. Returns where copies stand of which contents; null for what
   * must not be copied beside them. Contents that are not named are read as they are. May be repeated; `name` is of letters, digits and dashes.
   */
  freeze(address: string, workspaceId: string, name: string): Promise<ReadonlyMap<string, string | null>>;
  /** Takes the copies away again. */
  thaw(address: string, workspaceId: string, name: string): Promise<void>;
  /** Of the contents, what has to be looked into before a backup counts as one. */
  readonly inspected: readonly string[];
  /**
   * Source, in TypeScript that runs as it is and needs nothing but Node, of a program that looks into a copy: it gets a folder with
   * `inspected` in it as its argument, and prints `{"workflows":1,"credentials":2,"executions":3}`, or ends with another code than 0 and says why.
   * It runs on files that a tenant made: in a process of its own, with no rights beyond that folder.
   */
  readonly inspector: string;
}

/** A file of an export, as another copy of the tool takes it in. */
export interface EngineExportFile {
  kind: "workflow" | "credentials";
  /** Below the export; of letters, digits, dots and dashes, in folders. */
  path: string;
  content: string;
  /** How many of its kind are in it. */
  count: number;
}

/** What people made, in files of the tool's own format. */
export interface EngineExports {
  /**
   * Read from the running tool. With a key (32 bytes, base64), credentials come too: the tool itself encrypts them, so that nobody else
   * sees one. Rejects where the tool breaks off before its end.
   */
  read(address: string, workspaceId: string, credentialsKey: string | null): AsyncIterable<EngineExportFile>;
  /** Files that say how to take it in elsewhere; `scrypt` says how the key was made of the passphrase, where there are credentials. */
  companions(scrypt: { salt: string; N: number; r: number; p: number } | null): { path: string; content: string }[];
}

export interface EngineHealth {
  ready: boolean;
  /** For the journal, when not ready. */
  detail?: string;
}

/** A sign-in code as a workspace wrote it; nothing of it is true before `isSignedWith` says so. */
export interface EngineLoginCode {
  workspaceId: string;
  /** Chosen by the workspace; used once. */
  id: string;
  /** By the machine's own clock, which is the workspace's too. */
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
   * Puts the release where every workspace of this host can read it. Cheap when it is there already; safe to
   * call twice at once, in one process or in two. `signal` ends it. Throws EngineInstallFailure; nothing half-installed is left in place.
   */
  install(version: string, onProgress: (percent: number) => void, signal?: AbortSignal): Promise<void>;
  /** Whether `install` has finished on this host. */
  isInstalled(version: string): Promise<boolean>;
  /** Made once per workspace and kept encrypted by the control plane. */
  createSecrets(): Record<string, string>;
  /** What a driver must bring about. */
  runSpec(workspace: EngineWorkspace, version: string): RunSpec;
  /** Asks the process itself, not through the gateway. Never throws: what goes wrong is "not ready". */
  health(address: string): Promise<EngineHealth>;
  /** The path that answers 200 when all is well, for the check through the gateway. */
  readonly healthPath: string;
  /** Absent where answers do not tell whether an execution began. */
  readonly executionSign?: EngineExecutionSign;
  /** Creates the tool's owner. Repeating it with the same owner does nothing. */
  setUpOwner(address: string, workspaceId: string, owner: EngineOwner): Promise<void>;
  /** Tells the tool about its owner, in place of what it was told before. It remembers that over restarts. */
  setProfile(address: string, workspaceId: string, profile: EngineProfile): Promise<void>;
  /** Gives the tool's owner this e-mail address and name. Throws EngineRefusal when somebody else there has the address. */
  updateOwner?(address: string, workspaceId: string, owner: EngineOwner): Promise<void>;
  /** Tells the tool its owner's plan, in place of what it was told before; it holds people to it at once, and remembers it over restarts. */
  setPlan?(address: string, workspaceId: string, plan: EnginePlan): Promise<void>;
  /** What was used. Asking changes nothing, so it can be asked again after any crash. */
  readUsage?(address: string, workspaceId: string): Promise<EngineUsage>;
  /** Ends requests that `readUsage` told of. */
  requestsDone?(address: string, workspaceId: string, ids: readonly string[]): Promise<void>;
  /** The nodes of an installed release, read from its own files; rejects where there are none. */
  readCatalogue(version: string): Promise<CatalogueNode[]>;
  /** Path and query, below the workspace's address, that signs its owner in: one use, 60 s, this workspace only. */
  loginPath(workspaceId: string, landingPath: string): string;
  /** The code, if it is of the kind that the workspaces of this engine write for their owners. */
  readLoginCode(code: string): EngineLoginCode | null;
  /** Absent where the tool has no users but its owner. */
  readonly members?: EngineMembers;
  /** Absent where owners may add none. */
  readonly communityNodes?: EngineCommunityNodes;
  /** Absent where workspaces of the tool cannot be backed up. */
  readonly backups?: EngineBackups;
  /** Absent where the tool gives nothing out in files. */
  readonly exports?: EngineExports;
}

/** The tool was reached and said no; `message` is its own reason. */
export class EngineRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = "EngineRefusal";
  }
}

export type EngineInstallFailureCode = "registry_unreachable" | "no_room" | "compile_failed" | "not_identical" | "failed";

/** An install did not succeed; `message` says why, for the journal. */
export class EngineInstallFailure extends Error {
  readonly code: EngineInstallFailureCode;
  constructor(code: EngineInstallFailureCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "EngineInstallFailure";
    this.code = code;
  }
}
