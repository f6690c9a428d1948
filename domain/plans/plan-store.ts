/** The SQL of plans and of the subscription that each account has to one. */
import { subscriptions, plans } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { eq, sql } from "drizzle-orm";
import type { CataloguePlan } from "./catalogue.ts";

/** Makes the table equal to the catalogue; plans that are in use are never deleted. */
export async function savePlans(db: Connection, catalogue: readonly CataloguePlan[]): Promise<void> {
  await db
    .insert(plans)
    .values(catalogue.map(({ id, ...spec }) => ({ id, spec })))
    .onConflictDoUpdate({ target: plans.id, set: { spec: sql`excluded.spec` } });
}

/** Starts the account's one trial. An account that has or had a subscription keeps it: nobody gets two trials. */
export async function insertTrial(db: Connection, accountId: string, planId: string, now: Date, expiresAt: Date): Promise<void> {
  await db.insert(subscriptions).values({ accountId, planId, status: "trialing", startedAt: now, expiresAt }).onConflictDoNothing();
}

/** What the plan allows, as seeded; undefined when there is no such plan. */
export async function readPlan(db: Connection, planId: string): Promise<Omit<CataloguePlan, "id"> | undefined> {
  const found = await db.select({ spec: plans.spec }).from(plans).where(eq(plans.id, planId)).limit(1);
  return found[0]?.spec as Omit<CataloguePlan, "id"> | undefined;
}
