import type { Plan } from "#contract/billing/plans/plan.ts";

/** The end of a period paid at `nowMs`: the same day of a later month, or that month's last day if it has no such day. UTC. */
export function periodEnd(nowMs: number, { unit, count }: Plan["billing_period"]): string {
  if (unit === "day") return new Date(nowMs + count * 86_400_000).toISOString();
  const end = new Date(nowMs);
  const day = end.getUTCDate();
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + count * (unit === "yr" ? 12 : 1));
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(day, lastDay));
  return end.toISOString();
}
