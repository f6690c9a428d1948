/**
 * The few internals of Node-RED that the workspace's side uses, found from its own program file. Qualification checks each on every
 * release.
 */
import { createRequire } from "node:module";

/** A message on its way, as Node-RED's hooks show it. */
export interface SendEvent {
  msg: Record<string, unknown>;
  source: { id: string; node: { id: string; type: string; z?: string; status(status: object): void } };
}

interface Hooks {
  /** Callbacks run in the order in which they were added, until one returns false. */
  add(name: "onSend", callback: (events: SendEvent[]) => void | false): void;
  add(name: "preDeliver", callback: (event: { destination: { id: string } }) => void): void;
}

/** One node or tab of a flow file. */
export interface FlowNode {
  id: string;
  type: string;
  disabled?: boolean;
  /** Id of the tab it is on, or of the subflow. */
  z?: string;
  /** Of an inject node: whether it sends at each start, and when else; empty: only by its button. */
  once?: boolean;
  repeat?: string;
  crontab?: string;
}

/** A node as it runs. Functions list their timers. */
export interface RunningNode {
  outstandingTimers?: unknown[];
  outstandingIntervals?: unknown[];
}

/** The flows as they run. */
interface RunningFlows {
  eachNode(see: (node: FlowNode) => void): void;
  /** Null if it does not run: it or its tab is disabled, or it is part of a subflow. */
  get(id: string): RunningNode | null;
}

export interface StorageModule {
  getFlows(): Promise<FlowNode[]>;
  getCredentials(): Promise<Record<string, unknown> | undefined>;
  saveFlows(flows: FlowNode[], user?: unknown): Promise<unknown>;
  [name: string]: unknown;
}

/** Node-RED's internal events: flows that run, and why they do not. */
export interface Events {
  on(name: "flows:started", listener: () => void): void;
  on(name: "runtime-event", listener: (event: { id: string; payload?: object }) => void): void;
}

export interface Internals {
  version: string;
  hooks: Hooks;
  events: Events;
  log: { warn(message: string): void };
  storage: StorageModule;
  flows: RunningFlows;
}

/** Throws if this release has moved one of them. */
export function findInternals(): Internals {
  const program = process.argv[1];
  if (program === undefined) throw new Error("Node-RED's own program file is not known");
  const load = createRequire(program);
  const { version } = load("./package.json") as { version: string };
  const { hooks, events, log } = load("@node-red/util") as { hooks: Hooks; events: Events; log: Internals["log"] };
  const storage = load("@node-red/runtime/lib/storage/localfilesystem") as StorageModule;
  const flows = load("@node-red/runtime/lib/flows") as RunningFlows;
  return { version, hooks, events, log, storage, flows };
}
