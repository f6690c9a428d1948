/**
 * The steps that wake a workspace and let it sleep. Asleep, its processes are frozen and it costs next to no memory. The row says so before
 * the freeze and until after the thaw, so that gateways never pass a request to a frozen workspace, wherever this process dies.
 */
import { dropOldSleepLines, isAtRest, mostAheadMs } from "#domain/workspaces/observed/sleep-store.ts";
import type { Observation } from "#domain/workspaces/observed/observation-store.ts";
import { sleepAfterMs } from "#domain/plans/sleep-after.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import { TookTooLong } from "#platform/loops/within.ts";
import { lookAgainMs } from "../next-look.ts";
import { done, LeaseLost, wait, type Scope, type Step, type StepResult } from "../step.ts";

/** As the quietest of those awake. Nothing happens in a sleeping workspace, and the end of its process is noticed without a look. */
const asleepLookMs = 6 * hourMs;
/** A thaw and the pages it reads back take up to 2.4 s from a cold disk; the tool then has time to set its timer. */
const wakeAheadMs = 10 * secondMs;
/** Less sleep than this saves nothing. */
const leastSleepMs = 5 * minuteMs;
/** A wait for a call has no end: n8n gives it the year 3000. */
const mostSleepMs = 365 * dayMs;

const awake: Observation = { asleepSince: null, sleepUntil: null, asleepRevision: null, wakeAskedAt: null };

/** First in every pass: the other steps find an awake workspace. A pass over one that may sleep on ends here. */
export const wakeUp: Step = {
  name: "wake-up",
  async run(scope) {
    const { observed, seen, driver, workspace, engine } = scope;
    if (!observed.asleepSince) {
      // A freeze that took so long that its pass gave up on it.
      if (seen.frozen) scope.seen = await driver.thaw!(workspace.id);
      return done;
    }
    if (seen.state !== "running") {
      await scope.observe(awake);
      return done;
    }
    const why = reasonToWake(scope);
    if (why === null) return restOn(scope);
    const onlyUsed = isAsItWas(scope);
    if (seen.frozen) {
      try {
        scope.seen = await driver.thaw!(workspace.id);
      } catch (error) {
        return giveUpOn(scope, error as Error);
      }
    }
    await scope.observe(awake, { event: "woken", message: why });
    if (!seen.frozen) return done;
    // Reading its memory back takes a processor: until it answers, it keeps its place among those that wake.
    await engine.health(observed.address!);
    driver.endStart?.(workspace.id);
    // The other steps have nothing to tell it, and their calls would come before those of the visitor who woke it.
    return onlyUsed ? wait(lookAgainMs) : done;
  },
};

/** Nothing else is wanted of it than when it fell asleep, and nothing has gone wrong since. */
function isAsItWas({ workspace, observed, sleeps }: Scope): boolean {
  const isUnchanged = workspace.updatedAt.getTime() === observed.asleepRevision?.getTime();
  return sleeps && isUnchanged && workspace.desiredState === "running" && observed.failures === 0;
}

/** Null: it sleeps on. */
function reasonToWake({ workspace, observed, seen, sleeps, clock }: Scope): string | null {
  if (!sleeps) return "Woken because workspaces no longer sleep here.";
  if (observed.wakeAskedAt) return "Woken by a request.";
  // Its gateway is closed, so no request would wake it.
  if (observed.failures > 0) return "Woken after a fault on our side.";
  if (workspace.desiredState !== "running") return "Woken to be stopped.";
  if (workspace.updatedAt.getTime() !== observed.asleepRevision?.getTime()) return "Woken to apply a change.";
  if (observed.sleepUntil && observed.sleepUntil <= clock.now()) return "Woken for an execution that is due.";
  // The worker died before the freeze.
  return seen.frozen ? null : "It is awake again.";
}

function restOn({ observed, clock }: Scope): StepResult {
  const untilMs = observed.sleepUntil ? observed.sleepUntil.getTime() - clock.now().getTime() : Infinity;
  return wait(Math.max(0, Math.min(asleepLookMs, untilMs)));
}

/**
 * Its processes do not run again, so they are replaced; its data is on its disk. Requests wait at the gateway, as after a first death. With
 * further failures in a row it keeps its pauses.
 */
async function giveUpOn(scope: Scope, error: Error): Promise<StepResult> {
  const { observed, driver, workspace } = scope;
  const isFirst = observed.failures === 0;
  const line = { event: "hung", message: "The workspace did not wake up. We're restarting it.", detail: error.message } as const;
  const gone = { ...awake, address: null, startedAt: null, unhealthySince: null, gatewayOpen: false };
  await scope.observe({ ...gone, ...(isFirst && { failures: 1, observedState: "starting" }) }, isFirst ? line : undefined);
  await driver.ensure(scope.spec(false));
  scope.seen = await driver.observe(workspace.id);
  return isFirst ? done : { kind: "failed", event: line.event, reason: line.message, detail: line.detail };
}

/** It was used, or something else is wanted of it, since this pass looked. */
class StillUsed extends Error {}

/**
 * Last in a pass, when everything else is done. Never fails the pass. What the workspace says is the tenant's word: a lie keeps it awake, or
 * lets it sleep too long.
 */
export const fallAsleep: Step = {
  name: "fall-asleep",
  async run(scope) {
    const { workspace, observed, engine, driver, sleeps, clock, machineClock, log } = scope;
    if (!sleeps || !driver.freeze || !engine.sleep || !isSettled(scope)) return done;
    const restsInMs = sleepAfterMs(workspace.planFeatures) - unusedMs(scope);
    // A look at that time, not up to twice as late.
    if (restsInMs > 0) return { kind: "done", againMs: restsInMs };
    try {
      const said = await engine.sleep.ask(observed.address!, workspace.id);
      const dueInMs = said.due ? said.due.getTime() - machineClock.now().getTime() - wakeAheadMs : Infinity;
      if (!said.sleepable || dueInMs < leastSleepMs) return done;
      const now = clock.now();
      const sleepUntil = dueInMs < mostSleepMs ? new Date(now.getTime() + dueInMs) : null;
      const idleMs = sleepAfterMs(workspace.planFeatures);
      await scope.observe({ ...awake, asleepSince: now, sleepUntil, asleepRevision: workspace.updatedAt }, undefined, async (tx) => {
        if (!(await isAtRest(tx, workspace, idleMs))) throw new StillUsed();
      });
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      if (!(error instanceof StillUsed))
        log.warn({ err: error, workspace: workspace.id }, "a workspace could not be asked whether it may sleep");
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

/** Whether it is frozen now. If not, no freeze of this worker is under way any more. */
async function freeze(scope: Scope): Promise<boolean> {
  const { workspace, driver, log } = scope;
  try {
    scope.seen = await driver.freeze!(workspace.id);
    if (!scope.seen.frozen) throw new Error("it does not run any more");
    return true;
  } catch (error) {
    if (error instanceof TookTooLong) {
      // It continues. Usually only the page-out is left of it.
      scope.seen = await driver.observe(workspace.id);
      if (scope.seen.frozen) return true;
      scope.seen = await driver.thaw!(workspace.id);
    }
    log.warn({ err: error, workspace: workspace.id }, "a workspace could not be frozen, and stays awake");
    return false;
  }
}

/** Only the line in the journal may be missing: it has been recorded as asleep since before the freeze. */
async function noteAsleep({ workspace, observed, observe, driver, clock, log }: Scope): Promise<void> {
  try {
    await observe({ asleepSince: observed.asleepSince }, { event: "asleep", message: "Asleep: nothing to do." }, (tx) =>
      dropOldSleepLines(tx, workspace.id, clock.now()),
    );
  } catch (error) {
    if (error instanceof LeaseLost) {
      // Another worker has it now, and may have recorded it as awake before the freeze.
      await driver.thaw!(workspace.id);
      throw error;
    }
    log.warn({ err: error, workspace: workspace.id }, "a workspace fell asleep without a line in its journal");
  }
}

function isSettled({ workspace, observed, target }: Scope): boolean {
  const { generation } = workspace;
  const isOnline = observed.observedState === "online" && observed.observedGeneration === generation && target.generation === generation;
  return isOnline && observed.failures === 0 && observed.unhealthySince === null;
}

/** By what this pass read; the transaction that decides looks again. */
function unusedMs({ workspace, observed, machineClock }: Scope): number {
  const now = machineClock.now().getTime();
  const believed = (at: Date | null): number => (at && at.getTime() <= now + mostAheadMs ? at.getTime() : 0);
  return now - Math.max(believed(workspace.usedAt), believed(observed.startedAt));
}
