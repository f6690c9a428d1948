const dayMs = 86_400_000;

/** Days until a moment, rounded up; -1 without a moment, 0 when it is past. */
export function daysLeft(until: string | null | undefined, nowMs: number): number {
  if (!until) return -1;
  return Math.max(0, Math.ceil((Date.parse(until) - nowMs) / dayMs));
}

/** The share of a trial that is left, from 0 to 1; a trial whose length is not known is shown whole until it ends. */
export function trialShare(days: number, trialDays: number | undefined): number {
  return Math.min(1, Math.max(0, days) / Math.max(1, trialDays ?? days));
}
