/** The interface of a reconcile step, and what it has access to. */
import type { LaunchStep } from "#contract/workspaces/workspace-values.ts";
import type { Sentence } from "#contract/sentences/say.ts";
import type { JournalEvent } from "#domain/workspaces/journal-events.ts";
import type { Observation, Observed, Desired } from "#domain/workspaces/observed/observation-store.ts";
import type { JournalLine } from "#domain/workspaces/workspace-store.ts";
import type { Clock } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Tracer } from "#platform/tracing/tracer.ts";
import type { BackupWorkspace } from "../backups/backup-tools.ts";
import type { Backups } from "../backups/create-backups.ts";
import type { Driver, RunObservation, RunSpec } from "../drivers/driver.ts";
import type { EngineInstalls } from "../engine-installs.ts";
import type { KeptHost } from "../host/keep-host.ts";
import type { MovingOut } from "../host/move-out.ts";
import type { Engine, EngineWorkspace } from "../engines/engine.ts";

/** What is measured about reconciliations; durations in milliseconds. */
export interface ReconcileMetrics {
  /** `broke`: the step threw an unexpected error. */
  stepped(step: string, outcome: StepResult["kind"] | "broke", ms: number): void;
  journalled(event: JournalEvent): void;
  /** A process is online at its address, this long after its start. */
  started(ms: number): void;
  /** A new workspace is online for the first time, this long after it was requested. */
  launched(ms: number): void;
  /** An owner was told how much of their plan is used. */
  usageTold(kind: "nearly" | "reached"): void;
  /** A frozen workspace is awake, this long after the first request for it. */
  woken(ms: number): void;
}

/** What every reconciliation uses. */
export interface Reconciler {
  engine: Engine;
  driver: Driver;
  installs: EngineInstalls;
  /** Backups of the workspace in hand: before a change that may have to be undone, and for undoing it. */
  backups: Backups;
  clock: Clock;
  /** The machine's clock, which workspaces share: days of usage are counted by it. */
  machineClock: Clock;
  log: Log;
  publicUrl: string;
  /** Calls a workspace's health path through the gateway, as a customer would. */
  probeThroughGateway(accountName: string, path: string): Promise<boolean>;
  /** A workspace's secrets for the engine, decrypted. */
  openSecrets(encrypted: string): Record<string, string>;
  /** Whether this host's processors are fully used. */
  isHostBusy(): boolean;
  /** Reports an editor's event to analytics without waiting. Absent if analytics are off. */
  reportEditorEvent?(name: string): void;
  metrics?: ReconcileMetrics | undefined;
  /** Continues the traces of calls and requests; absent without tracing. */
  tracer?: Tracer | null;
  /** The host of these workspaces. Without it, they are the main host's, and none is placed. */
  host?: Pick<KeptHost, "name" | "mayPlace"> | undefined;
  /** Workspaces that should leave this host; none without it. */
  leaving?: Pick<MovingOut, "has" | "putOff"> | undefined;
  /** Whether idle workspaces fall asleep: frozen if the driver can, otherwise stopped. */
  sleeps: boolean;
  /** Whether memory that an idle workspace does not use is paged out while it stays awake, even if the engine does not support sleep. */
  pagesOut: boolean;
  /** How long the last backup of a deleted workspace is kept. */
  lastBackupDays: number;
  /** How long a change that restarts a workspace waits for the executions that run; by default not at all. */
  finishMs?: number;
  /** How long a started workspace may take until it answers. */
  readyTimeoutMs: number;
}

/** Everything read before the first step, and the function that records what a step observed. */
export interface Scope extends Reconciler {
  db: Database;
  /** The workspace's desired state, as read by this pass. Steps use only this. */
  workspace: Desired;
  /** Its observed state, from this pass and earlier ones. Only `observe` changes it. */
  observed: Readonly<Observed>;
  /**
   * The version and generation that this pass works towards. While another release is being installed, that is the running one, and after a
   * failed change of version the previous one; only those two steps change it.
   */
  target: { version: string; generation: number };
  /** What the driver saw at the beginning of this pass. */
  seen: RunObservation;
  /** The workspace as the engine knows it, at the generation of this pass. */
  described(run: boolean): EngineWorkspace;
  spec(run: boolean): RunSpec;
  /**
   * Writes columns to the database and to `observed`, together with the journal entry and what `also` does: all or nothing, whenever this
   * process dies. Written when it is observed instead of at the end of the pass: after a crash, what was written before a stop
   * distinguishes it from a crash of the workspace, and an open panel follows each step. Throws LeaseLost if another worker took over.
   */
  observe(seen: Observation, line?: JournalLine, also?: (tx: Connection) => Promise<void>): Promise<void>;
  showProgress(step: LaunchStep, label: Sentence, percent: number): Promise<void>;
  /** Waits without blocking other workspaces. Engine, driver and backups of this scope do so automatically. */
  outside<T>(wait: () => Promise<T>): Promise<T>;
}

/**
 * `done`: go to the next step; with `againMs`, the whole pass is repeated after at most so many milliseconds. `wait`: look again after so
 * many milliseconds, or as soon as `until` is true, which is called several times a second, or as soon as `told` resolves; neither rejects.
 * With `leaves`, another worker should take the workspace now, and this one only later: it cannot do what is next, and nothing failed.
 * `failed`: try again later, with backoff; `reason` is for the owner, `detail` for the journal; `retryAt` overrides the backoff.
 */
export type StepResult =
  | { kind: "done"; againMs?: number }
  | { kind: "wait"; afterMs: number; until?: () => Promise<boolean>; told?: Promise<void>; leaves?: true }
  | { kind: "failed"; event: JournalEvent; reason: Sentence; detail?: string; retryAt?: Date };

export const done: StepResult = { kind: "done" };
export const wait = (afterMs: number, until?: () => Promise<boolean>): StepResult => ({ kind: "wait", afterMs, ...(until && { until }) });
export const waitToBeTold = (mostMs: number, told: Promise<void>): StepResult => ({ kind: "wait", afterMs: mostMs, told });

/** For a release that this program does not know, but another version of it may: it is due for other workers. */
export const leave: StepResult = { kind: "wait", afterMs: 0, leaves: true };

/** The workspace in the form that backups need, at the version and generation of this pass. */
export const forBackup = ({ workspace, observed, target }: Pick<Scope, "workspace" | "observed" | "target">): BackupWorkspace => ({
  ...workspace,
  observedVersion: observed.observedVersion,
  desiredVersion: target.version,
  generation: target.generation,
});

/** A named, repeatable part of bringing a workspace to its desired state. */
export interface Step {
  name: string;
  run(scope: Scope): Promise<StepResult>;
}

/** The percentage of a whole launch at which each of its parts begins: an install takes minutes, the rest seconds. */
export const begins = { install: 0, prepare: 60, start: 63, ready: 65, owner: 95, gateway: 97 } as const;

/** How often a launch updates its progress; other changes are noticed sooner. */
export const progressMs = 1000;

/** Another worker holds the workspace now; this one must not touch it any more. */
export class LeaseLost extends Error {
  constructor(workspaceId: string) {
    super(`the lease on workspace ${workspaceId} was lost`);
    this.name = "LeaseLost";
  }
}
