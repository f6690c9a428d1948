import type { Connection } from "#platform/database.ts";
import { trialPlanId, type CataloguePlanSpec } from "./catalogue.ts";
import { readPlanSpec } from "./plan-store.ts";

/**
 * How many people the plan allows in a workspace, its owner included: the owner alone on a plan without user management. -1 is any
 * number, also for a plan that says nothing.
 */
export function usersLimit(plan: Pick<CataloguePlanSpec, "licenseFeatures" | "userManagementEnabled"> | undefined): number {
  if (plan?.userManagementEnabled === false) return 1;
  const quota = plan?.licenseFeatures["quota:users"];
  return typeof quota === "number" ? quota : -1;
}

/** The same for an account with this spec. Before the launch it has none: then the trial decides, which begins with the launch. */
export async function readUsersLimit(db: Connection, planSpec: unknown): Promise<number> {
  return usersLimit((planSpec as Omit<CataloguePlanSpec, "id"> | null) ?? (await readPlanSpec(db, trialPlanId)));
}
