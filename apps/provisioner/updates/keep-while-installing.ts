import { say } from "#contract/sentences/say.ts";
import { endReasons, unplacedReasons } from "#domain/workspaces/stories/stories.ts";
import { minuteMs, secondMs, sinceMs } from "#platform/clock.ts";
import { done, leave, progressMs, type Step } from "../reconcile/step.ts";
import { isChanging, openUpdate, closeOverruled } from "./open-update.ts";
import { takeBack } from "./end-update.ts";

/** For how long a release that this program does not know is left to workers of another version. */
const leavesForMs = minuteMs;
/** Afterwards, such a version is given up. It is longer than all workers take to be replaced, one after another. */
const knownWithinMs = 10 * minuteMs;

/**
 * While the desired release is being installed, the current one keeps running, and the steps of this pass apply to it. A release that
 * cannot be installed is given up.
 */
export const keepWhileInstalling: Step = {
  name: "keep-while-installing",
  async run(scope) {
    const { observed, installs, engine } = scope;
    const desired = scope.target.version;
    if (!isChanging(scope)) await closeOverruled(scope);
    if (!isChanging(scope)) return done;
    const install = await installs.request(desired);
    if (install.state === "installed") return done;
    if (install.state === "failed") {
      const update = await openUpdate(scope);
      // Workers of two versions of this program share the fleet while they are replaced: the one that knows the release changes it.
      const forMs = sinceMs(update.snapshotAt ?? update.startedAt, scope.clock.now());
      if (install.isUnknown && forMs < (update.snapshotAt ? knownWithinMs : leavesForMs)) return leave;
      if (install.isUnknown && !update.snapshotAt && forMs < knownWithinMs) {
        scope.target = { version: observed.observedVersion!, generation: observed.observedGeneration };
        return { kind: "done", againMs: 10 * secondMs };
      }
      // If another new version has already changed the files, the step that owns the snapshot handles it.
      if (update.snapshotAt) return done;
      const reason = install.isUnknown
        ? endReasons.unknown
        : install.mayBeThere
          ? unplacedReasons["no-image"]
          : say("versionNotInstalled", { engine: engine.displayName, version: desired });
      await takeBack(scope, update, { state: "failed", reason, event: "update-failed", detail: install.reason });
      return done;
    }
    const isRunningOld =
      scope.seen.state === "running" && scope.seen.generation === observed.observedGeneration && observed.observedState === "online";
    if (!isRunningOld) return done;
    const percent = Math.floor(install.percent / 2);
    if (observed.progressPercent !== percent || observed.progressStep !== "install-engine") {
      await scope.observe({
        progressStep: "install-engine",
        progressLabel: say("installingBeside", { engine: engine.displayName, version: desired }),
        progressPercent: percent,
      });
    }
    scope.target = { version: observed.observedVersion!, generation: observed.observedGeneration };
    return { kind: "done", againMs: progressMs };
  },
};
