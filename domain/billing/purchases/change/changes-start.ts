/** Which changes of plan a workspace gets only at its start, and so need a restart. */
import { isDeepStrictEqual } from "node:util";
import { builtInFeatures, n8nAlone } from "#contract/billing/plans/delivered-features.ts";
import { executionsKeptBy } from "#contract/workspaces/kept-executions.ts";
import { directionOf, memoryOf, type PlanFacts } from "#domain/plans/plan-facts.ts";
import type { Billing } from "../../billing.ts";
import { keepsLess } from "./stops-working.ts";

type Started = Pick<Billing, "delivery" | "workspaceMemoryMb">;

/** Whether the plans differ in settings that apply at a start: memory, how long executions are kept, and labels. */
export const changesStart = (billing: Started, from: PlanFacts, to: PlanFacts): boolean =>
  !isDeepStrictEqual(givenAtStart(billing, from), givenAtStart(billing, to));

/**
 * Whether a running workspace restarts once for a larger plan, the moment that plan is granted, however it was got: what is paid is given
 * then. A plan with no more memory that keeps less of what the workspace has stored waits for the next start.
 */
export function isGivenByRestart(billing: Started, from: PlanFacts, to: PlanFacts): boolean {
  const change = { from: { plan: from, quotas: null }, to: { plan: to, quotas: null } };
  if (directionOf(change.from, change.to) !== "upgrade" || !changesStart(billing, from, to)) return false;
  return (memoryOf(to, billing) ?? 0) > (memoryOf(from, billing) ?? 0) || !keepsLess(change, billing.delivery);
}

function givenAtStart(billing: Started, plan: PlanFacts) {
  const { delivery = n8nAlone } = billing;
  const { spec } = plan;
  return {
    memory: memoryOf(plan, billing),
    retention: [spec.pruneExecutionsInterval, executionsKeptBy(spec)],
    isLicensed: spec.n8nLicense === true && delivery.n8nLicense,
    features: builtInFeatures(spec, delivery).toSorted(),
  };
}
