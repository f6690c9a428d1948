/** Everything the provider lists, and to which of our accounts each entry belongs. */
import { inArray, isNotNull } from "drizzle-orm";
import { accounts, subscriptions } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { isId } from "#platform/ids.ts";
import type { ListedObject, PaymentProvider, ProviderList } from "#payments/payment-provider.ts";
import type { SubscriptionRow } from "../subscription/subscription-states.ts";

/** All pages. */
export async function listAll(provider: PaymentProvider, list: ProviderList, since: Date): Promise<ListedObject[]> {
  const all: ListedObject[] = [];
  for (let after: string | null = null; ;) {
    const { entries, next } = await provider.listPage(list, since, after);
    all.push(...entries);
    if (next === null) return all;
    after = next;
  }
}

export interface Owners {
  /** The account of an entry; null if none that exists here matches. */
  of(entry: ListedObject): string | null;
  /** Our rows at this provider, by account. */
  rows: ReadonlyMap<string, SubscriptionRow>;
}

const atOnce = 1000;

/** In the same order as for events (`findAccountOf`): by subscription, by the account that the checkout named, by customer. */
export async function findOwners(db: Connection, provider: PaymentProvider, listed: readonly ListedObject[]): Promise<Owners> {
  const held = await db.select().from(subscriptions).where(isNotNull(subscriptions.providerCustomerId));
  const ours = held.filter((row) => row.provider === provider.name);
  const bySubscription = new Map(ours.map((row) => [row.providerSubscriptionId, row.accountId]));
  // An account with an assigned plan may have paid the provider before.
  const byCustomer = new Map(
    held.filter((row) => row.provider === null || row.provider === provider.name).map((row) => [row.providerCustomerId, row.accountId]),
  );
  for (const row of ours) byCustomer.set(row.providerCustomerId, row.accountId);
  const named = [...new Set(listed.flatMap(({ accountId }) => (accountId && isId(accountId) ? [accountId] : [])))];
  const existing = new Set<string>();
  for (let from = 0; from < named.length; from += atOnce) {
    const part = named.slice(from, from + atOnce);
    for (const { id } of await db.select({ id: accounts.id }).from(accounts).where(inArray(accounts.id, part))) existing.add(id);
  }
  // An invoice of a renewal may name only its subscription, which names the account.
  const accountOfSubscription = new Map(
    listed.flatMap(({ id, subscriptionId, accountId }) => (id === subscriptionId && accountId ? [[id, accountId] as const] : [])),
  );
  return {
    rows: new Map(ours.map((row) => [row.accountId, row])),
    of({ subscriptionId, customerId, accountId }) {
      const account = accountId ?? accountOfSubscription.get(subscriptionId ?? "");
      return (
        bySubscription.get(subscriptionId) ?? (account && existing.has(account) ? account : null) ?? byCustomer.get(customerId) ?? null
      );
    },
  };
}
