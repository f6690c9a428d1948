/** What the service promises to do, and how each promise is measured: when it was last kept, what stands in its way, and since when. */

/** Every promise that is read from rows. docs/metrics.md says for each which alert rule watches it. */
export const promises = [
  "online",
  "launch",
  "wake",
  "reconcile",
  "backup",
  "restore",
  "export",
  "mail",
  "billing_event",
  "timer",
  "comparison",
  "install",
  "fleet_update",
  "look",
  "audit",
  "dump",
  "erasure",
] as const;

export type PromiseName = (typeof promises)[number];

export interface Signal {
  promise: PromiseName;
  /** How long the oldest open one has been open, in seconds; 0: none is. */
  openSeconds: number;
  /** Open failures by cause, from fixed lists: never a customer's words. */
  failures: Readonly<Record<string, number>>;
  /** Seconds since it was last kept; null: not yet, or not within the time that its rows are kept. */
  successSeconds: number | null;
}
