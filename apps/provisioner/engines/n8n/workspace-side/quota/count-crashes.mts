/** Executions of a killed process end as crashed when n8n starts again; no hook reports them. */
import type { KnownPlan } from "../../../workspace-side/known-plan.mts";
import type { UsageStore } from "../../../workspace-side/usage-store.mts";
import type { Internals } from "../internals.mts";
import { isCounted } from "./quota.mts";

/** Older ones are no longer relevant to the control plane. */
const newsMs = 7 * 86_400_000;

/**
 * Counts each as failed, once; it was counted as an execution when it began. Returns the ids of their workflows, each once, the newest
 * execution's first: what ran when the process was killed.
 */
export async function countCrashes(internals: Internals, plan: KnownPlan, usage: UsageStore, now: Date): Promise<string[]> {
  const interrupted = new Set<string>();
  for (const { id, mode, startedAt, workflowId } of await internals.listCrashed()) {
    if (!isCounted(mode) || !startedAt || now.getTime() - startedAt.getTime() > newsMs) continue;
    // A restored older database reuses its numbers, so the time is part of the key.
    if (usage.countFailureOnce(`${id} ${startedAt.toISOString()}`, plan.period(), startedAt)) interrupted.add(workflowId);
  }
  return [...interrupted];
}
