/**
 * What existing customers were promised with their plan: its price, and limits no smaller than these. A plan file that breaks a
 * promise is refused unless the operator insists; new prices and smaller limits are sold as new plans (decision 0089).
 */
import { isDeepStrictEqual } from "node:util";
import { eq, inArray, isNotNull, or, sql } from "drizzle-orm";
import { executionsKeptBy } from "#contract/workspaces/kept-executions.ts";
import { checkouts, plans, planSpecs, subscriptions } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import type { Catalogue, CataloguePlan, CataloguePlanSpec } from "./catalogue.ts";
import { usersLimit } from "./users-limit.ts";

/** The number of accounts per plan and per spec. */
interface Holders {
  plans: ReadonlyMap<string, number>;
  specs: ReadonlyMap<string, number>;
}

/** A line for each promise that applying the catalogue would break; empty if it breaks none. */
export async function brokenPromises(db: Connection, catalogue: Catalogue): Promise<string[]> {
  const [specRows, planRows, holders] = [await db.select().from(planSpecs), await db.select().from(plans), await readHolders(db)];
  const applied = new Map(specRows.map(({ id, spec }) => [id, spec as Spec]));
  const next = new Map(catalogue.specs.map((spec): [string, Spec] => [spec.id, spec]));
  const lines: string[] = [];
  // A plan that is scheduled, or that a customer can return to, promises its spec as well.
  const specs = new Map(holders.specs);
  for (const { id, specId } of planRows) if (holders.plans.has(id) && !specs.has(specId)) specs.set(specId, holders.plans.get(id)!);
  for (const [id, count] of specs)
    lines.push(...smaller(applied.get(id), next.get(id)).map((what) => `spec ${id}, which ${accounts(count)}: ${what}`));
  for (const row of planRows) {
    const [plan, count] = [catalogue.plans.find(({ id }) => id === row.id), holders.plans.get(row.id)];
    if (!plan || !count) continue;
    const changes = [
      ...priceChanges(row, plan),
      ...(plan.spec === row.specId ? [] : smaller(applied.get(row.specId), next.get(plan.spec))),
    ];
    lines.push(...changes.map((what) => `plan ${row.id}, which ${accounts(count)}: ${what}`));
  }
  return lines;
}

const accounts = (count: number) => (count === 1 ? "1 account has" : `${count} accounts have`);

/** Accounts that pay for a plan, have it assigned, may return to it, or have a payment page open that shows its price. */
async function readHolders(db: Connection): Promise<Holders> {
  const rows = await db
    .select({
      planId: subscriptions.planId,
      scheduled: subscriptions.scheduledPlanId,
      pending: subscriptions.pendingPlanId,
      specId: subscriptions.specId,
      status: subscriptions.status,
      count: sql<number>`count(*)::integer`,
    })
    .from(subscriptions)
    .where(or(isNotNull(subscriptions.provider), eq(subscriptions.status, "active")))
    .groupBy(subscriptions.planId, subscriptions.scheduledPlanId, subscriptions.pendingPlanId, subscriptions.specId, subscriptions.status);
  const pages = await db
    .select({ planId: checkouts.planId, count: sql<number>`count(*)::integer` })
    .from(checkouts)
    .where(inArray(checkouts.state, ["opening", "open", "closing"]))
    .groupBy(checkouts.planId);
  const [byPlan, bySpec] = [new Map<string, number>(), new Map<string, number>()];
  const add = (map: Map<string, number>, id: string, count: number) => map.set(id, (map.get(id) ?? 0) + count);
  for (const { planId, scheduled, pending, specId, status, count } of rows) {
    for (const id of new Set([planId, scheduled, pending])) if (id) add(byPlan, id, count);
    // An ended subscription grants nothing now.
    if (status !== "deleted") add(bySpec, specId, count);
  }
  for (const { planId, count } of pages) add(byPlan, planId, count);
  return { plans: byPlan, specs: bySpec };
}

type Spec = Omit<CataloguePlanSpec, "id">;

const any = (limit: number): number => (limit < 0 ? Infinity : limit);
const limits: readonly [name: string, of: (spec: Spec) => number][] = [
  ["monthlyExecutionsLimit", ({ monthlyExecutionsLimit }) => any(monthlyExecutionsLimit)],
  ["activeWorkflowsLimit", ({ activeWorkflowsLimit }) => any(activeWorkflowsLimit)],
  ["credentialsLimit", ({ credentialsLimit }) => any(credentialsLimit)],
  ["concurrentExecutionsLimit", ({ concurrentExecutionsLimit = -1 }) => any(concurrentExecutionsLimit)],
  ["people", (spec) => any(usersLimit(spec))],
  ["pruneExecutionsInterval", ({ pruneExecutionsInterval }) => pruneExecutionsInterval],
  ["executionsKept", (spec) => executionsKeptBy(spec)],
  ["backupDays", ({ backupDays }) => backupDays ?? 0],
  ["memoryMb", ({ memoryMb }) => memoryMb ?? 0],
];

function smaller(had: Spec | undefined, gets: Spec | undefined): string[] {
  // A spec that is not in the file stays as it is.
  if (!had || !gets) return [];
  return limits.filter(([, of]) => of(gets) < of(had)).map(([name, of]) => `${name} ${say(of(had))} → ${say(of(gets))}`);
}
const say = (limit: number): string => (limit === Infinity ? "unlimited" : String(limit));

function priceChanges(row: typeof plans.$inferSelect, plan: CataloguePlan): string[] {
  const lines: string[] = [];
  for (const [currency, amount] of Object.entries(row.recurringPrice)) {
    if (plan.recurringPrice[currency] !== amount) lines.push(`${currency} ${amount} → ${plan.recurringPrice[currency] ?? "none"}`);
  }
  if (plan.billingPeriod.unit !== row.periodUnit || plan.billingPeriod.count !== row.periodCount) lines.push("a different billing period");
  const [had, gets] = [row.customQuotas as CataloguePlan["customQuotas"] | null, plan.customQuotas];
  for (const quota of ["monthlyExecutions", "activeWorkflows"] as const) {
    if (had && !isDeepStrictEqual(soldAs(had[quota]), gets ? soldAs(gets[quota]) : null)) lines.push(`a different price for ${quota}`);
  }
  return lines;
}
const soldAs = ({ included, per, price }: NonNullable<CataloguePlan["customQuotas"]>["monthlyExecutions"]) => ({
  included,
  per,
  price: Object.fromEntries(Object.entries(price).toSorted()),
});
