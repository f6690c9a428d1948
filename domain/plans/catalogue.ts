/** The plan catalogue as shipped: validated data, seeded at start. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { planSpec } from "#contract/plan.ts";

/** A plan as the catalogue holds it: what depends on an account's own subscription is added when it is shown. */
export const cataloguePlan = planSpec.omit({ planId: true, expirationDate: true });
export type CataloguePlan = z.infer<typeof cataloguePlan>;

/** SPEC §9: the trial has 14 days. */
export const trialDays = 14;
/** DESIGN §5: the plan every account begins with. */
export const trialPlanId = "trial-1";

/** Reads plans.json; throws with every problem when it is not a valid catalogue. */
export function readCatalogue(): CataloguePlan[] {
  return z.array(cataloguePlan).min(1).parse(JSON.parse(readFileSync(new URL("plans.json", import.meta.url), "utf8")));
}
