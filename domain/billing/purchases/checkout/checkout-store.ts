/** The SQL of payment pages. A unique index allows each account one page that is open or being opened. */
import { and, desc, eq, inArray, isNull, lte, ne } from "drizzle-orm";
import { checkouts } from "#database/tables.ts";
import { after, dayMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { claimRows } from "#platform/postgres/claim-rows.ts";
import type { PaymentProviderName } from "#payments/payment-provider.ts";

export type CheckoutRow = typeof checkouts.$inferSelect;
/** What a page sells, and to whom. */
export type CheckoutFor = Pick<CheckoutRow, "accountId" | "provider" | "planId" | "customExecutions" | "customWorkflows" | "currency">;

const one = (provider: PaymentProviderName, checkoutId: string) =>
  and(eq(checkouts.provider, provider), eq(checkouts.checkoutId, checkoutId));

/** The account's page that is open or being opened. */
export async function findOpenCheckout(db: Connection, accountId: string): Promise<CheckoutRow | null> {
  const found = await db
    .select()
    .from(checkouts)
    .where(and(eq(checkouts.accountId, accountId), inArray(checkouts.state, ["opening", "open"])))
    .limit(1);
  return found[0] ?? null;
}

/** Reserves the account's one place under a placeholder id until the provider has returned the page and its address. */
export async function reserveCheckout(db: Connection, wanted: CheckoutFor, placeholder: string, now: Date): Promise<void> {
  await db.insert(checkouts).values({ ...wanted, checkoutId: placeholder, url: "", state: "opening", createdAt: now, checkAt: null });
}

/** The page exists now; false if another click has taken the place. */
export async function publishCheckout(
  db: Connection,
  provider: PaymentProviderName,
  placeholder: string,
  page: { checkoutId: string; url: string; createdAt: Date; checkAt: Date },
): Promise<boolean> {
  const published = await db
    .update(checkouts)
    .set({ ...page, state: "open" })
    .where(and(one(provider, placeholder), eq(checkouts.state, "opening")))
    .returning({ id: checkouts.checkoutId });
  return published.length > 0;
}

/** Whether a page with this id was ever opened. */
export async function isKnownPage(db: Connection, provider: PaymentProviderName, checkoutId: string): Promise<boolean> {
  return (await db.select({ id: checkouts.checkoutId }).from(checkouts).where(one(provider, checkoutId)).limit(1)).length > 0;
}

/** Releases the place; nothing was opened. */
export async function dropReservation(db: Connection, provider: PaymentProviderName, placeholder: string): Promise<void> {
  await db.delete(checkouts).where(and(one(provider, placeholder), eq(checkouts.state, "opening")));
}

/** Another page takes its place: this one is checked from now on until the provider reports its outcome. */
export async function replaceCheckout(db: Connection, { provider, checkoutId }: CheckoutRow, now: Date): Promise<void> {
  await db.update(checkouts).set({ state: "closing", checkAt: now }).where(one(provider, checkoutId));
}

/** Pages that can still be paid at, newest first. */
export function listOpenCheckouts(db: Connection, accountId: string, provider: PaymentProviderName): Promise<CheckoutRow[]> {
  return db
    .select()
    .from(checkouts)
    .where(and(eq(checkouts.accountId, accountId), eq(checkouts.provider, provider), inArray(checkouts.state, ["open", "closing"])))
    .orderBy(desc(checkouts.createdAt))
    .limit(20);
}

/** Records the page's outcome. */
export async function closeCheckout(
  db: Connection,
  provider: PaymentProviderName,
  checkoutId: string,
  state: "paid" | "expired",
): Promise<void> {
  await db.update(checkouts).set({ state, checkAt: null }).where(one(provider, checkoutId));
}

/** Records what was bought at the page. */
export async function noteBought(db: Connection, { provider, checkoutId }: CheckoutRow, subscriptionId: string): Promise<void> {
  await db
    .update(checkouts)
    .set({ subscriptionId })
    .where(and(one(provider, checkoutId), isNull(checkouts.subscriptionId)));
}

/** Whether the subscription was bought at a page of ours. */
export const wasSoldHere = async (db: Connection, provider: PaymentProviderName, subscriptionId: string): Promise<boolean> =>
  (await listSoldHere(db, provider, [subscriptionId])).has(subscriptionId);

/** Which of the subscriptions were bought at pages of ours. */
export async function listSoldHere(
  db: Connection,
  provider: PaymentProviderName,
  subscriptionIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await db
    .select({ id: checkouts.subscriptionId })
    .from(checkouts)
    .where(and(inArray(checkouts.subscriptionId, [...subscriptionIds]), eq(checkouts.provider, provider)));
  return new Set(found.flatMap(({ id }) => id ?? []));
}

/** The account's newest pages at which nothing was bought as far as we know, also those that count as over. */
export function listUnbought(db: Connection, accountId: string, provider: PaymentProviderName): Promise<CheckoutRow[]> {
  return db
    .select()
    .from(checkouts)
    .where(
      and(
        eq(checkouts.accountId, accountId),
        eq(checkouts.provider, provider),
        isNull(checkouts.subscriptionId),
        ne(checkouts.state, "opening"),
      ),
    )
    .orderBy(desc(checkouts.createdAt))
    .limit(20);
}

/** False for a page that was replaced or is over; true also for a page that is not ours. */
export async function mayBePaid(db: Connection, provider: PaymentProviderName, checkoutId: string): Promise<boolean> {
  const found = await db.select({ state: checkouts.state }).from(checkouts).where(one(provider, checkoutId)).limit(1);
  return !found[0] || found[0].state === "open";
}

/** No provider keeps a page open for longer. */
export const pageLifeMs = 4 * dayMs;

/**
 * Pages of a provider that is no longer configured can't be checked: old ones are over, and payable ones wait for
 * their provider until they are.
 */
export async function endForeignPages(db: Connection, provider: PaymentProviderName, now: Date): Promise<void> {
  await db
    .update(checkouts)
    .set({ state: "expired", checkAt: null })
    .where(
      and(
        lte(checkouts.checkAt, now),
        ne(checkouts.provider, provider),
        inArray(checkouts.state, ["open", "closing"]),
        lte(checkouts.createdAt, after(now, -pageLifeMs)),
      ),
    );
}

/**
 * Claims up to `most` accounts with pages of the provider to check, and postpones their next check to `next`, so
 * that several workers share them.
 */
export async function claimOpenCheckouts(
  db: Connection,
  provider: PaymentProviderName,
  now: Date,
  next: Date,
  most: number,
): Promise<string[]> {
  const claimed = await claimRows(db, checkouts, {
    key: checkouts.checkoutId,
    due: and(lte(checkouts.checkAt, now), eq(checkouts.provider, provider)),
    order: [checkouts.checkAt],
    most,
    set: { checkAt: next },
  }).returning({ accountId: checkouts.accountId });
  return [...new Set(claimed.map(({ accountId }) => accountId))];
}
