/** Predicts usage, and decides when to warn about it. */
import type { UsedLimits } from "#contract/workspaces/monitoring/usage.ts";

const dayMs = 24 * 60 * 60_000;
/** From this share on the owner is warned, as in the mails (domain/usage/tell-of-usage.ts). */
const warnAt = 0.8;

/** Executions by the end of the period at the current pace; null on its first day, and if no end is known. */
export function forecastExecutions({ executions, timeframe }: Pick<UsedLimits, "executions" | "timeframe">, nowMs: number): number | null {
  if (!timeframe.endsAt) return null;
  const startMs = Date.parse(timeframe.startsAt);
  const endMs = Date.parse(timeframe.endsAt);
  const passedMs = Math.min(nowMs, endMs) - startMs;
  return passedMs < dayMs ? null : Math.round((executions / passedMs) * (endMs - startMs));
}

/** Workflows are refused: every execution of the period is used. */
export const isOverQuota = ({ executions, limits }: Pick<UsedLimits, "executions" | "limits">): boolean =>
  usageLevel(executions, limits.executions) === "reached";

/** Whether nearly all or all of `limit` is used; -1 is unlimited. */
export function usageLevel(used: number, limit: number): "fine" | "nearly" | "reached" {
  if (limit < 0) return "fine";
  if (used >= limit) return "reached";
  return used >= limit * warnAt ? "nearly" : "fine";
}

/** Limit minus usage; 0 if more was used, -1 if it is unknown or the plan is unlimited (-1). */
export function leftUsage(used: number | undefined, limit: number | undefined): number {
  return used === undefined || limit === undefined || limit < 0 ? -1 : Math.max(0, limit - used);
}
