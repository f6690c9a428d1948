/** Everything in the sandbox, page by page, and the numbers of our documents in its invoices. */
import { and, asc, eq, gt, gte, sql } from "drizzle-orm";
import { sandboxCustomers, sandboxInvoices, sandboxPayments, sandboxSubscriptions } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { readNumbers, writeNumbers } from "../kept-numbers.ts";
import type { DocumentNumbers, ListedObject, PaymentProvider } from "../payment-provider.ts";

const onPage = 100;
const nothing = { subscriptionId: null, accountId: null, isLive: false, paid: null, numbers: {} };

/** Implements the port's call. Ids sort by creation time. */
export async function listPage(
  db: Connection,
  list: Parameters<PaymentProvider["listPage"]>[0],
  since: Date,
  after: string | null,
): ReturnType<PaymentProvider["listPage"]> {
  const entries = await lists[list](db, since, after ?? "");
  return { entries, next: entries.length < onPage ? null : entries.at(-1)!.id };
}

type List = (db: Connection, since: Date, after: string) => Promise<ListedObject[]>;

const lists: Record<Parameters<PaymentProvider["listPage"]>[0], List> = {
  async customers(db, since, after) {
    const rows = await db
      .select()
      .from(sandboxCustomers)
      .where(and(gte(sandboxCustomers.createdAt, since), gt(sandboxCustomers.id, after)))
      .orderBy(asc(sandboxCustomers.id))
      .limit(onPage);
    return rows.map(({ id, accountId, name, email, createdAt }) => ({
      ...nothing,
      id,
      customerId: id,
      accountId,
      name: name || email,
      at: createdAt,
    }));
  },
  async subscriptions(db, since, after) {
    const rows = await db
      .select({ subscription: sandboxSubscriptions, customer: sandboxCustomers })
      .from(sandboxSubscriptions)
      .innerJoin(sandboxCustomers, eq(sandboxCustomers.id, sandboxSubscriptions.customerId))
      .where(and(gte(sandboxSubscriptions.anchorAt, since), gt(sandboxSubscriptions.id, after)))
      .orderBy(asc(sandboxSubscriptions.id))
      .limit(onPage);
    return rows.map(({ subscription: { id, customerId, accountId, status, anchorAt }, customer }) => ({
      ...nothing,
      id,
      customerId,
      subscriptionId: id,
      accountId,
      name: customer.name || customer.email,
      at: anchorAt,
      isLive: status !== "canceled",
    }));
  },
  async invoices(db, since, after) {
    const paid = sql<number>`(select coalesce(sum(${sandboxPayments.amount}), 0)::int from ${sandboxPayments}
      where ${sandboxPayments.invoiceId} = ${sandboxInvoices.id} and ${sandboxPayments.status} = 'succeeded')`;
    const rows = await db
      .select({ invoice: sandboxInvoices, customer: sandboxCustomers, paid })
      .from(sandboxInvoices)
      .innerJoin(sandboxCustomers, eq(sandboxCustomers.id, sandboxInvoices.customerId))
      .where(and(gte(sandboxInvoices.issuedAt, since), gt(sandboxInvoices.id, after)))
      .orderBy(asc(sandboxInvoices.id))
      .limit(onPage);
    return rows.map(({ invoice: { id, customerId, subscriptionId, issuedAt, currency, documentNumbers }, customer, paid: amount }) => ({
      ...nothing,
      id,
      customerId,
      subscriptionId,
      accountId: customer.accountId,
      name: customer.name || customer.email,
      at: issuedAt,
      paid: { amount, currency },
      numbers: readNumbers(documentNumbers),
    }));
  },
};

export async function keepNumbers(db: Connection, invoiceId: string, numbers: DocumentNumbers): Promise<void> {
  await db
    .update(sandboxInvoices)
    .set({ documentNumbers: sql`${sandboxInvoices.documentNumbers} || ${JSON.stringify(writeNumbers(numbers))}::jsonb` })
    .where(eq(sandboxInvoices.id, invoiceId));
}
