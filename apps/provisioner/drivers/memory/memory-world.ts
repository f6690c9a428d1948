/** The simulated host, which outlives a control plane. Pass the same one to the next driver, and it finds everything again. */
import type { Clock } from "#platform/clock.ts";
import type { FilledSpec } from "../fill-templates.ts";
import type { RunObservation, RunSpec } from "../driver.ts";
import type { PretendServer } from "./pretend-server.ts";

/** A start of a simulated workspace. */
export interface MemoryRun {
  /** Different at each start, like a process id. */
  instance: number;
  spec: RunSpec;
  specHash: string;
  /** What a real process would get. */
  filled: FilledSpec;
  folder: string;
  ports: Readonly<Record<string, number>>;
  address: string;
  startedAt: Date;
  /** It answers from this time on. */
  readyAt: Date;
  server?: PretendServer;
  frozen?: true;
  /** Paged out while it runs; tests delete it for one that has worked since. */
  pagedOut?: true;
  /** Replaced once there are no listeners. */
  ready: { heard: boolean; told: Promise<void>; tell(): void };
}

export interface MemoryWorkspace {
  /** Its stored files, by path; kept by a stop, deleted by a removal. */
  storage: Map<string, string>;
  /** That it was made with. */
  number?: number;
  run?: MemoryRun;
  exit?: RunObservation["exit"];
  endedWithHost?: true;
  output: string;
  /** The memory usage that it reports. */
  memoryMb?: number;
  unresponsive: boolean;
  /** Its disk has no room to replace the stored files. */
  lacksRoom?: boolean;
  /** Ignores the request to stop, so that only the time-out ends it. */
  stubborn: boolean;
}

/** As much output as a person reads; a load test has a hundred thousand of these. */
const maxOutputCharacters = 16_384;

export class MemoryWorld {
  readonly workspaces = new Map<string, MemoryWorkspace>();
  /** What the simulated host has nearly used up. */
  shortOf: "memory" | "swap" | undefined;
  readonly #listeners = new Set<(workspaceId: string) => void>();
  readonly #clock: Clock;
  #instances = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The next process id of this world. */
  nextInstance(): number {
    this.#instances += 1;
    return this.#instances;
  }

  /** The workspace, which must exist. */
  get(workspaceId: string): MemoryWorkspace {
    const workspace = this.workspaces.get(workspaceId);
    if (workspace === undefined) throw new Error(`the simulated host has no workspace ${workspaceId}`);
    return workspace;
  }

  /** The workspace's process crashes. Does nothing if it is not running. */
  crash(workspaceId: string): void {
    this.end(workspaceId, { code: 1, signal: null });
  }

  /** The system kills the workspace's process because it has run out of memory. */
  starve(workspaceId: string): void {
    this.end(workspaceId, { code: null, signal: "SIGKILL", outOfMemory: true });
  }

  /** The platform was asked to end the workspace's process, to free its node for example. */
  evict(workspaceId: string): void {
    this.end(workspaceId, { code: null, signal: "SIGTERM", requested: true });
  }

  /** The host is restarted: all processes are gone, and no watch saw their end. */
  reboot(): void {
    for (const workspace of this.workspaces.values()) {
      if (workspace.run === undefined) continue;
      workspace.run.server?.close();
      delete workspace.run;
      workspace.endedWithHost = true;
    }
  }

  /** While on, the process runs and its port accepts connections, but no request is answered. */
  unresponsive(workspaceId: string, on: boolean): void {
    this.get(workspaceId).unresponsive = on;
  }

  /** The workspace reports that it is ready, whether or not it is. */
  sayReady(workspaceId: string): void {
    this.workspaces.get(workspaceId)?.run?.ready.tell();
  }

  /** Whether a request to the workspace would be answered now. */
  answers(workspaceId: string): boolean {
    const workspace = this.workspaces.get(workspaceId);
    return workspace?.run !== undefined && !workspace.run.frozen && !workspace.unresponsive && this.#clock.now() >= workspace.run.readyAt;
  }

  /** Freezes or thaws the process; requests that arrive meanwhile are answered after the thaw. Does nothing if it is not running. */
  freeze(workspaceId: string, on: boolean): void {
    const run = this.workspaces.get(workspaceId)?.run;
    if (run === undefined) return;
    if (on) run.frozen = true;
    else delete run.frozen;
    if (!on) run.server?.answerHeld();
  }

  /** Ends the process in this way and tells watchers. */
  end(workspaceId: string, how: Omit<NonNullable<RunObservation["exit"]>, "at">): void {
    const workspace = this.workspaces.get(workspaceId);
    if (workspace?.run === undefined) return;
    workspace.run.server?.close();
    delete workspace.run;
    workspace.exit = { ...how, at: this.#clock.now() };
    this.write(workspaceId, `ended with ${how.signal ?? how.code}\n`);
    for (const listener of this.#listeners) listener(workspaceId);
  }

  /** Adds to the workspace's output; the oldest is dropped when there is too much. */
  write(workspaceId: string, text: string): void {
    const workspace = this.get(workspaceId);
    workspace.output = (workspace.output + text).slice(-maxOutputCharacters);
  }

  /** Calls back when a process ends; returns a function that unsubscribes. */
  listen(onExit: (workspaceId: string) => void): () => void {
    const listener = (workspaceId: string): void => onExit(workspaceId);
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Ends every process, so that no port stays open. */
  close(): void {
    for (const workspaceId of this.workspaces.keys()) this.end(workspaceId, { code: null, signal: "SIGKILL" });
  }
}
