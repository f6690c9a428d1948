/**
 * The step that lets running executions finish before a change stops their workspace: n8n itself would cut a Code node after 24 s. The
 * workspace stays open meanwhile, so that no webhook waits for them.
 */
import { say } from "#contract/sentences/say.ts";
import { begins, done, progressMs, type Scope, type Step } from "../step.ts";

/** Ahead of a start's first part, so that this is replaced by it. */
const percent = begins.prepare - 1;

/**
 * Waits only for the executions that ran when the wait began: in a busy workspace some always run. Until then, the steps of this pass apply to
 * the workspace as it runs. One that does not answer is not waited for, because its restart may be the remedy.
 */
export const finishExecutions: Step = {
  name: "finish-executions",
  async run(scope) {
    const { observed, clock, finishMs = 0 } = scope;
    if (!isAboutToStop(scope)) {
      if (observed.finishingSince !== null && scope.seen.state === "running") await scope.observe({ finishingSince: null });
      return done;
    }
    const since = observed.finishingSince ?? clock.now();
    const waitedMs = clock.now().getTime() - since.getTime();
    // After a clock was set back, the length of the wait is unknown.
    if (waitedMs < 0 || waitedMs >= finishMs) return done;
    const count = await countRunning(scope, since);
    if (count === 0) return done;
    const progressLabel = say("finishing", { count, seconds: Math.ceil(finishMs / 1000) });
    if (observed.finishingSince === null || observed.progressLabel !== progressLabel)
      await scope.observe({ finishingSince: since, progressStep: "prepare", progressLabel, progressPercent: percent });
    scope.target = { version: observed.observedVersion!, generation: observed.observedGeneration };
    return { kind: "done", againMs: progressMs };
  },
};

/** It runs as it was requested before, and its visitors are let in. */
function isAboutToStop({ observed, target, seen, engine }: Scope): boolean {
  const isOpen = observed.gatewayOpen && observed.address !== null && observed.observedVersion !== null;
  const isAsBefore = seen.state === "running" && seen.generation === observed.observedGeneration && observed.observedState === "online";
  return (
    isOpen && isAsBefore && seen.generation !== target.generation && observed.unhealthySince === null && engine.countRunning !== undefined
  );
}

async function countRunning({ engine, observed, workspace, log }: Scope, since: Date): Promise<number> {
  try {
    return await engine.countRunning!(observed.address!, workspace.id, since);
  } catch (err) {
    log.warn({ err, workspaceId: workspace.id }, "a workspace could not be asked for its running executions before its restart");
    return 0;
  }
}
