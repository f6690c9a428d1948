/** The control plane sets the owner's plan here, and reads the usage. */
import { randomUUID } from "node:crypto";
import type { KnownPlan } from "../../../workspace-side/known-plan.mts";
import type { UsageStore } from "../../../workspace-side/usage-store.mts";
import { countedWorkflows } from "./active-workflows.mts";
import type { EditorRequests } from "../editor/editor-requests.mts";
import type { Handler, HookContext, Internals } from "../internals.mts";
import type { WorkflowCounts } from "./workflow-counts.mts";

const mostCounters = 1000;

/** POST /_slipway/plan: sets the plan: 200; an invalid one: 422. */
export function createPlanHandler(plan: KnownPlan, apply: () => void): Handler {
  return (request, response) => {
    if (!plan.save(request.body)) return response.status(422).json({ message: "this is not a plan" });
    apply();
    response.status(200).json({ message: "plan kept" });
  };
}

interface Reported {
  plan: KnownPlan;
  usage: UsageStore;
  workflows: WorkflowCounts;
  requests: EditorRequests;
}

/** GET /_slipway/usage: reading changes nothing. */
export function createUsageHandler(
  context: HookContext,
  internals: Internals,
  { plan, usage, workflows: counts, requests }: Reported,
): Handler {
  const life = randomUUID();
  return async (_request, response) => {
    const activeWorkflows = (await countedWorkflows(context)).length;
    const workflows = await context.dbCollections.Workflow.count({ where: { isArchived: false } });
    // In this order: an execution that ends in between is in the first figure, and those in the second were counted.
    const unfinished = await internals.countUnfinished();
    const succeeded = await internals.countSucceeded();
    // The newest: a workspace that restarts often has one for each start.
    const counters = usage.counters().slice(-mostCounters);
    response.json({
      plan: plan.read()?.fingerprint ?? null,
      executions: plan.used(),
      activeWorkflows,
      workflows,
      statistics: { life, succeeded, unfinished },
      counters,
      busiest: counts.busiest(),
      requests: requests.open(),
    });
  };
}

/** POST /_slipway/requests/done: drops the editor's requests that the control plane has completed. */
export function createRequestsDoneHandler(requests: EditorRequests): Handler {
  return (request, response) => {
    requests.done((request.body as { ids?: unknown } | undefined)?.ids);
    response.json({ message: "forgotten" });
  };
}
