/** How many executions a workspace keeps: separate from the other values, because the front page shows it with the plans. */

/** With fewer, they would be deleted before an owner can look into a failure. */
export const fewestExecutionsToKeep = 100;
/** The most that any plan keeps. If each stores 20 KB, they fill two fifths of a workspace's usual disk (`WORKSPACE_DISK_MB`). */
export const mostExecutionsToKeep = 100_000;
/** n8n's own default, for a plan that names no number. */
const usualExecutionsKept = 10_000;
/** Without a plan, before the launch. */
const executionsKeptWithoutPlan = 1_000;

/** What a plan says about stored executions: how many at most, and if it does not say, by how many it allows in a month (-1 is any). */
export interface KeepingPlan {
  executionsKept?: number | undefined;
  monthlyExecutionsLimit: number;
}

/** The most executions that a plan keeps: its own number, or a month's worth up to n8n's default. */
export function executionsKeptBy(plan: KeepingPlan | null): number {
  if (!plan) return executionsKeptWithoutPlan;
  const { executionsKept, monthlyExecutionsLimit } = plan;
  if (executionsKept !== undefined) return executionsKept;
  return monthlyExecutionsLimit < 0
    ? usualExecutionsKept
    : Math.min(Math.max(monthlyExecutionsLimit, fewestExecutionsToKeep), usualExecutionsKept);
}

/** How many a workspace keeps: what its plan keeps, unless its owner has set fewer. */
export const executionsToKeepOf = (own: number | null, plan: KeepingPlan | null): number =>
  Math.min(own ?? Infinity, executionsKeptBy(plan));
