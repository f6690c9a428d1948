/** Executions that a killed process left behind end as crashed while n8n starts again; no hook hears of that. */
import type { KnownPlan } from "../../workspace-side/known-plan.mts";
import type { UsageStore } from "../../workspace-side/usage-store.mts";
import type { Internals } from "./internals.mts";
import { isCounted } from "./quota.mts";

/** Older ones are no news to the control plane. */
const newsMs = 7 * 86_400_000;

/** Counts each as failed, once; it was counted as an execution when it began. */
export async function countCrashes(internals: Internals, plan: KnownPlan, usage: UsageStore, now: Date): Promise<void> {
  for (const { id, mode, startedAt } of await internals.listCrashed()) {
    if (!isCounted(mode) || !startedAt || now.getTime() - startedAt.getTime() > newsMs) continue;
    // An older database that was restored gives its numbers again: the time tells them apart.
    usage.countFailureOnce(`${id} ${startedAt.toISOString()}`, plan.period(), startedAt);
  }
}
