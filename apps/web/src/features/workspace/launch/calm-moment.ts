import { useEffect, useState } from "react";

/** A launch from the pool is online by then: its steps would only flash by. */
export const calmMs = 2_000;

export interface LaunchMoment {
  /** Since the page was opened. */
  sinceMs: number;
  isReady: boolean;
  hasTrouble: boolean;
}

/** Whether the page still shows nothing but that it launches, or is online. Once it has shown the steps, it keeps them. */
export function isStillCalm(wasCalm: boolean, { sinceMs, isReady, hasTrouble }: LaunchMoment): boolean {
  return wasCalm && !hasTrouble && (isReady || sinceMs < calmMs);
}

/** `isStillCalm`, as time passes. */
export function useCalmMoment(isReady: boolean, hasTrouble: boolean): boolean {
  const [isLate, setLate] = useState(false);
  const [isCalm, setCalm] = useState(true);
  const now = isStillCalm(isCalm, { sinceMs: isLate ? calmMs : 0, isReady, hasTrouble });
  // Remembered: neither a repair nor a later "online" takes the steps away again.
  if (now !== isCalm) setCalm(now);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), calmMs);
    return () => clearTimeout(timer);
  }, []);
  return now;
}
