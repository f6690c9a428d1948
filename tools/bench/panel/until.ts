import { setTimeout as sleep } from "node:timers/promises";

const usualTimeoutMs = 120_000;

/** Waits until it is true; an error counts as "not yet". Throws after two minutes, or `timeoutMs`. */
export async function until(check: () => Promise<boolean>, everyMs = 100, timeoutMs = usualTimeoutMs): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await check().catch(() => false))) {
    if (performance.now() > deadlineMs) throw new Error(`this took longer than ${Math.round(timeoutMs / 1000)} s`);
    await sleep(everyMs);
  }
}
