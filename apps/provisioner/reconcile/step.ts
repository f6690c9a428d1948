/** The form of a reconcile step, and what it may find out. */
import type { LaunchStep } from "#contract/workspaces/workspace.ts";
import type { HeldWorkspace, Observation } from "#domain/workspaces/observed/observation-store.ts";
import type { Clock } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
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

/** `message` is for the owner, `detail` for whoever has to find out. */
export interface JournalLine {
  event: string;
  message: string;
  detail?: string | undefined;
  /** Who asked for it, by name; nobody where the service did it by itself. */
  actor?: string | undefined;
}

/** Everything read before the first step, and the way to write what a step saw. */
export interface Scope extends Reconciler {
  db: Database;
  workspace: HeldWorkspace;
  /** What the driver saw at the beginning of this pass. */
  seen: RunObservation;
  spec(run: boolean): RunSpec;
  /**
   * Writes columns to the database and to `workspace`, and with them the line that tells of it and what `also` does: all or nothing,
   * whenever this process dies. Throws LeaseLost when another worker took over.
   */
  observe(seen: Observation, line?: JournalLine, also?: (tx: Connection) => Promise<void>): Promise<void>;
  showProgress(step: LaunchStep, label: string, percent: number): Promise<void>;
  /** Waits without holding up other workspaces. Engine, driver and backups of this scope do so on their own. */
  outside<T>(wait: () => Promise<T>): Promise<T>;
}

/**
 * `done`: go on to the next step. `wait`: look again after so many milliseconds, or as soon as `until` is true, which is asked several
 * times a second and never rejects. `failed`: try again later, with backoff; `reason` is for the owner, `detail` for the journal; `retryAt` overrules the backoff.
 */
export type StepResult =
  | { kind: "done" }
  | { kind: "wait"; afterMs: number; until?: () => Promise<boolean> }
  | { kind: "failed"; event: string; reason: string; detail?: string; retryAt?: Date };

export const done: StepResult = { kind: "done" };
export const wait = (afterMs: number, until?: () => Promise<boolean>): StepResult => ({ kind: "wait", afterMs, ...(until && { until }) });

/** A named, repeatable part of bringing a workspace to what was asked. */
export interface Step {
  name: string;
  run(scope: Scope): Promise<StepResult>;
}

/** Another worker holds the workspace now; this one must not touch it any more. */
export class LeaseLost extends Error {
  constructor(workspaceId: string) {
    super(`the lease on workspace ${workspaceId} was lost`);
    this.name = "LeaseLost";
  }
}
