/**
 * What runs in a workspace. An engine knows its tool; it does not know which driver runs it, and of a plan only what it is told. The larger
 * parts of its interface are in `port`.
 */
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import type { WorkspaceCode } from "#domain/journeys/services.ts";
import type { KnownCall, KnownWebhooks, WebhookPath } from "#domain/workspaces/webhooks/sleeping-webhooks.ts";
import type { RecordedChanges } from "#domain/workspaces/offered-release.ts";
import type { OwnerSetting } from "#domain/workspaces/settings/workspace-variables.ts";
import type { CatalogueNode } from "#domain/node-catalogue/catalogue.ts";
import type { RunSpec } from "../drivers/driver.ts";
import type { EngineBackups, EngineExports } from "./port/engine-copies.ts";
import type { EngineMembers, EngineOwner, EngineProfile } from "./port/engine-people.ts";
import type { EngineExecutionSign, EnginePlan, EngineUsage } from "./port/engine-usage.ts";

/** A release that this repository has qualified: its folder contains package.json, package-lock.json and release.json. */
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
  /** What it changed since the release before it; absent for the oldest. */
  changes?: RecordedChanges | undefined;
  /** Address of the release notes. */
  notes?: string | undefined;
}

/** What an engine needs to know about a workspace to say how to run it. */
export interface EngineWorkspace {
  id: string;
  number: number;
  generation: number;
  run: boolean;
  timezone: string;
  /** How many executions are kept, and for how long (null: the engine's default); the tool's own defaults if absent. */
  executions?: { keep: number; maxAgeHours: number | null };
  memoryMb: number;
  /** The plan's labels, and whether it includes the tool's license; absent without a plan. */
  features?: { enabledFeatures: string[]; n8nLicense?: boolean };
  /** The address customers use, without a trailing slash: http://acme.localhost:3000 */
  publicUrl: string;
  /** The panel's address, without a trailing slash. */
  panelUrl: string;
  /** What `createSecrets` made for this workspace. */
  secrets: Readonly<Record<string, string>>;
}

/** Packages that owners add to the tool themselves. */
export interface EngineCommunityNodes {
  /** `isOffered` is false in a workspace that has none, even if others have some. */
  list(
    address: string,
    workspaceId: string,
  ): Promise<{ isOffered: boolean; nodes: { name: string; version: string; isHeldBack: boolean }[] }>;
}

/** What a workspace reports about sleep. It may lie. */
export interface EngineRest {
  /** Nothing happens in it unless it is called: its memory contains no schedule, poller or open connection, and no execution runs. */
  sleepable: boolean;
  /** When its next waiting execution resumes, by the machine's clock; null: none resumes without a call. */
  due: Date | null;
  /** The webhooks that it has now; null or absent: unknown. */
  webhooks?: KnownWebhooks | null;
}

/** A call of a webhook of a tool whose webhooks have their own paths. */
export interface WebhookCall extends WebhookPath {
  method: string;
  /** `test` webhooks exist only while an editor is open, `waiting` ones belong to an execution. */
  kind: "live" | "test" | "waiting";
  /** Its visitor is a person. */
  isForm: boolean;
}

/** Answers on a sleeping workspace's behalf to calls that none of its workflows would take. */
export interface EngineSleepingCalls {
  /** Null: the request calls no webhook, or in a way that only the tool can judge. */
  read(method: string, url: string): WebhookCall | null;
  /**
   * The JSON with which the tool itself would answer that there is no such webhook, with 404; null: the call must wake the workspace.
   * `page`: a page says so.
   */
  refuse(call: WebhookCall, known: KnownCall): { json: string } | "page" | null;
}

/** Sleep of workspaces: their processes are frozen while nothing happens in them. */
export interface EngineSleep {
  ask(address: string, workspaceId: string): Promise<EngineRest>;
  /**
   * Paths that monitors call, with query. They neither keep a workspace awake nor wake it: the gateway answers 200 for one that sleeps.
   * Without stateful flags.
   */
  readonly monitored: RegExp;
  /** Paths that scanners call and that no workspace of this tool has. The same, with 404. */
  readonly absent: RegExp;
  /** Absent if any path may be a webhook's, or a workspace's webhooks cannot be known: then each call wakes. */
  readonly calls?: EngineSleepingCalls;
}

/** Workspaces that are started before they have an owner, so that a launch need not wait for a start. */
export interface EngineBlanks {
  /** The placeholder data with which the workspace's blank was started: there is a stand-in for everything that a claim can change. */
  unowned(workspace: EngineWorkspace): EngineWorkspace;
  /**
   * Makes the running blank into this workspace: afterwards it behaves as if it had just started with these settings, in an empty folder.
   * Repeating it for the same workspace does nothing; for another it is refused. Rejects if any part of it failed: then the blank is
   * useless.
   */
  claim(address: string, workspace: EngineWorkspace): Promise<void>;
}

/** How long the tool's starts take. */
export interface EngineStart {
  /** A start that has not answered by then has failed. */
  readyTimeoutMs: number;
  /** How long before an execution a stopped workspace is started, which may have to queue behind others. */
  aheadMs: number;
}

export interface EngineHealth {
  ready: boolean;
  /** For the journal, when not ready. */
  detail?: string;
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
   * Makes what all starts of an installed release share on this host; without it they are only slower. Cheap if it exists; safe to call
   * twice at the same time. Rejects if it cannot be made; nothing half-made is left. Absent if starts share nothing.
   */
  prepare?(version: string, signal?: AbortSignal): Promise<void>;
  /** Whether `install` has finished on this host. */
  isInstalled(version: string): Promise<boolean>;
  /**
   * Settings of the tool that its owner may choose, each with its allowed values. None may move storage, open what is closed, or concern
   * network, hooks, people or keys: a value is passed to the tool unchanged.
   */
  readonly ownerSettings: readonly OwnerSetting[];
  /** Made once per workspace and kept encrypted by the control plane. */
  createSecrets(): Record<string, string>;
  /** What a driver must bring about. */
  runSpec(workspace: EngineWorkspace, version: string): RunSpec;
  readonly start: EngineStart;
  /** Asks the process itself, not through the gateway. Never throws: any error is "not ready". */
  health(address: string): Promise<EngineHealth>;
  /** The path that answers 200 when all is well, for the check through the gateway. */
  readonly healthPath: string;
  /** Absent if a running tool cannot be given to an owner. */
  readonly blanks?: EngineBlanks;
  /** Absent if workspaces of this tool must not sleep. */
  readonly sleep?: EngineSleep;
  /** How many executions began before this time and still run, waiting ones left out. Absent if the tool does not say. */
  countRunning?(address: string, workspaceId: string, since: Date): Promise<number>;
  /** Absent if answers do not show whether an execution began. */
  readonly executionSign?: EngineExecutionSign;
  /**
   * Paths, with query, that programs call to start what the owner has published, so that their answers are worth counting. Without stateful
   * flags. Absent if such paths cannot be recognised.
   */
  readonly webhookPath?: RegExp;
  /**
   * Paths, with query, of everything published that strangers may call, so that a storm of such calls waits in a queue. Without stateful
   * flags. Absent if such paths cannot be recognised.
   */
  readonly callPath?: RegExp;
  /** If calls have no paths to tell them by: where only the editor opens WebSockets and streams of events. Without stateful flags. */
  readonly editorListens?: RegExp;
  /** Creates the tool's owner. Repeating it with the same owner does nothing. */
  setUpOwner(address: string, workspaceId: string, owner: EngineOwner): Promise<void>;
  /** Tells the tool about its owner, replacing what it knew. The tool keeps it across restarts. */
  setProfile(address: string, workspaceId: string, profile: EngineProfile): Promise<void>;
  /**
   * Replaces the owner's variables in the running tool, except the settings among them. False if its process, from an earlier release of this
   * program, cannot take them: it needs a restart. Absent if the tool reads its variables only at its start.
   */
  setVariables?(address: string, workspace: Pick<EngineWorkspace, "id" | "secrets">): Promise<boolean>;
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
  readLoginCode(code: string): WorkspaceCode | null;
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

/** `unknown`: it is neither in this repository nor on this host. */
export type EngineInstallFailureCode = "registry_unreachable" | "no_room" | "compile_failed" | "not_identical" | "unknown" | "failed";

/** An install failed; `message` has the reason, for the journal. */
export class EngineInstallFailure extends Error {
  readonly code: EngineInstallFailureCode;
  constructor(code: EngineInstallFailureCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "EngineInstallFailure";
    this.code = code;
  }
}
