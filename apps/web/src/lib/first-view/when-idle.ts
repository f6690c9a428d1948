import { useEffect } from "react";

/** Prefetching starts only after this time, and then waits until the browser is idle, for at most 2 s. */
const idleTimeoutMs = 2_000;

type Schedule = (run: () => void, options: { timeout: number }) => unknown;

/** A browser is also idle while a page waits for its own answers: on a slow network, prefetching would delay them. */
const pageFirstMs = 2_500;

/** Safari has no idle callback; there it waits the whole time. */
const scheduleIdle: Schedule = (run, options) =>
  setTimeout(
    () => (typeof requestIdleCallback === "function" ? requestIdleCallback(run, options) : setTimeout(run, options.timeout)),
    pageFirstMs,
  );

/** Runs `fetchAhead` once the browser has time. Its failure is ignored, because nothing waits for it. */
export function whenIdle(fetchAhead: () => Promise<unknown>, schedule: Schedule = scheduleIdle): void {
  schedule(() => void fetchAhead().catch(() => {}), { timeout: idleTimeoutMs });
}

/** Fetches a part of the page that is shown later, so that it is ready when needed. `load` must stay the same function. */
export function usePrefetch(load: () => Promise<unknown>): void {
  useEffect(() => whenIdle(load), [load]);
}
