const dayMs = 86_400_000;

/** Days until a moment, rounded up; -1 where there is none (SPEC §4). A moment that is past counts 0. */
export function daysLeft(until: string | null | undefined, nowMs: number): number {
  if (!until) return -1;
  return Math.max(0, Math.ceil((Date.parse(until) - nowMs) / dayMs));
}
