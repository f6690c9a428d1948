/** What an owner has bought, as the tool enforces it, and the usage that the tool reports. */
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
  /** Executions in a usage period; workflows active at once; people, the owner included; executions that run at a time. */
  limits: { executions: number; activeWorkflows: number; credentials: number; users: number; concurrentExecutions: number };
  /** Starts of usage periods, oldest first: this one and later ones, so that the tool can begin them without being told. */
  periodStarts: readonly Date[];
  /**
   * Executions of the first of these periods as counted by the control plane, and how many of them each epoch of the tool's own counters
   * had.
   */
  counted: { executions: number; epochs: Readonly<Record<string, number>> };
  /** Where the owner chooses a plan: a page of the panel. */
  changePlanPath: string;
  /** Whether the owner has confirmed their e-mail address. */
  isConfirmed: boolean;
}

/** Executions that count toward the plan, in one usage period, on one day. Only ever grows within its epoch. */
interface EngineUsageCounter {
  /** One life of the tool's counters: a later one begins at zero, even if the earlier one's files were lost. */
  epoch: string;
  /** Start of the usage period, as set by `setPlan`; null: the tool has not been told yet. */
  periodStart: Date | null;
  /** UTC, YYYY-MM-DD. */
  date: string;
  executions: number;
  failed: number;
}

/** How often a workflow ran in a usage period. Executions that ended with the tool's process are not among its failed ones. */
interface EngineWorkflow {
  id: string;
  /** Text by its author, of at most 100 visible characters; may be empty. */
  name: string;
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
  /** All workflows, active or not; absent if the tool does not report it. */
  workflows?: number | undefined;
  /** Counters of at least the last 8 days, as totals: repeating one does not count it again. */
  counters: EngineUsageCounter[];
  /** The workflows that ran most in the usage period that begins then, the busiest first; absent if the tool does not report them. */
  busiest?: { periodStart: Date; workflows: EngineWorkflow[] } | undefined;
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
  | { id: string; kind: "nodes-held-back"; nodes: string[] }
  /** Names, by their authors, of workflows that ran when the tool's process before this one was killed. */
  | { id: string; kind: "workflows-interrupted"; workflows: string[] };

/** The tool's own statistics, independent of the counters above. */
interface EngineStatistics {
  /** One life of the tool's process: the figures are comparable only within it. */
  life: string;
  /** All executions ever that count toward the plan and succeeded. */
  succeeded: number;
  /** Executions that have started and not ended, read before `succeeded`. */
  unfinished: number;
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
