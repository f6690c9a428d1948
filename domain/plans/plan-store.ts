/** The SQL of the plan catalogue. */
import { plans, planSpecs } from "#database/tables.ts";
import type { Connection, Database } from "#platform/database.ts";
import { and, eq, isNull, notInArray, sql } from "drizzle-orm";
import type { Catalogue, CataloguePlanSpec } from "./catalogue.ts";

/** Writes the catalogue to the tables in one transaction; a plan that is no longer in it is withdrawn, never deleted. */
export function savePlans(db: Database, catalogue: Catalogue, now: Date): Promise<void> {
  return db.transaction((tx) => putPlans(tx, catalogue, now));
}

/** Like `savePlans`, in the caller's transaction. */
export async function putPlans(db: Connection, catalogue: Catalogue, now: Date): Promise<void> {
  await db
    .insert(planSpecs)
    .values(catalogue.specs.map(({ id, ...spec }) => ({ id, spec })))
    .onConflictDoUpdate({ target: planSpecs.id, set: { spec: sql`excluded.spec` } });
  await db
    .insert(plans)
    .values(
      catalogue.plans.map((plan) => ({
        id: plan.id,
        specId: plan.spec,
        name: plan.name,
        billingType: plan.billingType,
        periodUnit: plan.billingPeriod.unit,
        periodCount: plan.billingPeriod.count,
        recurringPrice: plan.recurringPrice,
        customQuotas: plan.customQuotas ?? null,
        withdrawnAt: plan.withdrawn ? now : null,
      })),
    )
    .onConflictDoUpdate({
      target: plans.id,
      set: {
        specId: sql`excluded.spec_id`,
        name: sql`excluded.name`,
        billingType: sql`excluded.billing_type`,
        periodUnit: sql`excluded.period_unit`,
        periodCount: sql`excluded.period_count`,
        recurringPrice: sql`excluded.recurring_price`,
        customQuotas: sql`excluded.custom_quotas`,
        withdrawnAt: sql`case when excluded.withdrawn_at is null then null else coalesce(${plans.withdrawnAt}, excluded.withdrawn_at) end`,
      },
    });
  await db
    .update(plans)
    .set({ withdrawnAt: now })
    .where(
      and(
        isNull(plans.withdrawnAt),
        notInArray(
          plans.id,
          catalogue.plans.map(({ id }) => id),
        ),
      ),
    );
}

/** What a spec allows, as applied; undefined if there is no spec with that id. */
export async function readPlanSpec(db: Connection, specId: string): Promise<Omit<CataloguePlanSpec, "id"> | undefined> {
  const found = await db.select({ spec: planSpecs.spec }).from(planSpecs).where(eq(planSpecs.id, specId)).limit(1);
  return found[0]?.spec as Omit<CataloguePlanSpec, "id"> | undefined;
}
