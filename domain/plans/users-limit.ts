import type { CataloguePlanSpec } from "./catalogue.ts";

/**
 * How many people the plan allows in a workspace, its owner included: the owner alone on a plan without user management. -1 is any
 * number, also for a plan that says nothing.
 */
export function usersLimit(plan: Pick<CataloguePlanSpec, "licenseFeatures" | "userManagementEnabled"> | undefined): number {
  if (plan?.userManagementEnabled === false) return 1;
  const quota = plan?.licenseFeatures["quota:users"];
  return typeof quota === "number" ? quota : -1;
}
