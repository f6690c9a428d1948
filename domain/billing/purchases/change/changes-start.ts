/** Which changes of plan a workspace gets only at its start, and so need a restart. */
import { isDeepStrictEqual } from "node:util";
import { builtInFeatures, n8nAlone } from "#contract/billing/plans/delivered-features.ts";
import { executionsKeptBy } from "#contract/workspaces/kept-executions.ts";
import { memoryOf, type PlanFacts } from "#domain/plans/plan-facts.ts";
import type { Billing } from "../../billing.ts";

type Started = Pick<Billing, "delivery" | "workspaceMemoryMb">;

/** Whether the plans differ in settings that apply at a start: memory, how long executions are kept, and labels. */
export const changesStart = (billing: Started, from: PlanFacts, to: PlanFacts): boolean =>
  !isDeepStrictEqual(givenAtStart(billing, from), givenAtStart(billing, to));

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
