/** Gauges of the service's promises, checks and capacity, and of this process's loops. docs/metrics.md has the rule for each. */
import { Gauge, type Registry } from "prom-client";
import { readDown } from "#domain/signals/down-store.ts";
import { capacities, readObservations } from "#domain/signals/observation-store.ts";
import { readSignals } from "#domain/signals/read-signals.ts";
import { dayMs, secondMs, sinceMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { LoopState, Rounds } from "#platform/loops/rounds.ts";

export type SignalFigures = Awaited<ReturnType<typeof readSignalFigures>>;

/** One after the other, so that a scrape takes one of the process's database connections. */
export async function readSignalFigures(db: Database, clock: Clock) {
  const now = clock.now();
  const observed = await readObservations(db);
  return {
    now,
    signals: await readSignals(db, now),
    down: await readDown(db, now),
    observed,
    capacities: capacities(observed, now),
  };
}

/** This process's loops: what has no row. */
export function measureLoops(registry: Registry, rounds: Pick<Rounds, "loops">): void {
  const gauge = (name: string, help: string, valueOf: (loop: LoopState) => number): void => {
    const collect = function (this: Gauge<"loop">): void {
      this.reset();
      for (const loop of rounds.loops()) this.set({ loop: loop.name }, valueOf(loop));
    };
    void new Gauge({ name, help, labelNames: ["loop"], registers: [registry], collect });
  };
  gauge(
    "slipway_loop_success_seconds",
    "Time since the loop of this process last looked for work without an error, or since it began.",
    ({ successSeconds }) => successSeconds,
  );
  gauge("slipway_loop_failures", "Rounds of the loop that ended with an error since this process began.", ({ failures }) => failures);
}

/** The whole service's promises; the same in every worker. Call the result with each reading; null: it failed, and the figures vanish. */
export function measureSignals(registry: Registry): (figures: SignalFigures | null) => void {
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const success = gauge("slipway_promise_success_seconds", "Time since the promise was last kept. Absent if it never was.", "promise");
  const open = gauge("slipway_promise_open_seconds", "How long the oldest open one has been open. 0 if none is.", "promise");
  const failures = gauge("slipway_promise_failures", "Open failures of the promise by their cause.", "promise", "cause");
  const down = gauge("slipway_workspaces_down", "Workspaces that should answer and have not for 15 minutes.");
  const expected = gauge("slipway_workspaces_expected", "Workspaces that should answer, or wake when they are visited.");
  const free = gauge(
    "slipway_capacity_free_megabytes",
    "What is free on the host's disk of the data folder, and of its memory.",
    "host",
    "resource",
  );
  const days = gauge(
    "slipway_capacity_days_left",
    "Days until the host's floor is reached, if it keeps shrinking as in the last week; at most 365.",
    "host",
    "resource",
  );
  const failing = gauge(
    "slipway_check_failing_seconds",
    "For how long the worker's check of the backup storage or the panel's certificate has failed. 0 if it succeeds.",
    "check",
  );
  const checked = gauge("slipway_check_success_seconds", "Time since that check last succeeded.", "check");
  const certificate = gauge(
    "slipway_certificate_days_left",
    "Days until the certificate of the panel's address ends. Absent without https.",
  );
  const measured = [success, open, failures, down, expected, free, days, failing, checked, certificate];
  const clear = (): void => {
    measured.forEach((gauge) => gauge.reset());
    // A gauge without labels is 0 after a reset: a certificate that has ended, or a fleet that is well.
    for (const gauge of [down, expected, certificate]) gauge.remove();
  };
  clear();
  return (figures) => {
    clear();
    if (!figures) return;
    const { now, signals, down: counted, observed, capacities: left } = figures;
    for (const { promise, openSeconds, failures: causes, successSeconds } of signals) {
      open.set({ promise }, openSeconds);
      if (successSeconds !== null) success.set({ promise }, successSeconds);
      for (const [cause, times] of Object.entries(causes)) failures.set({ promise, cause }, times);
    }
    down.set(counted.down);
    expected.set(counted.expected);
    for (const { host, resource, freeMb, daysLeft } of left) {
      free.set({ host, resource }, freeMb);
      days.set({ host, resource }, daysLeft);
    }
    for (const [check, { okAt, failingSince }] of Object.entries(observed.checks)) {
      failing.set({ check }, failingSince ? sinceMs(new Date(failingSince), now) / secondMs : 0);
      if (okAt) checked.set({ check }, sinceMs(new Date(okAt), now) / secondMs);
    }
    if (observed.certificateUntil) certificate.set((new Date(observed.certificateUntil).getTime() - now.getTime()) / dayMs);
  };
}
