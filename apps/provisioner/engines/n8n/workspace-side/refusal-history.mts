/** Refused executions push real ones out of a history that is bounded: one for each workflow and hour tells its owner enough. */
import type { HookContext, Internals } from "./internals.mts";

const hourMs = 3_600_000;
/** By then n8n has written down what it tells of; a process that ends before leaves a few more. */
const settledMs = 3000;

export interface RefusalHistory {
  /** A call was refused before n8n heard of it: leaves one failed execution with these words, if it is the hour's first. */
  keepRefusedCall(workflowId: string, words: string): Promise<void>;
  /** n8n refused an execution and writes it down: takes it away again, unless it is the hour's first. */
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
    executions.forget(ids).catch((error: Error) => console.warn(`refused executions were not taken away: ${error.message}`));
  };

  return {
    keepRefusedCall: async (workflowId, words) => {
      if (!isFirst(workflowId)) return;
      // Telling the owner is worth no caller's answer.
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
