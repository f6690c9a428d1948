/** The control plane says what the owner has bought, and asks what was used. */
import { randomUUID } from "node:crypto";
import type { KnownPlan } from "../../workspace-side/known-plan.mts";
import type { UsageStore } from "../../workspace-side/usage-store.mts";
import { countedWorkflows } from "./active-workflows.mts";
import type { EditorRequests } from "./editor-requests.mts";
import type { Handler, HookContext, Internals } from "./internals.mts";

const mostCounters = 1000;

/** POST /_slipway/plan: goes by this plan from now on: 200; anything that is none: 422. */
export function createPlanHandler(plan: KnownPlan): Handler {
  return (request, response) =>
    plan.save(request.body)
      ? response.status(200).json({ message: "plan kept" })
      : response.status(422).json({ message: "this is no plan" });
}

/** GET /_slipway/usage: asking changes nothing. */
export function createUsageHandler(
  context: HookContext,
  internals: Internals,
  plan: KnownPlan,
  usage: UsageStore,
  requests: EditorRequests,
): Handler {
  const life = randomUUID();
  return async (_request, response) => {
    const activeWorkflows = (await countedWorkflows(context)).length;
    // In this order: whatever ends in between is in the first, and what is in the second was counted.
    const unfinished = await internals.countUnfinished();
    const succeeded = await internals.countSucceeded();
    // The newest: a workspace that starts again and again has one for each start.
    const counters = usage.counters().slice(-mostCounters);
    response.json({
      plan: plan.read()?.fingerprint ?? null,
      executions: plan.used(),
      activeWorkflows,
      statistics: { life, succeeded, unfinished },
      counters,
      requests: requests.open(),
    });
  };
}

/** POST /_slipway/requests/done: forgets what the control plane has done of what the editor asked for. */
export function createRequestsDoneHandler(requests: EditorRequests): Handler {
  return (request, response) => {
    requests.done((request.body as { ids?: unknown } | undefined)?.ids);
    response.json({ message: "forgotten" });
  };
}
