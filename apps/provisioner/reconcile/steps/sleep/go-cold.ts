/**
 * Stops a sleeping workspace, so that it uses nothing but its disk. Its next use starts it. The row records this before the stop: a worker
 * killed in between leaves a process that the next pass stops or adopts.
 */
import { say } from "#contract/sentences/say.ts";
import { dropOldSleepLines, isAtRest } from "#domain/workspaces/observed/sleep-store.ts";
import { sleepAfterMs } from "#domain/plans/sleep-after.ts";
import type { Observation } from "#domain/workspaces/observed/observation-store.ts";
import type { Connection } from "#platform/database.ts";
import type { Scope } from "../../step.ts";
import { StillUsed } from "./rest.ts";

/**
 * Records it as cold, together with `more` and what `alsoWrite` writes, and stops it if it runs. Rejects with StillUsed if it was used, or
 * its desired state changed, since this pass looked; then nothing is changed. So too if its release is not on this host, because its next
 * use could not start it.
 */
export async function goCold(
  scope: Scope,
  more: Observation = {},
  message = say("asleepStopped"),
  alsoWrite?: (tx: Connection) => Promise<void>,
): Promise<void> {
  const { workspace, clock, seen, installs, target } = scope;
  if (seen.state === "running" && (await installs.request(target.version)).state !== "installed") throw new StillUsed();
  const now = clock.now();
  // Without an address, the end of its process does not count as a crash. `startedAt` stays, because it counts as a use.
  await scope.observe({ ...more, coldSince: now, address: null, gatewayOpen: false }, { event: "asleep", message }, async (tx) => {
    if (!(await isAtRest(tx, workspace, sleepAfterMs(workspace.planFeatures)))) throw new StillUsed();
    await dropOldSleepLines(tx, workspace.id, now);
    await alsoWrite?.(tx);
  });
  if (scope.seen.state === "running") await stopCold(scope);
}

/** Ends the process of a cold workspace, if it has one. */
export async function stopCold(scope: Scope): Promise<void> {
  const { driver, workspace } = scope;
  await driver.ensure(scope.spec(false));
  scope.seen = await driver.observe(workspace.id);
}
