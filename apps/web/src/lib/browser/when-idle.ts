/** Prefetching waits until the browser is idle, for at most 2 s. */
export const idleTimeoutMs = 2_000;

type Schedule = (run: () => void, options: { timeout: number }) => unknown;

/** Safari has no idle callback; there it waits the whole time. */
const scheduleIdle: Schedule = (run, options) =>
  typeof requestIdleCallback === "function" ? requestIdleCallback(run, options) : setTimeout(run, options.timeout);

/** Runs `fetchAhead` once there is time for it. Its failure is ignored, because nothing waits for it. */
export function whenIdle(fetchAhead: () => Promise<unknown>, schedule: Schedule = scheduleIdle): void {
  schedule(() => void fetchAhead().catch(() => {}), { timeout: idleTimeoutMs });
}
