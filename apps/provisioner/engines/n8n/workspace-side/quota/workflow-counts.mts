/**
 * How often each workflow ran in this usage period, for a list that its owner sees; the plan's limits are counted elsewhere. Kept in
 * memory, and saved when the control plane reads it: a killed process loses at most about a minute's counts.
 */
import type { KnownPlan } from "../../../workspace-side/known-plan.mts";
import type { UsageStore } from "../../../workspace-side/usage-store.mts";

interface CountedWorkflow {
  id: string;
  name: string;
  executions: number;
  failed: number;
}

/** The workflow in the form in which n8n's hooks name it. */
export interface RunWorkflow {
  id?: string | undefined;
  name?: string | undefined;
}

export interface WorkflowCounts {
  countExecution(workflow: RunWorkflow): void;
  countFailure(workflow: RunWorkflow): void;
  /** Of the period that begins then (ISO), the busiest first. */
  busiest(): { period: string; workflows: CountedWorkflow[] };
}

const textName = "workflows";
/** About 60 KB. Beyond them, the workflow that ran least is replaced by one that has not run yet. */
const mostKept = 500;
/** As many as a page can show. */
const mostTold = 20;
const longestName = 100;

export function createWorkflowCounts(store: UsageStore, plan: KnownPlan): WorkflowCounts {
  let { period, workflows } = parse(store.readText(textName));
  let isSaved = true;

  const turn = (): void => {
    const current = plan.period();
    if (current === period) return;
    period = current;
    workflows = new Map();
    isSaved = false;
  };

  const find = ({ id, name }: RunWorkflow): CountedWorkflow | undefined => {
    if (typeof id !== "string") return undefined;
    turn();
    isSaved = false;
    const known = workflows.get(id) ?? { id, name: "", executions: 0, failed: 0 };
    if (!workflows.has(id) && workflows.size >= mostKept) workflows.delete(leastBusy(workflows));
    known.name = String(name ?? "").slice(0, longestName);
    workflows.set(id, known);
    return known;
  };

  return {
    countExecution(workflow) {
      const counted = find(workflow);
      if (counted) counted.executions += 1;
    },
    countFailure(workflow) {
      const counted = find(workflow);
      if (counted) counted.failed += 1;
    },
    busiest() {
      turn();
      const all = [...workflows.values()].toSorted((one, other) => other.executions - one.executions);
      if (!isSaved) store.saveText(textName, JSON.stringify({ period, workflows: all }));
      isSaved = true;
      return { period, workflows: all.slice(0, mostTold) };
    },
  };
}

function leastBusy(workflows: ReadonlyMap<string, CountedWorkflow>): string {
  let [least] = workflows.values();
  for (const each of workflows.values()) if (each.executions < least!.executions) least = each;
  return least!.id;
}

/** The file is the customer's as well, and may contain anything. */
function parse(text: string | undefined): { period: string; workflows: Map<string, CountedWorkflow> } {
  try {
    const { period, workflows } = JSON.parse(text ?? "{}") as { period?: unknown; workflows?: unknown };
    const kept = (Array.isArray(workflows) ? (workflows as Partial<CountedWorkflow>[]) : []).filter(
      (each): each is CountedWorkflow =>
        typeof each?.id === "string" &&
        typeof each.name === "string" &&
        Number.isSafeInteger(each.executions) &&
        Number.isSafeInteger(each.failed),
    );
    return { period: String(period ?? ""), workflows: new Map(kept.slice(0, mostKept).map((each) => [each.id, { ...each }])) };
  } catch {
    return { period: "", workflows: new Map() };
  }
}
