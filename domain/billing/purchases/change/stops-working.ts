/** What a smaller plan takes away from an account with this usage. */
import { deliveredFeatures, n8nAlone, type Delivery } from "#contract/billing/plans/delivered-features.ts";
import { executionsKeptBy } from "#contract/workspaces/kept-executions.ts";
import { usualBackupDays } from "#domain/backups/retention.ts";
import type { CataloguePlanSpec } from "#domain/plans/catalogue.ts";
import { planForWorkspace } from "#domain/plans/plan-for-workspace.ts";
import { usersLimit } from "#domain/plans/users-limit.ts";
import { readPeriod, readReading } from "#domain/usage/usage-store.ts";
import type { Connection } from "#platform/database.ts";
import { changeWords, type Quantity } from "./change-words.ts";
import { grantOf } from "#domain/plans/plan-facts.ts";
import type { Chosen } from "../read-choice.ts";

interface UsedNow {
  activeWorkflows: number;
  /** In the running usage period. */
  executions: number;
}

/** As far as the workspace has reported. */
export async function readUsedNow(db: Connection, accountId: string, now: Date): Promise<UsedNow> {
  const plan = await planForWorkspace(db, accountId, now);
  const [reading, period] = [
    await readReading(db, accountId),
    plan?.periodStarts[0] ? await readPeriod(db, accountId, plan.periodStarts[0]) : undefined,
  ];
  return { activeWorkflows: reading?.activeWorkflows ?? 0, executions: period?.executions ?? 0 };
}

/**
 * A sentence for everything that stops or shrinks: first usage above the new limits, then quotas, retention
 * times, and features that are actually delivered. Used executions count only if the change comes while they are still counted.
 */
export function stopsWorking(held: Chosen, wanted: Chosen, used: UsedNow, isNow: boolean, delivery: Delivery = n8nAlone): string[] {
  const [from, to] = [held, wanted].map((chosen) => asDelivered(chosen, delivery)) as [Chosen, Chosen];
  const limits = grantOf(to.plan.spec, to.quotas);
  const { name } = to.plan;
  const lines: string[] = [];
  if (limits.workflows >= 0 && used.activeWorkflows > limits.workflows)
    lines.push(changeWords.workflows(used.activeWorkflows, name, limits.workflows));
  if (isNow && limits.executions >= 0 && used.executions > limits.executions)
    lines.push(changeWords.executions(used.executions, name, limits.executions));
  const [before, after] = [quantitiesOf(from), quantitiesOf(to)];
  for (const [quantity, had] of before) {
    const gets = after.get(quantity) ?? 0;
    if (had > gets) lines.push(changeWords.less[quantity](gets, had));
  }
  return [
    ...lines,
    ...lostFeatures(from.plan.spec, to.plan.spec)
      .map((feature) => changeWords.feature(feature, name))
      .filter((line) => line !== null),
  ];
}

/** Quantities of what a workspace has stored: it deletes what is beyond them at its next start. A backup keeps the day it was given. */
const stored = ["logDays", "executionsKept", "historyDays", "insightsDays"] as const satisfies readonly Quantity[];

/** Whether the workspace keeps less of what it has stored: executions, their logs, versions of workflows, or insights. */
export function keepsLess({ from, to }: { from: Chosen; to: Chosen }, delivery: Delivery = n8nAlone): boolean {
  const [before, after] = [from, to].map((chosen) => quantitiesOf(asDelivered(chosen, delivery))) as [
    Map<Quantity, number>,
    Map<Quantity, number>,
  ];
  return stored.some((quantity) => (after.get(quantity) ?? 0) < (before.get(quantity) ?? 0));
}

const asDelivered = ({ plan, quotas }: Chosen, delivery: Delivery): Chosen => ({
  plan: { ...plan, spec: { ...plan.spec, enabledFeatures: deliveredFeatures(plan.spec, delivery) } },
  quotas,
});

const any = (limit: number): number => (limit < 0 ? Infinity : limit);
const sized = /^(shared-projects|insights|workflow-history)-(\d+|unlimited)(?:-days?)?$/;
const sizedQuantities: Readonly<Record<string, Quantity>> = {
  "shared-projects": "projects",
  insights: "insightsDays",
  "workflow-history": "historyDays",
};

/** Everything in a plan that has a number; Infinity is unlimited, and a missing number is zero. */
function quantitiesOf({ plan: { spec }, quotas }: Chosen): Map<Quantity, number> {
  const { executions, workflows } = grantOf(spec, quotas);
  const quantities = new Map<Quantity, number>([
    ["executions", any(executions)],
    ["workflows", any(workflows)],
    ["people", any(usersLimit(spec))],
    ["logDays", Math.floor(spec.pruneExecutionsInterval / 24)],
    ["executionsKept", executionsKeptBy(spec)],
    ["backupDays", spec.backupDays ?? usualBackupDays],
  ]);
  for (const feature of spec.enabledFeatures) {
    const [, what = "", size = ""] = sized.exec(feature) ?? [];
    const quantity = sizedQuantities[what];
    if (quantity) quantities.set(quantity, size === "unlimited" ? Infinity : Number(size));
  }
  return quantities;
}

function lostFeatures(from: Pick<CataloguePlanSpec, "enabledFeatures">, to: Pick<CataloguePlanSpec, "enabledFeatures">): string[] {
  const kept = new Set(to.enabledFeatures);
  return from.enabledFeatures.filter((feature) => !kept.has(feature) && !sized.test(feature));
}
