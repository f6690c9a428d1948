import { say } from "#contract/sentences/say.ts";
import { done, progressMs, type Step } from "../reconcile/step.ts";
import { isChanging, openUpdate, closeOverruled } from "./open-update.ts";
import { takeBack } from "./end-update.ts";

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
      // If another new version has already changed the files, the step that owns the snapshot handles it.
      if (update.snapshotAt) return done;
      const reason = say("versionNotInstalled", { engine: engine.displayName, version: desired });
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
