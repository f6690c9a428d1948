/** The steps that create the owner inside the tool, and keep their e-mail address and name the same as in the panel. */
import { say } from "#contract/sentences/say.ts";
import { EngineRefusal } from "../../../engines/engine.ts";
import { lookAgainMs } from "../../next-look.ts";
import { begins, done, LeaseLost, type Step } from "../../step.ts";

export const setUpOwner: Step = {
  name: "set-up-owner",
  async run(scope) {
    const { workspace, observed, engine } = scope;
    if (observed.ownerSetUpAt) return done;
    await scope.showProgress("set-up-owner", say("settingUpOwner"), begins.owner);
    await engine.setUpOwner(observed.address!, workspace.id, { email: workspace.ownerEmail, fullName: workspace.ownerFullName });
    await scope.observe({ ownerSetUpAt: scope.clock.now(), ownerPassed: ownerText(workspace) });
    return done;
  },
};

/** Never fails the pass. What the owner changes inside the tool stays until they change it in the panel. */
export const passOwner: Step = {
  name: "pass-owner",
  async run({ workspace, observed, engine, observe, log }) {
    const { ownerEmail: email, ownerFullName: fullName } = workspace;
    const ownerPassed = ownerText(workspace);
    if (observed.ownerPassed === ownerPassed || !engine.updateOwner) return done;
    try {
      await engine.updateOwner(observed.address!, workspace.id, { email, fullName });
      await observe({ ownerPassed }, { event: "owner-changed", message: say("ownerChanged", { email }) });
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      if (!(error instanceof EngineRefusal)) {
        log.warn({ err: error, workspaceId: workspace.id }, "a workspace could not be told its owner's new address");
        return { kind: "done", againMs: lookAgainMs };
      }
      // Another attempt would be refused again: until the address changes once more, the tool keeps the old one.
      await observe(
        { ownerPassed },
        {
          event: "owner-kept",
          message: say("ownerKept", { email }),
          detail: error.message,
        },
      );
    }
    return done;
  },
};

/** The owner as one string, for comparison. */
const ownerText = ({ ownerEmail, ownerFullName }: { ownerEmail: string; ownerFullName: string }): string =>
  `${ownerEmail} ${ownerFullName}`;
