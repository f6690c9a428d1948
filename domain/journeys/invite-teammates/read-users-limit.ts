import { trialPlanId } from "#domain/plans/catalogue.ts";
import { readPlanSpec } from "#domain/plans/plan-store.ts";
import { usersLimit } from "#domain/plans/users-limit.ts";
import type { CataloguePlanSpec } from "#domain/plans/catalogue.ts";
import type { Connection } from "#platform/database.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";

/** How many people the account may have, the owner included (-1: any number). Before the launch the trial decides, which begins with it. */
export async function readUsersLimit(db: Connection, current: CurrentUser): Promise<number> {
  const plan = (current.planSpec as Omit<CataloguePlanSpec, "id"> | null) ?? (await readPlanSpec(db, trialPlanId));
  return usersLimit(plan);
}
