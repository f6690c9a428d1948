/**
 * Active workflows as n8n counts them for its license: those started from outside. In n8n 2, sub-workflows and error workflows must be
 * published to be called at all, and do not count.
 */
import type { HookContext, NodeKinds } from "../internals.mts";

export interface WorkflowNode {
  type: string;
  typeVersion: number;
  disabled?: boolean;
}

/** n8n's own list (TRIGGER_COUNT_EXCLUDED_NODES), and triggers that only a person in the editor starts. */
const uncounted: ReadonlySet<string> = new Set([
  "n8n-nodes-base.executeWorkflowTrigger",
  "n8n-nodes-base.errorTrigger",
  "n8n-nodes-base.manualTrigger",
  "@n8n/n8n-nodes-langchain.manualChatTrigger",
]);

/** Ids of the active workflows that count. n8n writes `triggerCount` a moment after an activation. */
export async function countedWorkflows({ dbCollections }: HookContext): Promise<string[]> {
  const active = await dbCollections.Workflow.find({ select: ["id", "triggerCount"], where: { active: true } });
  return active.filter(({ triggerCount }) => triggerCount > 0).map(({ id }) => id);
}

/** Whether a workflow with these nodes will count once active; unknown nodes count. */
export function isCountedWorkflow(nodes: readonly WorkflowNode[] | undefined, kinds: NodeKinds): boolean {
  if (!nodes) return true;
  return nodes.some(({ type, typeVersion, disabled }) => !disabled && !uncounted.has(type) && kinds.isTrigger(type, typeVersion));
}
