/** The step that installs the release on this host. */
import { say } from "#contract/sentences/say.ts";
import { rollBackUninstalled } from "../../updates/roll-back.ts";
import { begins, progressMs, done, wait, type Step } from "../step.ts";

export const installEngine: Step = {
  name: "install-engine",
  async run(scope) {
    const { target, engine } = scope;
    const install = await scope.installs.request(target.version);
    if (install.state === "installed") return done;
    if (install.state === "failed") {
      const rolledBack = await rollBackUninstalled(scope);
      if (rolledBack) return rolledBack;
      return {
        kind: "failed",
        event: "install-failed",
        reason: say("installFailed"),
        detail: install.reason,
        retryAt: install.retryAt,
      };
    }
    const percent = begins.install + Math.floor((install.percent * begins.prepare) / 100);
    await scope.showProgress("install-engine", say("installing", { engine: engine.displayName, version: target.version }), percent);
    return wait(progressMs, async () => (await scope.installs.request(target.version)).state !== "installing");
  },
};
