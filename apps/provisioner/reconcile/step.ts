/** The form of a reconcile step, and what it may find out. */
import type { LaunchStep } from "#contract/workspaces/workspace.ts";
import type { JournalEvent } from "#domain/workspaces/journal-events.ts";
import type { Observation, Observed, Wanted } from "#domain/workspaces/observed/observation-store.ts";
import type { JournalLine } from "#domain/workspaces/workspace-store.ts";
import type { Clock } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { BackupWorkspace } from "../backups/backup-tools.ts";
import type { Backups } from "../backups/create-backups.ts";
import type { Driver, RunObservation, RunSpec } from "../drivers/driver.ts";
import type { EngineInstalls } from "../engine-installs.ts";
import type { Engine } from "../engines/engine.ts";

/** What every reconcile works with. */
export interface Reconciler {
  engine: Engine;
  driver: Driver;
  installs: EngineInstalls;
  /** Of the workspace in hand: before a change that may have to be undone, and to undo it. */
  backups: Backups;
  clock: Clock;
  /** The machine's own, as in workspaces: days of usage are theirs. */
  machineClock: Clock;
  log: Log;
  publicUrl: string;
  /** Asks for the health path of a workspace through the gateway, as a customer would. */
  probeThroughGateway(accountName: string, path: string): Promise<boolean>;
  /** The engine's secrets of a workspace, in clear. */
  openSecrets(encrypted: string): Record<string, string>;
  /** Whether this host's processors have nothing left. */
  isHostBusy(): boolean;
  /** Tells analytics that this happened in an editor; returns at once. Absent where analytics are off. */
  reportEditorEvent?(name: string): void;
  /** How long a started workspace may take until it answers. */
  readyTimeoutMs: number;
}

/** Everything read before the first step, and the way to write what a step saw. */
export interface Scope extends Reconciler {
  db: Database;
  /** What is wanted of the workspace, as read. Steps read it alone. */
  workspace: Wanted;
  /** What was seen of it, by this pass and those before. Only `observe` changes it. */
  observed: Readonly<Observed>;
  /**
   * What this pass brings about: the wanted version and generation. While another release is being installed it is the running one,
   * and after a failed change of version the one before; only those two steps change it.
   */
  target: { version: string; generation: number };
  /** What the driver saw at the beginning of this pass. */
  seen: RunObservation;
  spec(run: boolean): RunSpec;
  /**
   * Writes columns to the database and to `observed`, and with them the line that tells of it and what `also` does: all or nothing,
   * whenever this process dies. Written when it is seen and not at the end of the pass: after a crash, what was written before a stop
   * tells it from a death, and an open panel follows each step. Throws LeaseLost when another worker took over.
   */
  observe(seen: Observation, line?: JournalLine, also?: (tx: Connection) => Promise<void>): Promise<void>;
  showProgress(step: LaunchStep, label: string, percent: number): Promise<void>;
  /** Waits without holding up other workspaces. Engine, driver and backups of this scope do so on their own. */
  outside<T>(wait: () => Promise<T>): Promise<T>;
}

/**
 * `done`: the next step is next; with `againMs` the whole pass is repeated after so many milliseconds at most. `wait`: look again after so many milliseconds, or as soon as `until` is true, which is asked several
 * times a second and never rejects. `failed`: try again later, with backoff; `reason` is for the owner, `detail` for the journal; `retryAt` overrules the backoff.
 */
export type StepResult =
  | { kind: "done"; againMs?: number }
  | { kind: "wait"; afterMs: number; until?: () => Promise<boolean> }
  | { kind: "failed"; event: JournalEvent; reason: string; detail?: string; retryAt?: Date };

export const done: StepResult = { kind: "done" };
export const wait = (afterMs: number, until?: () => Promise<boolean>): StepResult => ({ kind: "wait", afterMs, ...(until && { until }) });

/** The workspace as backups know it, at the version and generation of this pass. */
export const forBackup = ({ workspace, observed, target }: Pick<Scope, "workspace" | "observed" | "target">): BackupWorkspace => ({
  ...workspace,
  observedVersion: observed.observedVersion,
  desiredVersion: target.version,
  generation: target.generation,
});

/** A named, repeatable part of bringing a workspace to what was asked. */
export interface Step {
  name: string;
  run(scope: Scope): Promise<StepResult>;
}

/** Share of a whole launch at which each of its parts begins, in percent: an install takes minutes, the rest seconds. */
export const begins = { install: 0, prepare: 60, start: 63, ready: 65, owner: 95, gateway: 97 } as const;

/** How often a launch shows how far it is; what it waits for is noticed sooner. */
export const progressMs = 1000;

/** Another worker holds the workspace now; this one must not touch it any more. */
export class LeaseLost extends Error {
  constructor(workspaceId: string) {
    super(`the lease on workspace ${workspaceId} was lost`);
    this.name = "LeaseLost";
  }
}
