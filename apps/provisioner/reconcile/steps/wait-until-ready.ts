/** The steps that check whether a process works, and stop one that does not. */
import { say, type Sentence } from "#contract/sentences/say.ts";
import type { JournalEvent } from "#domain/workspaces/journal-events.ts";
import { lastOutput } from "../last-output.ts";
import { begins, progressMs, done, wait, waitToBeTold, type Scope, type Step, type StepResult } from "../step.ts";

/** Its process lives but can no longer save. Its next start repairs the disk, if the host has room again. */
export const noticeReadOnly: Step = {
  name: "notice-read-only",
  async run(scope) {
    if (!scope.seen.readOnly || scope.seen.generation !== scope.target.generation) return done;
    return giveUpOn(
      scope,
      "disk-read-only",
      say("diskReadOnly"),
      "its disk takes no more writes, after an error or a full disk of the host",
    );
  },
};

export const waitUntilReady: Step = {
  name: "wait-until-ready",
  async run(scope) {
    const { workspace, observed, engine, clock, driver } = scope;
    const hasBeenReady = observed.observedState === "online" || observed.unhealthySince !== null;
    // Before the check, so that a report of being ready during it ends the wait.
    const signal = hasBeenReady ? undefined : driver.readySignal?.(workspace.id);
    const health = await engine.health(observed.address!);
    if (health.ready) {
      driver.endStart?.(workspace.id);
      if (observed.unhealthySince) await scope.observe({ unhealthySince: null });
      return done;
    }
    if (hasBeenReady) return stoppedAnswering(scope, health.detail);

    // The clock was set back: its time begins now, not hours from now.
    if (observed.startedAt && observed.startedAt > clock.now()) await scope.observe({ startedAt: clock.now() });
    const elapsedMs = clock.now().getTime() - (observed.startedAt ?? clock.now()).getTime();
    if (elapsedMs > scope.readyTimeoutMs) {
      return giveUpOn(scope, "start-timed-out", say("startTimedOut"), health.detail);
    }
    // Half of the remainder every 4 s: it always moves and never reaches the end.
    const share = 1 - 0.5 ** (Math.max(0, elapsedMs) / 4000);
    await scope.showProgress(
      "wait-until-ready",
      say("waitingForAnswer", { engine: engine.displayName }),
      begins.ready + Math.floor(share * (begins.owner - begins.ready)),
    );
    // One that has reported so without being ready is asked periodically, like one that cannot report it.
    if (signal && !signal.heard) return waitToBeTold(progressMs, signal.told);
    return wait(progressMs, async () => (await engine.health(observed.address!)).ready);
  },
};

/** A busy workspace may miss a check; one that does not answer for a minute hangs. */
const unhealthy = { offlineAfterMs: 10_000, restartAfterMs: 60_000 } as const;

async function stoppedAnswering(scope: Scope, detail: string | undefined): Promise<StepResult> {
  const { observed, clock } = scope;
  const now = clock.now();
  if (!observed.unhealthySince) {
    await scope.observe({ unhealthySince: now }, { event: "unhealthy", message: say("stoppedResponding"), detail });
  }
  if (observed.unhealthySince! > now) await scope.observe({ unhealthySince: now });
  const forMs = now.getTime() - observed.unhealthySince!.getTime();
  if (forMs > unhealthy.restartAfterMs) return giveUpOn(scope, "hung", say("hung"), detail);
  if (forMs > unhealthy.offlineAfterMs && observed.observedState === "online") {
    await scope.observe({
      observedState: "offline",
      reasonCode: "unhealthy",
      reason: say("notResponding"),
    });
  }
  return wait(1000);
}

/** Stops a process that does not work, keeping its logs in the journal. */
async function giveUpOn(scope: Scope, event: JournalEvent, reason: Sentence, detail: string | undefined): Promise<StepResult> {
  const logs = await lastOutput(scope);
  // The address is cleared first: the end of a process with an address counts as a crash, and causes an immediate restart.
  await scope.observe({ address: null, startedAt: null, unhealthySince: null, gatewayOpen: false });
  await scope.driver.ensure(scope.spec(false));
  return { kind: "failed", event, reason, detail: `${detail ?? "no answer"}\n${logs}` };
}
