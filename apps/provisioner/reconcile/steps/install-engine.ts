/** The step that installs the release on this host. */
import { say } from "#contract/sentences/say.ts";
import type { JournalLine } from "#domain/workspaces/workspace-store.ts";
import { minuteMs, secondMs, sinceMs } from "#platform/clock.ts";
import { rollBackUninstalled } from "../../updates/roll-back.ts";
import { begins, leave, progressMs, done, wait, type Scope, type Step, type StepResult } from "../step.ts";

/** A worker of another version of this program, which may know the release, takes a launch within seconds. */
const leavesForMs = minuteMs;

/** Between looks at whether a release that cannot be installed is there after all. */
const retryMs = 10 * secondMs;

/** What runs needs no release, so a missing or unknown one never closes it: only a start needs its files. */
export const installEngine: Step = {
  name: "install-engine",
  async run(scope) {
    const { target, engine, seen, workspace, clock } = scope;
    const install = await scope.installs.request(target.version);
    if (install.state === "installed") return done;
    if (seen.state === "running" && seen.generation === target.generation && seen.waitsFor === undefined) return done;
    if (install.state === "failed") {
      if (install.isUnknown && sinceMs(workspace.updatedAt, clock.now()) < leavesForMs) return leave;
      const rolledBack = await rollBackUninstalled(scope);
      if (rolledBack) return rolledBack;
    }
    const kept = await keepRunning(scope, install.state === "failed" ? install.reason : null);
    if (kept) return kept;
    if (install.state === "failed")
      return { kind: "failed", ...failedLine, reason: failedLine.message, detail: install.reason, retryAt: install.retryAt };
    const percent = begins.install + Math.floor((install.percent * begins.prepare) / 100);
    await scope.showProgress("install-engine", say("installing", { engine: engine.displayName, version: target.version }), percent);
    return wait(progressMs, async () => (await scope.installs.request(target.version)).state !== "installing");
  },
};

const failedLine = { event: "install-failed", message: say("installFailed") } as const satisfies JournalLine;

/**
 * A restart, for new settings or a plan, waits until the release is there: until then, what runs keeps running as it was started. Null if
 * nothing of this version runs.
 */
async function keepRunning(scope: Scope, trouble: string | null): Promise<StepResult | null> {
  const { observed, seen, target } = scope;
  const isRunning = seen.state === "running" && seen.generation === observed.observedGeneration && observed.observedState === "online";
  if (!isRunning || observed.observedVersion !== target.version) return null;
  // Once: a restart that waits has its line in the journal, and operators a count of these lines.
  if (trouble !== null && observed.reasonCode !== failedLine.event) {
    const message = say("restartWaits");
    await scope.observe({ reason: message, reasonCode: failedLine.event }, { event: failedLine.event, message, detail: trouble });
    scope.log.error({ workspaceId: scope.workspace.id, detail: trouble }, "a workspace keeps running, but cannot be restarted");
  }
  scope.target = { version: target.version, generation: observed.observedGeneration };
  return { kind: "done", againMs: trouble === null ? progressMs : retryMs };
}
