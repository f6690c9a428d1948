/**
 * The steps that make a blank into the workspace whose row took it, or remove it. Nothing has run in it, and the gateway is closed until it
 * has an owner: so whatever goes wrong, removing it and starting again loses nothing.
 */
import { say } from "#contract/sentences/say.ts";
import { secondMs } from "#platform/clock.ts";
import { within } from "#platform/loops/within.ts";
import { hashRunSpec } from "../../drivers/hash-run-spec.ts";
import { Stopping } from "../boots.ts";
import { done, LeaseLost, type Scope, type Step, type StepResult } from "../step.ts";

/** More than an engine's own limit. */
const claimLimitMs = 12 * secondMs;

/** First, so that the other steps find a workspace that runs as it should, or none. Never fails the pass. */
export const claimBlank: Step = {
  name: "claim-blank",
  async run(scope) {
    if (scope.observed.blank === null) return done;
    if (isInUse(scope)) return forget(scope);
    try {
      await claim(scope);
    } catch (error) {
      if (error instanceof LeaseLost || error instanceof Stopping) throw error;
      scope.log.warn(
        { err: error, workspaceId: scope.workspace.id },
        "a blank could not become a workspace; the workspace starts without it",
      );
      await remove(scope);
    }
    return done;
  },
};

/** The workspace should be stopped or deleted, and its blank has not been claimed yet. */
export const giveBlankUp: Step = {
  name: "give-blank-up",
  async run(scope) {
    if (scope.observed.blank === null) return done;
    if (isInUse(scope)) return forget(scope);
    await remove(scope);
    return done;
  },
};

/**
 * It was started and set up by a worker of an earlier release, which does not know blanks: what is on the host belongs to its owner, and is
 * never removed for a blank.
 */
const isInUse = ({ observed }: Scope): boolean => observed.ownerSetUpAt !== null;

async function forget(scope: Scope): Promise<StepResult> {
  await scope.observe({ blank: null });
  return done;
}

async function claim(scope: Scope): Promise<void> {
  const { workspace, observed, engine, driver, target } = scope;
  const spec = scope.spec(true);
  // A worker that died after the claim has left it in this state.
  if (scope.seen.state !== "running" || scope.seen.specHash !== hashRunSpec(spec)) {
    const { blanks } = engine;
    if (!blanks || !driver.reassign) throw new Error("this host makes no workspaces of blanks");
    if (scope.seen.state !== "running") throw new Error("it does not run");
    const described = scope.described(true);
    // Everything that a claim does not change must be right already: release, hook, memory, features, secrets.
    const expected = hashRunSpec(engine.runSpec(blanks.unowned(described), target.version));
    if (scope.seen.specHash !== expected || observed.blank !== expected) throw new Error("it was started from other settings");
    if (scope.seen.frozen) scope.seen = await driver.thaw!(workspace.id);
    await within(claimLimitMs, "the claim of a blank", blanks.claim(scope.seen.address!, described));
    scope.seen = await driver.reassign(spec);
  }
  const { address, startedAt } = scope.seen;
  await scope.observe(
    {
      blank: null,
      address: address!,
      startedAt: startedAt ?? scope.clock.now(),
      observedState: "starting",
      runningMemoryMb: workspace.memoryMb,
    },
    { event: "started", message: say("started", { engine: engine.displayName, version: target.version }) },
  );
}

async function remove(scope: Scope): Promise<void> {
  // Throws if another worker has taken over, because that one may have given the workspace to its owner.
  await scope.observe({ address: null, startedAt: null });
  // A start follows, which waits among other starts.
  scope.driver.endStart?.(scope.workspace.id);
  await scope.driver.remove(scope.workspace.id);
  scope.seen = { state: "absent" };
  await scope.observe({ blank: null });
}
