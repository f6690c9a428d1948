/** Keeps the delay of an answer from telling what was found. */
import { setTimeout as delay } from "node:timers/promises";

/** Work of some 10 ms disappears in this, on a busy machine too; a person does not notice it. */
const leastMs = 150;

/** Does the work and answers no sooner than 150 ms after it began, failures included. */
export async function inSameTime<T>(work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  try {
    return await work();
  } finally {
    await delay(Math.max(0, leastMs - (performance.now() - startedMs)));
  }
}
