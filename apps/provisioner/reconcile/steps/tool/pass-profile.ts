/** Tells an online workspace its owner's answers and choices; domain/journeys/onboarding/save-answers.ts makes it due. */
import { readProfile } from "#domain/workspaces/profile-store.ts";
import { lookAgainMs } from "../../next-look.ts";
import { done, LeaseLost, type Step } from "../../step.ts";

/** Comes last and never fails the pass: the workspace works without the answers, and a pass a minute later tries again. */
export const passProfile: Step = {
  name: "pass-profile",
  async run({ db, workspace, observed, engine, observe, log }) {
    const { profileChangedAt } = workspace;
    const { profilePassedAt } = observed;
    if (profilePassedAt && (!profileChangedAt || profilePassedAt >= profileChangedAt)) return done;
    try {
      const { changedAt, ...profile } = await readProfile(db, workspace.accountId);
      await engine.setProfile(observed.address!, workspace.id, { username: workspace.accountName, ...profile });
      // The time of the answers, not of sending them: an answer given since then is newer.
      await observe({ profilePassedAt: changedAt });
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      log.warn({ err: error, workspaceId: workspace.id }, "a workspace could not be told about its owner");
      return { kind: "done", againMs: lookAgainMs };
    }
    return done;
  },
};
