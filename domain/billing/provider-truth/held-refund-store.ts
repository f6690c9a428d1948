/** The SQL of refunds that wait for a person: larger than the operator allows the service to make on its own. */
import { and, asc, eq, isNull, lte } from "drizzle-orm";
import { accounts, heldRefunds } from "#database/tables.ts";
import type { Money } from "#contract/billing/money/money.ts";
import type { Connection } from "#platform/database.ts";
import { claimRows } from "#platform/postgres/claim-rows.ts";

export type HeldRefund = typeof heldRefunds.$inferSelect;
type Named = Pick<HeldRefund, "provider" | "subscriptionId">;

const one = ({ provider, subscriptionId }: Named) =>
  and(eq(heldRefunds.provider, provider), eq(heldRefunds.subscriptionId, subscriptionId));

export async function findHeldRefund(db: Connection, named: Named): Promise<HeldRefund | null> {
  return (await db.select().from(heldRefunds).where(one(named)).limit(1))[0] ?? null;
}

/** Asks a person, also where one has agreed to another sum; returns whether that is new. */
export async function holdRefund(
  tx: Connection,
  { provider, subscriptionId, accountId }: Named & { accountId: string },
  { amount, currency }: Money,
  now: Date,
): Promise<boolean> {
  const asked = { amount, currency, heldAt: now, decision: null, decidedAt: null, decidedBy: null, runAt: null };
  const before = (await tx.select().from(heldRefunds).where(one({ provider, subscriptionId })).for("update"))[0];
  if (before && before.amount === amount && before.currency === currency) return false;
  await tx
    .insert(heldRefunds)
    .values({ provider, subscriptionId, accountId, ...asked })
    .onConflictDoUpdate({ target: [heldRefunds.provider, heldRefunds.subscriptionId], set: asked });
  return true;
}

/** Undecided ones, or all of the last year, oldest first, with the account's name. */
export const listHeldRefunds = (db: Connection): Promise<(HeldRefund & { accountName: string })[]> =>
  db
    .select({ held: heldRefunds, accountName: accounts.name })
    .from(heldRefunds)
    .innerJoin(accounts, eq(accounts.id, heldRefunds.accountId))
    .where(isNull(heldRefunds.decision))
    .orderBy(asc(heldRefunds.heldAt))
    .limit(200)
    .then((rows) => rows.map(({ held, accountName }) => ({ ...held, accountName })));

/** Records a person's decision about this sum; false if there is none to decide, or if the sum has changed since it was shown. */
export async function decideHeldRefund(
  tx: Connection,
  { provider, subscriptionId, amount }: Named & { amount: number },
  decision: "refund" | "keep",
  decidedBy: string,
  now: Date,
): Promise<boolean> {
  const decided = await tx
    .update(heldRefunds)
    .set({ decision, decidedAt: now, decidedBy, runAt: decision === "refund" ? now : null })
    .where(and(one({ provider, subscriptionId }), isNull(heldRefunds.decision), eq(heldRefunds.amount, amount)))
    .returning({ id: heldRefunds.subscriptionId });
  return decided.length > 0;
}

/** Claims up to `most` refunds that a person has agreed to, and postpones their next attempt to `next`. */
export const claimAgreedRefunds = (db: Connection, provider: string, now: Date, next: Date, most: number): Promise<HeldRefund[]> =>
  claimRows(db, heldRefunds, {
    key: heldRefunds.subscriptionId,
    due: and(lte(heldRefunds.runAt, now), eq(heldRefunds.provider, provider)),
    order: [heldRefunds.runAt],
    most,
    set: { runAt: next },
  }).returning();

/** The money has been returned. */
export async function closeHeldRefund(tx: Connection, named: Named, now: Date): Promise<void> {
  await tx
    .update(heldRefunds)
    .set({ refundedAt: now, runAt: null })
    .where(and(one(named), isNull(heldRefunds.refundedAt)));
}
