/** Refused executions would push real ones out of the limited history: one per workflow and hour tells the owner enough. */
import type { HookContext, Internals } from "../internals.mts";

const hourMs = 3_600_000;
/** By then n8n has saved the execution; a process that ends earlier leaves a few more. */
const settledMs = 3000;

export interface RefusalHistory {
  /** A call was refused before n8n saw it: adds a failed execution with this message, if it is the first of the hour. */
  keepRefusedCall(workflowId: string, words: string): Promise<void>;
  /** n8n refused an execution and saved it: deletes it, unless it is the first of the hour. */
  settleRefusedExecution(workflowId: string, executionId: string): void;
}

export function createRefusalHistory(context: HookContext, { executions }: Pick<Internals, "executions">, now: () => Date): RefusalHistory {
  const keptMs = new Map<string, number>();
  let leaving: string[] = [];

  const isFirst = (workflowId: string): boolean => {
    const nowMs = now().getTime();
    for (const [id, sinceMs] of keptMs) if (nowMs - sinceMs >= hourMs) keptMs.delete(id);
    if (keptMs.has(workflowId)) return false;
    keptMs.set(workflowId, nowMs);
    return true;
  };
  const forget = (): void => {
    const ids = leaving;
    leaving = [];
    executions.forget(ids).catch((error: Error) => console.warn(`refused executions were not removed: ${error.message}`));
  };

  return {
    keepRefusedCall: async (workflowId, words) => {
      if (!isFirst(workflowId)) return;
      // The caller's answer does not depend on this record.
      await executions
        .keepRefused(context, workflowId, words)
        .catch((error: Error) => console.warn(`a refused call was not written down: ${error.message}`));
    },
    settleRefusedExecution: (workflowId, executionId) => {
      if (isFirst(workflowId)) return;
      if (leaving.length === 0) setTimeout(forget, settledMs).unref();
      leaving.push(executionId);
    },
  };
}
