/** The neighbour's latency during an attack, compared with quiet moments just before and after, in the same run. */
import { setTimeout as delay } from "node:timers/promises";
import type { Latency } from "./attack.ts";
import type { Scene } from "./scene/scene.ts";

const quietCalls = 12;
const loadedCalls = 40;
/** An attack needs a moment to take full effect. */
const beginMs = 700;

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? NaN;

/**
 * Starts `attack` and calls the neighbour until it ends. `look` is called between these calls, never during one. For a neighbour that fails
 * to answer, the time until the failure counts.
 */
export async function measureLatency(scene: Scene, attack: () => Promise<unknown>, look: () => void): Promise<Latency> {
  const quiet = await callTimes(scene, quietCalls);
  let running = true;
  let trouble: unknown;
  const ended = attack()
    .catch((error: unknown) => (trouble = error))
    .finally(() => (running = false));
  await delay(beginMs);
  look();
  const loaded: number[] = [];
  while (running && loaded.length < loadedCalls) {
    loaded.push(...(await callTimes(scene, 1)));
    if (loaded.length % 4 === 0) look();
  }
  while (running) {
    look();
    await Promise.race([ended, delay(250)]);
  }
  await delay(beginMs);
  quiet.push(...(await callTimes(scene, quietCalls)));
  if (loaded.length === 0) throw new Error("the attack was over before the neighbour could be asked", { cause: trouble });
  const [quietMs, medianMs] = [percentile(quiet, 0.5), percentile(loaded, 0.5)];
  return { ratio: medianMs / quietMs, quietMs, medianMs, quietP95Ms: percentile(quiet, 0.95), p95Ms: percentile(loaded, 0.95) };
}

async function callTimes(scene: Scene, calls: number): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const startedAt = performance.now();
    const answer = await scene.callNeighbour();
    times.push(performance.now() - startedAt);
    if (answer.status !== 200) throw new Error(`the neighbour answers ${answer.status}: ${answer.text.slice(0, 200)}`);
    await delay(20);
  }
  return times;
}
