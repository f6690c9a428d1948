/**
 * Collects garbage while the workspace is idle: V8 keeps what a start, an editor or large executions have left, as long as nothing needs
 * the space. A forced collection stops the process for half a second, so it happens only when no execution runs and the process is
 * otherwise idle.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

interface Measured {
  /** Its heap and memory attached to it, whether in memory or paged out. */
  heapMb: number;
  /** Processor time since the start of the process. */
  cpuMs: number;
  /** Time since any fixed moment, by a clock that continues while the process is frozen. */
  atMs: number;
}

interface IdleMemoryOptions {
  /** Whether something runs that must not wait. */
  isBusy(): boolean;
  lookEveryMs?: number;
  /** Replaced in tests. */
  measure?(): Measured;
  collect?(): void;
}

const usualLookMs = 20_000;
/** An idle open editor uses about one hundredth of a processor; a person who works in it uses more. */
const restingShare = 0.05;
/** Less is not worth the pause. */
const grownMb = 40;
/** Two minutes between two collections: a process that keeps filling its memory slowly must not stop at every look. */
const leastLooks = 6;

/** Looks periodically, for as long as the process runs. Returns a function that stops it. */
export function collectWhenIdle(options: IdleMemoryOptions): () => void {
  const { isBusy, lookEveryMs = usualLookMs, measure = measureProcess, collect = forcedCollection() } = options;
  let leastMb: number | undefined;
  let collectedAtMs = -Infinity;
  let before = measure();
  const timer = setInterval(() => {
    const now = measure();
    const isResting = now.cpuMs - before.cpuMs < lookEveryMs * restingShare;
    // It was frozen, and a request has just woken it: a collection would read all of its memory back before the request is answered.
    const wasFrozen = now.atMs - before.atMs > 2 * lookEveryMs;
    before = now;
    if (wasFrozen || !isResting || isBusy()) return;
    if (leastMb !== undefined && now.heapMb < leastMb + grownMb) return void (leastMb = Math.min(leastMb, now.heapMb));
    if (now.atMs - collectedAtMs < leastLooks * lookEveryMs) return;
    collect();
    before = measure();
    collectedAtMs = before.atMs;
    leastMb = before.heapMb;
  }, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

function measureProcess(): Measured {
  const { user, system } = process.cpuUsage();
  const { heapTotal, external } = process.memoryUsage();
  return { heapMb: (heapTotal + external) / 1024 ** 2, cpuMs: (user + system) / 1000, atMs: performance.now() };
}

/** V8's own function, taken from a private context, so that the customer's code cannot call it. */
function forcedCollection(): () => void {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as (how: { type: "major"; flavor: "last-resort" }) => void;
  setFlagsFromString("--no-expose-gc");
  // The first collection leaves what only finalizers free.
  return () => {
    for (const _twice of [1, 2]) gc({ type: "major", flavor: "last-resort" });
  };
}
