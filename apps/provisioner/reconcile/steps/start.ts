/** The step that starts the workspace's process, or adopts the one that runs. */
import { say } from "#contract/sentences/say.ts";
import { DriverFailure, type DriverFailureCode, type Missing, type RunObservation } from "../../drivers/driver.ts";
import { hashRunSpec } from "../../drivers/hash-run-spec.ts";
import { lastOutput } from "../last-output.ts";
import { begins, done, progressMs, wait, type Scope, type Step, type StepResult } from "../step.ts";
import { after, minuteMs, secondMs } from "#platform/clock.ts";
import type { JournalEvent } from "#domain/workspaces/journal-events.ts";
import type { JournalLine } from "#domain/workspaces/workspace-store.ts";
import { closeAndLetFinish } from "./let-finish.ts";

export const start: Step = {
  name: "start",
  async run(scope) {
    const { workspace, observed, target, seen, engine, driver } = scope;
    // Compared by generation, not by spec: a new release of this program must not restart every workspace.
    if (seen.state === "running" && seen.generation === target.generation && seen.address)
      return adopt(scope, seen.address, seen.startedAt);
    if (seen.state === "running" && seen.generation === target.generation && seen.waitsFor !== undefined && !seen.stranded)
      return waitForPlace(scope, seen);
    const isFirst = observed.observedVersion === null;
    await scope.showProgress("prepare", say(isFirst ? "preparingFirst" : "preparing"), begins.prepare);
    // Clears the old start time, so that the new process has the full time to become ready. Clears the address, so that its end does not
    // count as a crash.
    await closeAndLetFinish(scope, () =>
      scope.observe({
        address: null,
        gatewayOpen: false,
        unhealthySince: null,
        finishingSince: null,
        startedAt: null,
        runningMemoryMb: workspace.memoryMb,
      }),
    );
    try {
      const spec = scope.spec(true);
      const running = await driver.ensure(spec);
      await noteVariables(scope, running.specHash === hashRunSpec(spec));
      if (running.state === "running" && running.waitsFor !== undefined) return await waitForPlace(scope, running);
      if (running.state !== "running" || !running.address) return await startFailed(scope, "The process ended as soon as it was started.");
      await scope.showProgress("start", say("starting", { engine: engine.displayName, version: target.version }), begins.start);
      // A wake has a separate line, which is not kept permanently.
      const line: JournalLine | undefined = observed.coldSince
        ? undefined
        : { event: "started", message: say("started", { engine: engine.displayName, version: target.version }) };
      return await adopt(scope, running.address, running.startedAt, line);
    } catch (error) {
      if (!(error instanceof DriverFailure)) throw error;
      return await startFailed(scope, error.message, failedBy[error.code]);
    }
  },
};

/** A process that another worker started meanwhile may have earlier variables: they are passed to it again. */
async function noteVariables({ workspace, observed, observe }: Scope, isAsRequested: boolean): Promise<void> {
  const variablesPassed = isAsRequested ? workspace.variablesRevision : 0;
  if (observed.variablesPassed !== variablesPassed) await observe({ variablesPassed });
}

/** Takes over a running process, whichever worker started it. */
async function adopt(
  { observed, observe, clock }: Scope,
  address: string,
  startedAt: Date | undefined,
  line?: JournalLine,
): Promise<StepResult> {
  if (observed.address === address && observed.startedAt) return done;
  await observe(
    { address, startedAt: startedAt ?? clock.now(), unhealthySince: null, gatewayOpen: false, observedState: "starting" },
    line,
  );
  return done;
}

/**
 * A place becomes free within a minute, such as when an image was pulled, or only when an operator acts: so a cluster full of waiting pods
 * is not asked every second.
 */
const soonMs = minuteMs;
const patientMs = 10 * secondMs;
/** After its limit: each look is a failure, with a line in the log. */
const failedMs = 30 * secondMs;

/**
 * From the start's beginning. A node that cannot pull an image has tried four times in two minutes; a cluster that adds nodes on demand
 * takes about five, and a large image as long again.
 */
export const placeLimitMs: Readonly<Record<Missing, number>> = { image: 2 * minuteMs, memory: 10 * minuteMs, node: 10 * minuteMs };

const unplaced = {
  image: { event: "no-image", reason: say("noImage"), message: say("startWaitsForImage"), label: say("waitingForImage") },
  memory: { event: "no-place", reason: say("noMemory"), message: say("startWaits"), label: say("waitingForPlace") },
  node: { event: "no-place", reason: say("noServer"), message: say("startWaits"), label: say("waitingForPlace") },
} as const;

/**
 * If a cluster has no room for it yet, or its volume or image is on the way, that is not a failure until its limit has passed. Even then
 * what waits stays, and is adopted once it runs.
 */
async function waitForPlace({ observed, observe, showProgress, clock }: Scope, waiting: RunObservation): Promise<StepResult> {
  const { waitsFor: detail = "", startedAt = clock.now(), missing = "node" } = waiting;
  const { event, reason, message, label } = unplaced[missing];
  const forMs = clock.now().getTime() - startedAt.getTime();
  if (forMs >= placeLimitMs[missing])
    return {
      kind: "failed",
      event,
      reason,
      // The first is short: an update is rolled back next.
      ...(observed.failures > 0 && { retryAt: after(clock.now(), failedMs) }),
      ...(observed.reasonCode !== event && { detail }),
    };
  await showProgress("start", label, begins.start);
  if (observed.reasonCode !== "start-waits") await observe({ reasonCode: "start-waits" }, { event: "start-waits", message, detail });
  return wait(forMs < soonMs ? progressMs : patientMs);
}

const failedBy: Readonly<Partial<Record<DriverFailureCode, JournalEvent>>> = { no_room: "no-room", no_image: "no-image" };

async function startFailed(scope: Scope, detail: string, event: JournalEvent = "start-failed"): Promise<StepResult> {
  return {
    kind: "failed",
    event,
    reason: event === "no-image" ? unplaced.image.reason : say("startFailed"),
    detail: `${detail}\n${await lastOutput(scope)}`,
  };
}
