/** The step that starts the workspace's process, or adopts the one that runs. */
import { DriverFailure } from "../../drivers/driver.ts";
import { begins, done, type Scope, type Step, type StepResult } from "../step.ts";
import type { JournalLine } from "#domain/workspaces/workspace-store.ts";
import { closeAndLetFinish } from "./let-finish.ts";

export const start: Step = {
  name: "start",
  async run(scope) {
    const { workspace, observed, target, seen, engine, driver } = scope;
    // Compared by generation, not by spec: a new release of this program must not restart every workspace.
    if (seen.state === "running" && seen.generation === target.generation && seen.address)
      return adopt(scope, seen.address, seen.startedAt);
    const isFirst = observed.observedVersion === null;
    await scope.showProgress("prepare", isFirst ? "Preparing your workspace's folder and keys" : "Preparing the start", begins.prepare);
    // Clears the old start time: the new process has the full time to become ready. Clears the address: its end is no death.
    await closeAndLetFinish(scope, () =>
      scope.observe({ address: null, gatewayOpen: false, unhealthySince: null, startedAt: null, runningMemoryMb: workspace.memoryMb }),
    );
    try {
      const running = await driver.ensure(scope.spec(true));
      if (running.state !== "running" || !running.address) return await startFailed(scope, "The process ended as soon as it was started.");
      await scope.showProgress("start", `Starting ${engine.displayName} ${target.version}`, begins.start);
      // A wake has a line of its own, which is not kept for ever.
      const line: JournalLine | undefined = observed.coldSince
        ? undefined
        : { event: "started", message: `${engine.displayName} ${target.version} was started.` };
      return await adopt(scope, running.address, running.startedAt, line);
    } catch (error) {
      if (!(error instanceof DriverFailure)) throw error;
      return await startFailed(scope, error.message);
    }
  },
};

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

async function startFailed(scope: Scope, detail: string): Promise<StepResult> {
  return {
    kind: "failed",
    event: "start-failed",
    reason: "The workspace could not be started. We'll try again automatically.",
    detail: `${detail}\n${await scope.driver.logs(scope.workspace.id, 4000)}`,
  };
}
