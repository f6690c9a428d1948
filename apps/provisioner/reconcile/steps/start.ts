/** The step that starts the workspace's process, or adopts the one that runs. */
import { say } from "#contract/sentences/say.ts";
import { DriverFailure } from "../../drivers/driver.ts";
import { hashRunSpec } from "../../drivers/hash-run-spec.ts";
import { lastOutput } from "../last-output.ts";
import { begins, done, progressMs, wait, type Scope, type Step, type StepResult } from "../step.ts";
import { minuteMs, secondMs } from "#platform/clock.ts";
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
      return waitForPlace(scope, seen.waitsFor, seen.startedAt);
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
      if (running.state === "running" && running.waitsFor !== undefined)
        return await waitForPlace(scope, running.waitsFor, running.startedAt);
      if (running.state !== "running" || !running.address) return await startFailed(scope, "The process ended as soon as it was started.");
      await scope.showProgress("start", say("starting", { engine: engine.displayName, version: target.version }), begins.start);
      // A wake has a separate line, which is not kept permanently.
      const line: JournalLine | undefined = observed.coldSince
        ? undefined
        : { event: "started", message: say("started", { engine: engine.displayName, version: target.version }) };
      return await adopt(scope, running.address, running.startedAt, line);
    } catch (error) {
      if (!(error instanceof DriverFailure)) throw error;
      return await startFailed(scope, error.message, error.code === "no_room" ? "no-room" : "start-failed");
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

/** If a cluster has no room for it yet, or its volume or image is on the way: that takes minutes or an operator, and is not a failure. */
async function waitForPlace({ observed, observe, showProgress, clock }: Scope, detail: string, since = clock.now()): Promise<StepResult> {
  await showProgress("start", say("waitingForPlace"), begins.start);
  const message = say("startWaits");
  if (observed.reasonCode !== "start-waits") await observe({ reasonCode: "start-waits" }, { event: "start-waits", message, detail });
  return wait(clock.now().getTime() - since.getTime() < soonMs ? progressMs : patientMs);
}

async function startFailed(scope: Scope, detail: string, event: "start-failed" | "no-room" = "start-failed"): Promise<StepResult> {
  return {
    kind: "failed",
    event,
    reason: say("startFailed"),
    detail: `${detail}\n${await lastOutput(scope)}`,
  };
}
