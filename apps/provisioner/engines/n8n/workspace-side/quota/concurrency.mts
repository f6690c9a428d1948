/**
 * Runs as many executions of webhooks and triggers at a time as the plan allows. The others wait in n8n's own queue, in the order in which
 * they came; they are rows of its database, so a restart continues them.
 */
import { getHeapStatistics } from "node:v8";
import type { KnownPlan } from "../../../workspace-side/known-plan.mts";
import type { Internals } from "../internals.mts";

/** Each waiting call keeps its body in memory. */
const mostWaiting = 100;
/**
 * Of the memory for n8n's objects, here with the bodies that are not objects yet, above which no further call joins those that wait: the rest is
 * for those that run.
 */
const shareForWaiting = 0.7;

export interface Concurrency {
  /** Call it after each change of the plan. */
  apply(): void;
  /** Executions that run at a time; -1: no limit. */
  limit(): number;
  /** Takes a place among the calls whose executions have not begun. Undefined: too many wait already. */
  enter(): (() => void) | undefined;
}

export function createConcurrency({ productionQueue }: Internals, plan: KnownPlan, memoryShare = usedMemoryShare): Concurrency {
  const limit = (): number => plan.read()?.limits.concurrentExecutions ?? -1;
  let waiting = 0;
  return {
    apply: () => productionQueue.setLimit(limit()),
    limit,
    enter: () => {
      if (waiting >= mostWaiting || (waiting > 0 && memoryShare() > shareForWaiting)) return undefined;
      waiting += 1;
      let hasLeft = false;
      return () => {
        if (!hasLeft) waiting -= 1;
        hasLeft = true;
      };
    },
  };
}

/** A body that has just arrived is outside of the heap; its objects will be inside. */
export function usedMemoryShare(): number {
  const { used_heap_size: used, external_memory: outside, heap_size_limit: limit } = getHeapStatistics();
  return (used + outside) / limit;
}
