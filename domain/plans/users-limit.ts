import type { Connection } from "#platform/database.ts";
import { trialPlanId, type CataloguePlanSpec } from "./catalogue.ts";
import { readPlanSpec } from "./plan-store.ts";

/**
 * How many people the plan allows in a workspace, including its owner: only the owner on a plan without user management. -1 is
 * unlimited, which also applies to a plan without a limit.
 */
export function usersLimit(plan: Pick<CataloguePlanSpec, "licenseFeatures" | "userManagementEnabled"> | undefined): number {
  if (plan?.userManagementEnabled === false) return 1;
  const quota = plan?.licenseFeatures["quota:users"];
  return typeof quota === "number" ? quota : -1;
}

/** Like `usersLimit`, for an account with this spec. Before the launch it has none, so the trial's limit applies. */
export async function readUsersLimit(db: Connection, planSpec: unknown): Promise<number> {
  return usersLimit((planSpec as Omit<CataloguePlanSpec, "id"> | null) ?? (await readPlanSpec(db, trialPlanId)));
}
