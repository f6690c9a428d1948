/**
 * The step that wakes a workspace. Asleep, its processes are frozen and it costs next to no memory, or it is cold: stopped. The row says so
 * before the freeze and until after the thaw, so that gateways never pass a request to a frozen workspace, wherever this process dies.
 */
import { say, type Sentence } from "#contract/sentences/say.ts";
import { secondMs } from "#platform/clock.ts";
import { done, wait, type Scope, type Step, type StepResult } from "../../step.ts";
import { lookAgainMs } from "../../next-look.ts";
import { goCold, stopCold } from "./go-cold.ts";
import { awake, coldInMs, dueInMs, restOn, StillUsed } from "./rest.ts";

/** Its memory is back by then, even from a slow disk: a workspace that still does not answer hangs, and is noticed like any other. */
const silentMs = 5 * secondMs;

/** First in every pass: the other steps find an awake workspace, or one to start. A pass over one that may keep sleeping ends here. */
export const wakeUp: Step = {
  name: "wake-up",
  async run(scope) {
    const { observed, seen } = scope;
    // A freeze that took so long that its pass stopped waiting for it.
    if (!observed.asleepSince) return seen.frozen ? thawOrReplace(scope) : done;
    if (observed.coldSince) return startAgain(scope);
    if (seen.state !== "running") return afterItsEnd(scope);
    const why = reasonToWake(scope);
    if (why !== null) return wake(scope, why);
    return seen.frozen && coldInMs(scope) === 0 ? letGoCold(scope) : restOn(scope);
  },
};

async function wake(scope: Scope, why: Sentence): Promise<StepResult> {
  const { observed, seen, driver, workspace, engine } = scope;
  const onlyUsed = isAsItWas(scope) && !seen.readOnly;
  const thawed = seen.frozen ? await thawOrReplace(scope) : done;
  // If it is replaced, it is no longer asleep.
  if (!observed.asleepSince) return thawed;
  await scope.observe(awake, { event: "woken", message: why });
  if (!seen.frozen) return done;
  // Reading its memory back takes a processor: until it answers, it keeps its place among those that wake.
  const { ready } = await engine.health(observed.address!);
  driver.endStart?.(workspace.id);
  // The other steps have nothing to tell it, and their calls would come before those of the visitor who woke it.
  return onlyUsed ? wait(ready ? lookAgainMs : silentMs) : done;
}

/** Its desired state is the same as when it fell asleep, and nothing has gone wrong since then. */
function isAsItWas({ workspace, observed, sleeps }: Scope): boolean {
  const isUnchanged = workspace.updatedAt.getTime() === observed.asleepRevision?.getTime();
  return sleeps && isUnchanged && workspace.desiredState === "running" && observed.failures === 0;
}

/** Null: it keeps sleeping. */
function reasonToWake(scope: Scope): Sentence | null {
  const { workspace, observed, seen, sleeps } = scope;
  if (!sleeps) return say("wokenNoSleep");
  if (observed.wakeAskedAt) return say("wokenByRequest");
  // Its gateway is closed, so no request would wake it; or its disk takes no writes, which the first request would need.
  if (observed.failures > 0 || seen.readOnly) return say("wokenAfterFault");
  if (workspace.desiredState !== "running") return say("wokenToStop");
  if (workspace.updatedAt.getTime() !== observed.asleepRevision?.getTime()) return say("wokenForChange");
  if (dueInMs(scope) === 0) return say("wokenForExecution");
  // The worker died before the freeze.
  return seen.frozen || seen.endedWithHost || observed.coldSince ? null : say("awakeAgain");
}

/**
 * After a restart of the host, all processes of sleeping workspaces have ended. If all were started together, they would need more memory
 * than the host has: each stays stopped until its next use. Any other end is a crash, which the next steps notice.
 */
async function afterItsEnd(scope: Scope): Promise<StepResult> {
  if (scope.seen.endedWithHost && reasonToWake(scope) === null) {
    try {
      await goCold(scope, {}, say("asleepServerRestarted"));
      return restOn(scope);
    } catch (error) {
      if (!(error instanceof StillUsed)) throw error;
    }
  }
  await scope.observe(awake);
  return done;
}

async function letGoCold(scope: Scope): Promise<StepResult> {
  try {
    await goCold(scope);
  } catch (error) {
    if (!(error instanceof StillUsed)) throw error;
    // A request has made it due again, so it is looked at as soon as this pass ends. After a clock was set back, an old use seems recent:
    // trying again immediately would change nothing.
    return wait(lookAgainMs);
  }
  return restOn(scope);
}

/** A cold one is started by the next steps; `coldSince` stays until it is online. */
async function startAgain(scope: Scope): Promise<StepResult> {
  const { workspace } = scope;
  const why = reasonToWake(scope);
  if (why === null) {
    // The worker died before the stop.
    if (scope.seen.state === "running") await stopCold(scope);
    return restOn(scope);
  }
  // Its stop has only begun: the process is stopped cleanly, because it may have been asked to end.
  if (scope.seen.state === "running") await stopCold(scope);
  if (workspace.desiredState === "running") await scope.observe({ ...awake, observedState: "starting" }, { event: "woken", message: why });
  else await scope.observe({ ...awake, coldSince: null });
  return done;
}

async function thawOrReplace(scope: Scope): Promise<StepResult> {
  try {
    scope.seen = await scope.driver.thaw!(scope.workspace.id);
    return done;
  } catch (error) {
    return giveUpOn(scope, error as Error);
  }
}

/**
 * Its processes do not resume, so they are replaced; its data is on its disk. Requests wait at the gateway, as after a first crash. With
 * further failures in a row, its pauses apply.
 */
async function giveUpOn(scope: Scope, error: Error): Promise<StepResult> {
  const { observed, driver, workspace } = scope;
  const isFirst = observed.failures === 0;
  const line = { event: "hung", message: say("didNotWake"), detail: error.message } as const;
  const gone = { ...awake, address: null, startedAt: null, unhealthySince: null, gatewayOpen: false };
  await scope.observe({ ...gone, ...(isFirst && { failures: 1, observedState: "starting" }) }, isFirst ? line : undefined);
  await driver.ensure(scope.spec(false));
  scope.seen = await driver.observe(workspace.id);
  return isFirst ? done : { kind: "failed", event: line.event, reason: line.message, detail: line.detail };
}
