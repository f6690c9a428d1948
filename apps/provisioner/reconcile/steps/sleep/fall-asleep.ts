/** The step that lets a workspace sleep. */
import { say } from "#contract/sentences/say.ts";
import { dropOldSleepLines, isAtRest } from "#domain/workspaces/observed/sleep-store.ts";
import { recordSleepingWebhooks } from "#domain/workspaces/webhooks/sleeping-webhooks.ts";
import { sleepAfterMs } from "#domain/plans/sleep-after.ts";
import { after, dayMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { TookTooLong } from "#platform/loops/within.ts";
import { lookAgainMs } from "../../next-look.ts";
import { done, LeaseLost, wait, type Scope, type Step } from "../../step.ts";
import { goCold } from "./go-cold.ts";
import { awake, idleMs, isWorthSleep, restOn, StillUsed, unusedMs, wakeAheadMs } from "./rest.ts";

/** Waiting for a call has no end: n8n sets it to the year 3000. */
const mostSleepMs = 365 * dayMs;

/**
 * Last in a pass, when everything else is done. Never fails the pass. The tenant can influence what the workspace reports: a lie keeps it
 * awake, or lets it sleep too long.
 */
export const fallAsleep: Step = {
  name: "fall-asleep",
  async run(scope) {
    const { workspace, observed, engine, driver, sleeps, clock, machineClock, log } = scope;
    if (!sleeps || !engine.sleep || !isSettled(scope)) return done;
    const restsInMs = idleMs(scope) - unusedMs(scope);
    // Look again at exactly that time, not up to twice as late.
    if (restsInMs > 0) return { kind: "done", againMs: restsInMs };
    try {
      const said = await engine.sleep.ask(observed.address!, workspace.id);
      const leftMs = said.due ? said.due.getTime() - machineClock.now().getTime() - wakeAheadMs : Infinity;
      if (!said.sleepable || !isWorthSleep(leftMs, scope)) return done;
      // By the machine's clock, which the tool uses to wait: moving the service's clock does not move it.
      const sleepUntil = leftMs < mostSleepMs ? after(said.due!, -wakeAheadMs) : null;
      const asleep = { ...awake, asleepSince: clock.now(), sleepUntil, asleepRevision: workspace.updatedAt };
      const noteWebhooks = (tx: Connection) => recordSleepingWebhooks(tx, workspace.id, asleep.asleepSince, said.webhooks ?? null);
      if (!driver.freeze) {
        await goCold(scope, asleep, undefined, noteWebhooks);
        return restOn(scope);
      }
      await scope.observe(asleep, undefined, async (tx) => {
        if (!(await isAtRest(tx, workspace, sleepAfterMs(workspace.planFeatures)))) throw new StillUsed();
        await noteWebhooks(tx);
      });
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      if (observed.coldSince) {
        // Recorded before the stop. Its process might already be ending: the next pass makes sure it is stopped.
        log.warn({ err: error, workspaceId: workspace.id }, "a sleeping workspace could not be stopped; it will be retried");
        return wait(lookAgainMs);
      }
      if (!(error instanceof StillUsed))
        log.warn({ err: error, workspaceId: workspace.id }, "a workspace could not be asked whether it may sleep");
      return done;
    }
    if (!(await freeze(scope))) {
      await scope.observe(awake);
      return done;
    }
    await noteAsleep(scope);
    return restOn(scope);
  },
};

/** Whether it is frozen now. If not, no freeze by this worker is in progress any more. */
async function freeze(scope: Scope): Promise<boolean> {
  const { workspace, driver, log } = scope;
  try {
    // A request that arrives during the page-out gets its pass, and with it the thaw that ends the page-out.
    scope.seen = await driver.freeze!(workspace.id, "frozen");
    if (!scope.seen.frozen) throw new Error("it does not run any more");
    return true;
  } catch (error) {
    if (error instanceof TookTooLong) {
      // It continues.
      scope.seen = await driver.observe(workspace.id);
      if (scope.seen.frozen) return true;
      scope.seen = await driver.thaw!(workspace.id);
    }
    log.warn({ err: error, workspaceId: workspace.id }, "a workspace could not be frozen and stays awake");
    return false;
  }
}

/** Only the line in the journal may be missing: it has been recorded as asleep since before the freeze. */
async function noteAsleep({ workspace, observed, observe, driver, clock, log }: Scope): Promise<void> {
  try {
    await observe({ asleepSince: observed.asleepSince }, { event: "asleep", message: say("asleep") }, (tx) =>
      dropOldSleepLines(tx, workspace.id, clock.now()),
    );
  } catch (error) {
    if (error instanceof LeaseLost) {
      // Another worker has it now, and may have recorded it as awake before the freeze.
      await driver.thaw!(workspace.id);
      throw error;
    }
    log.warn({ err: error, workspaceId: workspace.id }, "a workspace fell asleep without a line in its journal");
  }
}

function isSettled({ workspace, observed, target }: Scope): boolean {
  const { generation } = workspace;
  const isOnline = observed.observedState === "online" && observed.observedGeneration === generation && target.generation === generation;
  return isOnline && observed.failures === 0 && observed.unhealthySince === null;
}
