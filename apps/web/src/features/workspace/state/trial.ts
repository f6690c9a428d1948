const dayMs = 86_400_000;

/** Days until a moment, rounded up; -1 without a moment, 0 when it is past. */
export function daysLeft(until: string | null | undefined, nowMs: number): number {
  if (!until) return -1;
  return Math.max(0, Math.ceil((Date.parse(until) - nowMs) / dayMs));
}

/** The remaining share of a trial, from 0 to 1; a trial of unknown length is shown as full until it ends. */
export function trialShare(days: number, trialDays: number | undefined): number {
  return Math.min(1, Math.max(0, days) / Math.max(1, trialDays ?? days));
}
