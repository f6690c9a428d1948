/** Passes its owner's changed variables to a running workspace; domain/journeys/workspace-variables/change-variables.ts makes it due. */
import { restartForVariables } from "#domain/workspaces/settings/settings-store.ts";
import { lookAgainMs } from "../../next-look.ts";
import { done, LeaseLost, type Step } from "../../step.ts";

/** Never fails the pass: the workspace works with its previous variables, and a pass a minute later tries again. A start passes them as well. */
export const passVariables: Step = {
  name: "pass-variables",
  async run({ workspace, observed, engine, described, observe, clock, log }) {
    const { variablesRevision: revision } = workspace;
    if (!engine.setVariables || observed.variablesPassed === revision) return done;
    try {
      if (await engine.setVariables(observed.address!, described(true))) {
        await observe({ variablesPassed: revision });
        return done;
      }
      log.info({ workspaceId: workspace.id }, "a workspace is restarted for its variables: its process is from an earlier release");
      await observe({ variablesPassed: revision }, undefined, (tx) => restartForVariables(tx, workspace.id, clock.now()));
      return done;
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      log.warn({ err: error, workspaceId: workspace.id }, "a workspace could not be given its owner's variables");
      return { kind: "done", againMs: lookAgainMs };
    }
  },
};
