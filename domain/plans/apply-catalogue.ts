/** Compares a catalogue with what is applied, and applies it; a plan that is no longer in it is withdrawn, never removed. */
import { isDeepStrictEqual } from "node:util";
import { and, eq, inArray, sql } from "drizzle-orm";
import { plans, planSpecs, subscriptions, workspaces } from "#database/tables.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { lockedInOrder } from "#domain/workspaces/in-order.ts";
import { workspaceChanged } from "#domain/workspaces/workspace-store.ts";
import type { Connection, Database } from "#platform/database.ts";
import type { Catalogue } from "./catalogue.ts";
import { brokenPromises } from "./kept-promises.ts";
import { putPlans } from "./plan-store.ts";

interface CatalogueDifference {
  /** A line for each difference, for the operator. */
  lines: string[];
  /** Specs whose subscribers get different limits. */
  changedSpecs: string[];
}

/** What applying the catalogue would change. */
export async function compareCatalogue(db: Database, catalogue: Catalogue): Promise<CatalogueDifference> {
  const [appliedSpecs, appliedPlans] = [await db.select().from(planSpecs), await db.select().from(plans)];
  const lines: string[] = [];
  const changedSpecs: string[] = [];
  for (const { id, ...spec } of catalogue.specs) {
    const applied = appliedSpecs.find((row) => row.id === id);
    if (!applied) lines.push(`+ spec ${id}`);
    else if (!isDeepStrictEqual(plain(applied.spec), plain(spec))) {
      lines.push(...describe(`~ spec ${id}`, applied.spec as object, spec));
      changedSpecs.push(id);
    }
  }
  for (const plan of catalogue.plans) {
    const applied = appliedPlans.find((row) => row.id === plan.id);
    if (!applied) lines.push(`+ plan ${plan.id}`);
    else lines.push(...describe(`~ plan ${plan.id}`, comparable(applied), { ...flat(plan), withdrawn: plan.withdrawn ?? false }));
  }
  const known = new Set(catalogue.plans.map(({ id }) => id));
  lines.push(
    ...appliedPlans
      .filter(({ id, withdrawnAt }) => !known.has(id) && !withdrawnAt)
      .map(({ id }) => `- plan ${id} (withdrawn; existing customers keep it)`),
  );
  return { lines, changedSpecs };
}

interface Applying {
  operator: string;
  now: Date;
  /** Allows prices and limits to change for existing customers too. */
  alsoForHolders?: boolean;
}

/**
 * Applies the catalogue in one transaction; workspaces whose limits change are told immediately. Returns the promises
 * that it would break, and then applies nothing unless `alsoForHolders` is set.
 */
export async function applyCatalogue(
  db: Database,
  catalogue: Catalogue,
  { changedSpecs, lines }: CatalogueDifference,
  { operator, now, alsoForHolders = false }: Applying,
): Promise<string[]> {
  return db.transaction(async (tx) => {
    // A purchase refers to its plan, so it is either seen here or waits until this is over.
    await tx.select({ id: plans.id }).from(plans).orderBy(plans.id).for("update");
    const broken = await brokenPromises(tx, catalogue);
    if (broken.length > 0 && !alsoForHolders) return broken;
    await putPlans(tx, catalogue, now);
    await writeAudit(
      tx,
      { accountId: null, userId: null, action: "plans.applied", after: { operator, lines, ...(broken.length > 0 ? { broken } : {}) } },
      now,
    );
    if (changedSpecs.length > 0) await makeSubscribersDue(tx, changedSpecs, now);
    return broken;
  });
}

async function makeSubscribersDue(db: Connection, changedSpecs: readonly string[], now: Date): Promise<void> {
  const subscribers = db
    .select({ id: subscriptions.accountId })
    .from(subscriptions)
    .where(inArray(subscriptions.specId, [...changedSpecs]));
  const running = lockedInOrder(db, and(eq(workspaces.desiredState, "running"), inArray(workspaces.accountId, subscribers)));
  await db.update(workspaces).set({ reconcileAt: now, updatedAt: now }).where(inArray(workspaces.id, running));
  await db.execute(sql`select pg_notify(${workspaceChanged}, '')`);
}

/** As JSON holds it, with keys sorted: the database orders them differently. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, plain(item)]),
  );
}

function flat({ name, spec, billingPeriod, billingType, recurringPrice, customQuotas }: Catalogue["plans"][number]) {
  return { name, spec, billingType, billingPeriod, recurringPrice, customQuotas: customQuotas ?? null };
}

function comparable(row: typeof plans.$inferSelect) {
  const { name, specId, billingType, periodUnit, periodCount, recurringPrice, customQuotas, withdrawnAt } = row;
  return {
    name,
    spec: specId,
    billingType,
    billingPeriod: { unit: periodUnit, count: periodCount },
    recurringPrice,
    customQuotas: customQuotas ?? null,
    withdrawn: withdrawnAt !== null,
  };
}

function describe(what: string, before: object, next: object): string[] {
  const [old, wanted] = [plain(before), plain(next)] as [Record<string, unknown>, Record<string, unknown>];
  const names = [...new Set([...Object.keys(old), ...Object.keys(wanted)])].filter((name) => !isDeepStrictEqual(old[name], wanted[name]));
  return names.map((name) => `${what}: ${name} ${JSON.stringify(old[name]) ?? "nothing"} → ${JSON.stringify(wanted[name]) ?? "nothing"}`);
}
