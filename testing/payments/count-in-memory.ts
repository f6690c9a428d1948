/** Counts calls to a provider like the service's database, for one test and by its clock. */
import type { CountCalls } from "#payments/paddle/paddle-meter.ts";
import { minuteMs, secondMs, type Clock } from "#platform/clock.ts";

export function countInMemory(clock: Clock): CountCalls {
  const minutes = new Map<string, { calls: number; endsAtMs: number }>();
  return (who, added) => {
    const nowMs = clock.now().getTime();
    const known = minutes.get(who);
    const minute = known && known.endsAtMs > nowMs ? known : { calls: 0, endsAtMs: nowMs + minuteMs };
    minute.calls += added;
    minutes.set(who, minute);
    return Promise.resolve({ calls: minute.calls, waitSeconds: Math.ceil((minute.endsAtMs - nowMs) / secondMs) });
  };
}
