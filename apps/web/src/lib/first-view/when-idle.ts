import { useEffect } from "react";
import { isServiceThere } from "../faults/chunk-reload.ts";

/** How long prefetching then waits for the browser to be idle. */
const idleTimeoutMs = 2_000;

type Schedule = (run: () => void, options: { timeout: number }) => unknown;

/** Prefetching starts only after this time. A browser is also idle while a page waits for its answers, which prefetching would delay. */
const pageFirstMs = 2_000;

/** Safari has no idle callback; there it waits the whole time. */
const scheduleIdle: Schedule = (run, options) =>
  setTimeout(
    () => (typeof requestIdleCallback === "function" ? requestIdleCallback(run, options) : setTimeout(run, options.timeout)),
    pageFirstMs,
  );

const fetched = new WeakSet<() => Promise<unknown>>();

/** Whether this function has fetched its part, which is then there without a network, too. */
export const isFetched = (load: () => Promise<unknown>): boolean => fetched.has(load);

/**
 * Runs `fetchAhead` once the browser has time. Its failure is ignored, because nothing waits for it. Without the
 * service nothing is fetched: a browser that failed to fetch a chunk never fetches it again for the same page.
 */
export function whenIdle(fetchAhead: () => Promise<unknown>, schedule: Schedule = scheduleIdle, isThere = isServiceThere): void {
  const start = async () => {
    if (!(await isThere())) return;
    await fetchAhead();
    fetched.add(fetchAhead);
  };
  schedule(() => void start().catch(() => {}), { timeout: idleTimeoutMs });
}

/** Fetches a part of the page that is shown later, so that it is ready when needed. `load` must stay the same function. */
export function usePrefetch(load: () => Promise<unknown>): void {
  useEffect(() => whenIdle(load), [load]);
}
