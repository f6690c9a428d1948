/** The SQL of subscriptions. */
import { and, eq, isNull } from "drizzle-orm";
import { accounts, subscriptions } from "#database/tables.ts";
import { lockAccount } from "#domain/accounts/account-store.ts";
import type { Connection } from "#platform/database.ts";
import { isId } from "#platform/ids.ts";
import type { SubscriptionFields, SubscriptionRow } from "./subscription-states.ts";

/** The account's subscription, or null. */
export async function findSubscription(db: Connection, accountId: string): Promise<SubscriptionRow | null> {
  const found = await db.select().from(subscriptions).where(eq(subscriptions.accountId, accountId)).limit(1);
  return found[0] ?? null;
}

/**
 * Like `findSubscription`, locked until the transaction ends. Without a row it locks the account's, so that two
 * first purchases cannot collide.
 */
export async function lockSubscription(db: Connection, accountId: string): Promise<SubscriptionRow | null> {
  const lock = async () => (await db.select().from(subscriptions).where(eq(subscriptions.accountId, accountId)).for("update"))[0];
  const held = await lock();
  if (held) return held;
  await lockAccount(db, accountId);
  return (await lock()) ?? null;
}

/** The account that a provider's event is about, from the ids in it; null if none matches. */
export async function findAccountOf(
  db: Connection,
  provider: SubscriptionRow["provider"] & string,
  named: { subscriptionId: string | null; customerId: string | null; accountId: string | null },
): Promise<string | null> {
  const by = async (...conditions: Parameters<typeof and>) =>
    (
      await db
        .select({ id: subscriptions.accountId })
        .from(subscriptions)
        .where(and(...conditions))
        .limit(1)
    )[0]?.id;
  const ofProvider = eq(subscriptions.provider, provider);
  if (named.subscriptionId) {
    const found = await by(ofProvider, eq(subscriptions.providerSubscriptionId, named.subscriptionId));
    if (found) return found;
  }
  if (named.accountId && isId(named.accountId)) {
    const found = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, named.accountId)).limit(1);
    if (found[0]) return found[0].id;
  }
  if (!named.customerId) return null;
  const ofCustomer = eq(subscriptions.providerCustomerId, named.customerId);
  // An account with an assigned plan may have paid the provider before.
  return (await by(ofCustomer, ofProvider)) ?? (await by(ofCustomer, isNull(subscriptions.provider))) ?? null;
}

/** Columns whose change does not invalidate a price that was shown. */
const quiet: ReadonlySet<string> = new Set(["providerChangedAt", "retries", "creditAmount", "warnedAt", "pendingAt"]);

const plain = (value: unknown) => (value instanceof Date ? value.getTime() : JSON.stringify(value));
const changedColumns = (held: SubscriptionRow | null, row: SubscriptionFields): string[] =>
  Object.keys(row).filter(
    (column) =>
      column !== "version" && plain(row[column as keyof SubscriptionFields]) !== plain(held?.[column as keyof SubscriptionFields]),
  );

/** Whether more than quiet columns differ. */
export const isNewsIn = (held: SubscriptionRow | null, next: SubscriptionFields): boolean =>
  changedColumns(held, next).some((column) => !quiet.has(column));

/**
 * Writes the row if it differs from `held`, in the transaction that holds its lock. `changed`: more than the time of the provider's last
 * change, which at Stripe is the time of each reading. `isNews`: more than quiet columns changed, so its version changes.
 */
export async function writeSubscription(
  tx: Connection,
  held: SubscriptionRow | null,
  next: SubscriptionFields,
): Promise<{ changed: boolean; isNews: boolean }> {
  const changed = changedColumns(held, next);
  if (changed.length === 0) return { changed: false, isNews: false };
  const isNews = changed.some((column) => !quiet.has(column));
  const { version: _old, ...fields } = next as SubscriptionRow;
  const row = { ...fields, version: (held?.version ?? 0) + (isNews || !held ? 1 : 0) };
  if (held) await tx.update(subscriptions).set(row).where(eq(subscriptions.accountId, held.accountId));
  else await tx.insert(subscriptions).values(row);
  return { changed: changed.some((column) => column !== "providerChangedAt"), isNews };
}
