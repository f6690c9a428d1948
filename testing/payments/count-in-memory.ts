/** Counts calls to a provider like the service's database, for one test and by its clock. */
import { countedMs, type CountCalls } from "#payments/paddle/paddle-meter.ts";
import { secondMs, type Clock } from "#platform/clock.ts";

export function countInMemory(clock: Clock): CountCalls {
  const windows = new Map<string, { calls: number; endsAtMs: number }>();
  return (who, added) => {
    const nowMs = clock.now().getTime();
    const known = windows.get(who);
    const window = known && known.endsAtMs > nowMs ? known : { calls: 0, endsAtMs: nowMs + countedMs };
    window.calls += added;
    windows.set(who, window);
    return Promise.resolve({ calls: window.calls, waitSeconds: Math.ceil((window.endsAtMs - nowMs) / secondMs) });
  };
}
