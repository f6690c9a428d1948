/** The steps that bring a workspace to rest, and those that remove it. What is already gone is fine. */
import { beginStory } from "#domain/workspaces/stories/begin-story.ts";
import { ChangeClosed } from "#domain/workspaces/stories/change-closed.ts";
import { isStillDesired } from "#domain/workspaces/observed/observation-store.ts";
import { backUpLast } from "./back-up-last.ts";
import { closeAndLetFinish } from "./let-finish.ts";
import { done, type Step } from "../step.ts";

const closeGateway: Step = {
  name: "close-gateway",
  async run(scope) {
    if (scope.workspace.gatewayOpen) await closeAndLetFinish(scope, () => scope.observe({ gatewayOpen: false }));
    return done;
  },
};

const stop: Step = {
  name: "stop",
  async run(scope) {
    if (scope.seen.state !== "running") return done;
    // First forgotten and then ended: for whoever wants it again meanwhile, its absence is no death.
    await scope.observe({ address: null, startedAt: null });
    await scope.driver.ensure(scope.spec(false));
    return done;
  },
};

const markStopped: Step = {
  name: "mark-stopped",
  async run({ workspace, observe, clock }) {
    if (workspace.observedState === "stopped" && workspace.observedGeneration === workspace.generation) return done;
    const line = { event: "stopped", message: "The workspace was stopped." };
    await observe({ ...atRest, observedState: "stopped", observedGeneration: workspace.generation }, line, async (tx) => {
      // Wanted again meanwhile, it has not come to rest, and what was begun since is not to be ended.
      if (!(await isStillDesired(tx, workspace.id, "stopped"))) throw new ChangeClosed(workspace.id);
      await beginStory(tx, workspace.id, "rest", clock.now());
    });
    return done;
  },
};

/**
 * First forgotten and then removed: one that is wanted again from here on, also after a crash, is set up anew and gets its owner before
 * anybody is let in. One that was wanted again before, while its last backup was made, stays as it is.
 */
const remove: Step = {
  name: "remove",
  async run({ workspace, driver, observe }) {
    if (workspace.observedState === "deleted") return done;
    await observe(setUpAnew, undefined, async (tx) => {
      if (!(await isStillDesired(tx, workspace.id, "deleted"))) throw new ChangeClosed(workspace.id);
    });
    await driver.remove(workspace.id);
    return done;
  },
};

const markDeleted: Step = {
  name: "mark-deleted",
  async run({ workspace, observe, clock }) {
    if (workspace.observedState === "deleted" && workspace.observedGeneration === workspace.generation) return done;
    const line = { event: "deleted", message: "The workspace and everything in it was deleted." };
    await observe({ ...atRest, observedState: "deleted", observedGeneration: workspace.generation }, line, async (tx) => {
      if (await isStillDesired(tx, workspace.id, "deleted")) await beginStory(tx, workspace.id, "removal", clock.now());
    });
    return done;
  },
};

const setUpAnew = { observedVersion: null, ownerSetUpAt: null, ownerPassed: null, profilePassedAt: null, unhealthySince: null } as const;
const atRest = {
  address: null,
  startedAt: null,
  progressStep: null,
  progressLabel: null,
  progressPercent: null,
  reason: null,
  reasonCode: null,
} as const;

export const stopSteps: readonly Step[] = [closeGateway, stop, markStopped];
export const deleteSteps: readonly Step[] = [closeGateway, stop, backUpLast, remove, markDeleted];
