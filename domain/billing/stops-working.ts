/** What a smaller plan takes away from somebody who uses this much now. */
import { planForWorkspace } from "#domain/plans/plan-for-workspace.ts";
import { readPeriod, readReading } from "#domain/usage/usage-store.ts";
import type { Connection } from "#platform/database.ts";
import { changeWords } from "./change-words.ts";
import { grantOf } from "./plan-facts.ts";
import type { Chosen } from "./read-choice.ts";

export interface UsedNow {
  activeWorkflows: number;
  /** In the running usage period. */
  executions: number;
}

/** As far as the workspace has said. */
export async function readUsedNow(db: Connection, accountId: string, now: Date): Promise<UsedNow> {
  const plan = await planForWorkspace(db, accountId, now);
  const [reading, period] = [await readReading(db, accountId), plan?.periodStarts[0] ? await readPeriod(db, accountId, plan.periodStarts[0]) : undefined];
  return { activeWorkflows: reading?.activeWorkflows ?? 0, executions: period?.executions ?? 0 };
}

/** A sentence for each thing; executions count only where the change comes while they are still counted. */
export function stopsWorking(from: Chosen, to: Chosen, used: UsedNow, isNow: boolean): string[] {
  const limits = grantOf(to.plan.spec, to.quotas);
  const name = to.plan.name;
  const lines: (string | null)[] = [];
  if (limits.workflows >= 0 && used.activeWorkflows > limits.workflows) lines.push(changeWords.workflows(used.activeWorkflows, name, limits.workflows));
  if (isNow && limits.executions >= 0 && used.executions > limits.executions) lines.push(changeWords.executions(used.executions, name, limits.executions));
  const kept = new Set(to.plan.spec.enabledFeatures);
  for (const feature of from.plan.spec.enabledFeatures) if (!kept.has(feature)) lines.push(changeWords.feature(feature, name));
  return lines.filter((line) => line !== null);
}
