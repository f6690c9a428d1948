/** The steps that bring a workspace to rest, and those that remove it. What is already gone is fine. */
import { closeAll, closedBy, closeWaiting } from "#domain/workspaces/close-changes.ts";
import { backUpLast } from "./back-up-last.ts";
import { closeAndLetFinish } from "./let-finish.ts";
import { done, type Step } from "./step.ts";

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
    if (scope.seen.state === "running") await scope.driver.ensure(scope.spec(false));
    return done;
  },
};

const markStopped: Step = {
  name: "mark-stopped",
  async run({ workspace, observe, clock }) {
    if (workspace.observedState === "stopped" && workspace.observedGeneration === workspace.generation) return done;
    const line = { event: "stopped", message: "The workspace was stopped." };
    await observe({ ...atRest, observedState: "stopped", observedGeneration: workspace.generation }, line, (tx) => closeWaiting(tx, workspace.id, closedBy.stop, clock.now()));
    return done;
  },
};

const remove: Step = {
  name: "remove",
  async run({ workspace, driver }) {
    if (workspace.observedState !== "deleted") await driver.remove(workspace.id);
    return done;
  },
};

const markDeleted: Step = {
  name: "mark-deleted",
  async run({ workspace, observe, clock }) {
    if (workspace.observedState === "deleted") return done;
    const line = { event: "deleted", message: "The workspace and everything in it was deleted." };
    await observe({ ...atRest, observedState: "deleted", observedGeneration: workspace.generation }, line, (tx) => closeAll(tx, workspace.id, clock.now()));
    return done;
  },
};

const atRest = { address: null, startedAt: null, progressStep: null, progressLabel: null, progressPercent: null, reason: null, reasonCode: null } as const;

export const stopSteps: readonly Step[] = [closeGateway, stop, markStopped];
export const deleteSteps: readonly Step[] = [closeGateway, stop, backUpLast, remove, markDeleted];
