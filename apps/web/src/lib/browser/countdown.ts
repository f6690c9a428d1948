/** Counts whole seconds down to a moment, by the clock and not by ticks: a tab that was suspended continues with the right number. */
import { useEffect, useState } from "react";

/** Whole seconds from now to `untilMs`, never below 0. */
export const secondsLeft = (untilMs: number, nowMs: number): number => Math.max(0, Math.ceil((untilMs - nowMs) / 1000));

/** Seconds left until `untilMs`, updated every second until 0. */
export function useCountdown(untilMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  const left = secondsLeft(untilMs, nowMs);
  const isRunning = left > 0;
  useEffect(() => {
    if (!isRunning) return;
    // Four times a second, so that no second is skipped when a timer comes late.
    const timer = setInterval(() => setNowMs(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isRunning]);
  return left;
}
