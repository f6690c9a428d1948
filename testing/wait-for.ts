/** Waiting for a condition, in tests and in tools that run without a test runner. */
import { setTimeout as sleep } from "node:timers/promises";

/** Retries until `attempt` no longer throws and resolves with its result; rejects with its last error when the time is over. */
export async function waitFor<Value>(
  attempt: () => Value | Promise<Value>,
  { timeout, interval }: { timeout: number; interval: number },
): Promise<Value> {
  const deadline = performance.now() + timeout;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(interval);
    }
  }
}
