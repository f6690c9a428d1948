/** The SQL of pages that were opened to pay. */
import { and, asc, desc, eq, gt, isNull, lte, sql } from "drizzle-orm";
import { checkouts } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import type { PaymentProviderName } from "./payment-provider.ts";

export type CheckoutRow = typeof checkouts.$inferSelect;

export async function insertCheckout(db: Connection, row: typeof checkouts.$inferInsert): Promise<void> {
  await db.insert(checkouts).values(row).onConflictDoNothing();
}

/** A page of the account that is still open for exactly this, and not older than `since`. */
export async function findOpenCheckout(db: Connection, wanted: Pick<CheckoutRow, "accountId" | "provider" | "planId" | "customExecutions" | "customWorkflows" | "currency">, since: Date): Promise<CheckoutRow | null> {
  const same = (column: typeof checkouts.customExecutions | typeof checkouts.customWorkflows, value: number | null) => (value === null ? isNull(column) : eq(column, value));
  const found = await db
    .select()
    .from(checkouts)
    .where(
      and(
        eq(checkouts.accountId, wanted.accountId),
        eq(checkouts.provider, wanted.provider),
        eq(checkouts.planId, wanted.planId),
        same(checkouts.customExecutions, wanted.customExecutions),
        same(checkouts.customWorkflows, wanted.customWorkflows),
        eq(checkouts.currency, wanted.currency),
        eq(checkouts.state, "open"),
        gt(checkouts.createdAt, since),
      ),
    )
    .orderBy(desc(checkouts.createdAt))
    .limit(1);
  return found[0] ?? null;
}

/** Open pages of the account, newest first. Nobody has hundreds. */
export function listOpenCheckouts(db: Connection, accountId: string, provider: PaymentProviderName): Promise<CheckoutRow[]> {
  return db
    .select()
    .from(checkouts)
    .where(and(eq(checkouts.accountId, accountId), eq(checkouts.provider, provider), eq(checkouts.state, "open")))
    .orderBy(desc(checkouts.createdAt))
    .limit(20);
}

/** What became of it is known. */
export async function closeCheckout(db: Connection, provider: PaymentProviderName, checkoutId: string, state: "paid" | "expired"): Promise<void> {
  await db.update(checkouts).set({ state, checkAt: null }).where(and(eq(checkouts.provider, provider), eq(checkouts.checkoutId, checkoutId)));
}

/** Accounts with pages that should be looked at, each once; their next look is put off to `next`, so that several workers share them. */
export async function claimOpenCheckouts(db: Connection, now: Date, next: Date, most: number): Promise<string[]> {
  const due = db
    .select({ id: checkouts.checkoutId })
    .from(checkouts)
    .where(lte(checkouts.checkAt, now))
    .orderBy(asc(checkouts.checkAt))
    .limit(most)
    .for("update", { skipLocked: true });
  const claimed = await db
    .update(checkouts)
    .set({ checkAt: next })
    .where(sql`${checkouts.checkoutId} = any(array(${due}))`)
    .returning({ accountId: checkouts.accountId });
  return [...new Set(claimed.map(({ accountId }) => accountId))];
}
