/** Keeps the delay of an answer from revealing what was found. */
import { setTimeout as delay } from "node:timers/promises";

/** Hides work of some 10 ms, on a busy machine too; a person does not notice it. */
const leastMs = 150;

/** Does the work and answers no earlier than 150 ms after it began, failures included. */
export async function inSameTime<T>(work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  try {
    return await work();
  } finally {
    await delay(Math.max(0, leastMs - (performance.now() - startedMs)));
  }
}
