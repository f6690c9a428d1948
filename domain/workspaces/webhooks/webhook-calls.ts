/**
 * Calls of a workspace's webhooks over a period, and how fast it answered them. Times are counted in classes, which can be added up across
 * gateways and hours.
 */

/**
 * The upper ends of the classes, in ms; one more class has everything slower. From 10 ms to 5 s, where webhooks answer, each bound is at
 * most twice the one before, so that a median is off by less than half its value; beyond that a caller has usually given up.
 */
export const latencyBoundsMs = [
  5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 10_000, 30_000, 60_000,
] as const;

export interface WebhookCalls {
  /** All calls. Those neither in `clientErrors` nor in `failed` were answered with 2xx or 3xx. */
  calls: number;
  /** Answered with 4xx, except those counted as failed. */
  clientErrors: number;
  /** Refused, answered with 5xx, or not answered. */
  failed: number;
  /** Held until the workspace was awake or had started. They are not counted in `latency`. */
  waited: number;
  /** Answered calls by class of `latencyBoundsMs`, from the shortest times to the longest. */
  latency: number[];
}

export const noCalls = (): WebhookCalls => ({
  calls: 0,
  clientErrors: 0,
  failed: 0,
  waited: 0,
  latency: Array.from({ length: latencyBoundsMs.length + 1 }, () => 0),
});

/** Adds to `sum`, in place. */
export function addCalls(sum: WebhookCalls, more: WebhookCalls): void {
  sum.calls += more.calls;
  sum.clientErrors += more.clientErrors;
  sum.failed += more.failed;
  sum.waited += more.waited;
  for (const [place, count] of more.latency.entries()) sum.latency[place]! += count;
}

/** The index in `latency` of an answer that took this long. */
export function latencyClass(ms: number): number {
  let place = 0;
  while (place < latencyBoundsMs.length && ms > latencyBoundsMs[place]!) place += 1;
  return place;
}

/** How many ms this share (0 to 1) of the answers took at most, evenly spread within a class; null without answers. */
export function latencyAt(latency: readonly number[], share: number): number | null {
  const wanted = latency.reduce((sum, count) => sum + count, 0) * share;
  let before = 0;
  for (const [place, count] of latency.entries()) {
    if (count > 0 && before + count >= wanted) {
      const [from, to] = [latencyBoundsMs[place - 1] ?? 0, latencyBoundsMs[place] ?? latencyBoundsMs.at(-1)!];
      return Math.round(from + (to - from) * ((wanted - before) / count));
    }
    before += count;
  }
  return null;
}
