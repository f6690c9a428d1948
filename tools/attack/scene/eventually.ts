import { setTimeout as delay } from "node:timers/promises";

/** Retries until there is a value and returns it; rejects after `timeoutMs`. */
export async function eventually<Value>(
  what: string,
  look: () => Promise<Value | undefined>,
  timeoutMs = 60_000,
  everyMs = 100,
): Promise<Value> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadlineMs) throw new Error(`${what}: not within ${timeoutMs} ms`);
    await delay(everyMs);
  }
}
