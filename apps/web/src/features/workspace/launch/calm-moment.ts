import { useEffect, useState } from "react";

/** By then a launch from the pool is online: showing its steps would only make them flash. */
export const calmMs = 2_000;

export interface LaunchMoment {
  /** Since the page was opened. */
  sinceMs: number;
  isReady: boolean;
  hasTrouble: boolean;
}

/** Whether the page should still show only that the workspace is launching or online. Once it has shown the steps, it keeps them. */
export function isStillCalm(wasCalm: boolean, { sinceMs, isReady, hasTrouble }: LaunchMoment): boolean {
  return wasCalm && !hasTrouble && (isReady || sinceMs < calmMs);
}

/** `isStillCalm`, kept current as time passes. */
export function useCalmMoment(isReady: boolean, hasTrouble: boolean): boolean {
  const [isLate, setLate] = useState(false);
  const [isCalm, setCalm] = useState(true);
  const now = isStillCalm(isCalm, { sinceMs: isLate ? calmMs : 0, isReady, hasTrouble });
  // Remembered: neither a repair nor a later "online" hides the steps again.
  if (now !== isCalm) setCalm(now);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), calmMs);
    return () => clearTimeout(timer);
  }, []);
  return now;
}
