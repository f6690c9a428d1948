/** Gives the owner inside the tool the e-mail address and name that the panel knows them by. */
import { EngineRefusal } from "../../engines/engine.ts";
import { done, LeaseLost, type Step } from "../step.ts";

/** Never fails the pass. What the owner changes inside the tool stays until they change it in the panel. */
export const passOwner: Step = {
  name: "pass-owner",
  async run({ workspace, engine, observe, log }) {
    const { ownerEmail: email, ownerFullName: fullName } = workspace;
    const ownerPassed = ownerText(workspace);
    if (workspace.ownerPassed === ownerPassed || !engine.updateOwner) return done;
    try {
      await engine.updateOwner(workspace.address!, workspace.id, { email, fullName });
      await observe({ ownerPassed }, { event: "owner-changed", message: `You are ${email} in the workspace now, too.` });
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      if (!(error instanceof EngineRefusal)) {
        log.warn({ err: error, workspace: workspace.id }, "a workspace could not be told its owner's new address");
        return done;
      }
      // Asking again would be refused again: until the address changes once more, the tool keeps the old one.
      await observe(
        { ownerPassed },
        {
          event: "owner-kept",
          message: `Inside the workspace you keep your old email address: ${email} is somebody else's there.`,
          detail: error.message,
        },
      );
    }
    return done;
  },
};

/** The owner as one text, to compare. */
export const ownerText = ({ ownerEmail, ownerFullName }: { ownerEmail: string; ownerFullName: string }): string =>
  `${ownerEmail} ${ownerFullName}`;
