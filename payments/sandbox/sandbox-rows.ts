/** The sandbox's SQL, and its rows with typed JSON. Every change to a subscription locks its row. */
import { sandboxCheckouts, sandboxCustomers, sandboxInvoices, sandboxPayments, sandboxSubscriptions } from "#database/tables.ts";
import type { BillingDetails } from "#contract/billing/billing.ts";
import type { ProviderCard, ProviderLine, ProviderTax } from "../payment-provider.ts";
import { ProviderRefusal } from "../payment-provider.ts";
import type { Connection } from "#platform/database.ts";
import { lockRows } from "#platform/postgres/claim-rows.ts";
import { newId } from "#platform/ids.ts";
import { and, asc, desc, eq, inArray, lte, ne, sql } from "drizzle-orm";
import type { Subscription } from "../ledger/ledger.ts";
import type { KeptCard } from "./test-cards.ts";

type Rows<Table extends { $inferSelect: object }, Json extends object> = Omit<Table["$inferSelect"], keyof Json> & Json;

export type CustomerRow = Rows<typeof sandboxCustomers, { details: BillingDetails | null; card: KeptCard | null }>;
export type SubscriptionRow = Rows<typeof sandboxSubscriptions, Pick<Subscription, "items" | "paidItems" | "retries">>;
export type InvoiceRow = Rows<typeof sandboxInvoices, { lines: ProviderLine[]; tax: ProviderTax | null }>;
export type PaymentRow = Rows<typeof sandboxPayments, { card: ProviderCard | null }>;
export type CheckoutRow = typeof sandboxCheckouts.$inferSelect;

/** The prefix, such as `sub`, and 32 characters that sort by creation time. */
export const sandboxId = (prefix: string): string => `${prefix}_${newId().replaceAll("-", "")}`;

/** Drizzle's rows with a specific type for their JSON. */
const typed = <Row>(rows: unknown[]): Row[] => rows as Row[];
const subscriptionRows = (rows: (typeof sandboxSubscriptions.$inferSelect)[]): SubscriptionRow[] =>
  typed<SubscriptionRow>(rows.map((row) => ({ ...row, retries: row.retries.map(({ at, outcome }) => ({ at: new Date(at), outcome })) })));
/** A `Date` is written to JSON as its ISO time. */
const toColumns = (row: Partial<SubscriptionRow>): Partial<typeof sandboxSubscriptions.$inferInsert> =>
  row as Partial<typeof sandboxSubscriptions.$inferInsert>;

export async function findCustomer(db: Connection, id: string): Promise<CustomerRow | undefined> {
  return typed<CustomerRow>(await db.select().from(sandboxCustomers).where(eq(sandboxCustomers.id, id)).limit(1))[0];
}

export async function insertCustomer(db: Connection, customer: CustomerRow): Promise<CustomerRow> {
  return typed<CustomerRow>(await db.insert(sandboxCustomers).values(customer).returning())[0]!;
}

export async function updateCustomer(db: Connection, id: string, changes: Partial<CustomerRow>): Promise<CustomerRow> {
  return typed<CustomerRow>(await db.update(sandboxCustomers).set(changes).where(eq(sandboxCustomers.id, id)).returning())[0]!;
}

export async function findSubscription(db: Connection, id: string): Promise<SubscriptionRow | undefined> {
  return subscriptionRows(await db.select().from(sandboxSubscriptions).where(eq(sandboxSubscriptions.id, id)).limit(1))[0];
}

/** The subscription and its customer, locked until the transaction ends; refuses an unknown id. */
export async function holdSubscription(db: Connection, id: string): Promise<{ subscription: SubscriptionRow; customer: CustomerRow }> {
  const found = subscriptionRows(await db.select().from(sandboxSubscriptions).where(eq(sandboxSubscriptions.id, id)).for("update"))[0];
  if (!found) throw new ProviderRefusal(`There is no subscription ${id}.`);
  return { subscription: found, customer: await holdCustomer(db, found.customerId) };
}

export async function holdCustomer(db: Connection, id: string): Promise<CustomerRow> {
  const found = typed<CustomerRow>(await db.select().from(sandboxCustomers).where(eq(sandboxCustomers.id, id)).for("update"))[0];
  if (!found) throw new ProviderRefusal(`There is no customer ${id}.`);
  return found;
}

/** The id of the subscription due first, skipping locked ones. */
export async function findDueSubscription(db: Connection, now: Date): Promise<string | undefined> {
  const { id, dueAt } = sandboxSubscriptions;
  return (await lockRows(db, sandboxSubscriptions, { key: id, due: lte(dueAt, now), order: [asc(dueAt), asc(id)], most: 1 }))[0];
}

/** When the next subscription is due; null: none. */
export async function nextSubscriptionDue(db: Connection): Promise<Date | null> {
  const [first] = await db
    .select({ dueAt: sandboxSubscriptions.dueAt })
    .from(sandboxSubscriptions)
    .where(sql`${sandboxSubscriptions.dueAt} is not null`)
    .orderBy(asc(sandboxSubscriptions.dueAt))
    .limit(1);
  return first?.dueAt ?? null;
}

export async function insertSubscription(db: Connection, row: Omit<SubscriptionRow, "openInvoiceId">): Promise<SubscriptionRow> {
  const values = toColumns(row) as typeof sandboxSubscriptions.$inferInsert;
  return subscriptionRows(await db.insert(sandboxSubscriptions).values(values).returning())[0]!;
}

/** Writes changes together with `changedAt`. */
export async function updateSubscription(
  db: Connection,
  id: string,
  changes: Partial<SubscriptionRow>,
  changedAt: Date,
): Promise<SubscriptionRow> {
  const rows = await db
    .update(sandboxSubscriptions)
    // Never backwards: of two reads, the later one must compare as later.
    .set({ ...toColumns(changes), changedAt: sql`greatest(${sandboxSubscriptions.changedAt}, ${changedAt.toISOString()}::timestamptz)` })
    .where(eq(sandboxSubscriptions.id, id))
    .returning();
  return subscriptionRows(rows)[0]!;
}

/** Whether the customer has a subscription that has not ended. */
export async function hasRunningSubscription(db: Connection, customerId: string): Promise<boolean> {
  const rows = await db
    .select({ id: sandboxSubscriptions.id })
    .from(sandboxSubscriptions)
    .where(and(eq(sandboxSubscriptions.customerId, customerId), ne(sandboxSubscriptions.status, "canceled")))
    .limit(1);
  return rows.length > 0;
}

export async function insertInvoice(
  db: Connection,
  row: Omit<InvoiceRow, "number" | "partRefunds" | "documentNumbers">,
): Promise<InvoiceRow> {
  return typed<InvoiceRow>(await db.insert(sandboxInvoices).values(row).returning())[0]!;
}

export async function findInvoice(db: Connection, id: string): Promise<InvoiceRow | undefined> {
  return typed<InvoiceRow>(await db.select().from(sandboxInvoices).where(eq(sandboxInvoices.id, id)).limit(1))[0];
}

export async function setInvoiceStatus(db: Connection, id: string, status: InvoiceRow["status"]): Promise<void> {
  await db.update(sandboxInvoices).set({ status }).where(eq(sandboxInvoices.id, id));
}

export async function addPartRefund(db: Connection, id: string, part: InvoiceRow["partRefunds"][number]): Promise<void> {
  await db
    .update(sandboxInvoices)
    .set({ partRefunds: sql`${sandboxInvoices.partRefunds} || ${JSON.stringify([part])}::jsonb` })
    .where(eq(sandboxInvoices.id, id));
}

/** Newest first. */
export async function selectInvoices(db: Connection, customerId: string): Promise<InvoiceRow[]> {
  return typed<InvoiceRow>(
    await db.select().from(sandboxInvoices).where(eq(sandboxInvoices.customerId, customerId)).orderBy(desc(sandboxInvoices.number)),
  );
}

export async function insertPayment(db: Connection, row: Omit<PaymentRow, "number" | "id" | "refundedAt">): Promise<PaymentRow> {
  return typed<PaymentRow>(
    await db
      .insert(sandboxPayments)
      .values({ ...row, id: sandboxId("pay") })
      .returning(),
  )[0]!;
}

/** Oldest first. */
export async function selectPayments(db: Connection, invoiceIds: readonly string[]): Promise<PaymentRow[]> {
  if (invoiceIds.length === 0) return [];
  return typed<PaymentRow>(
    await db
      .select()
      .from(sandboxPayments)
      .where(inArray(sandboxPayments.invoiceId, [...invoiceIds]))
      .orderBy(asc(sandboxPayments.number)),
  );
}

export async function markRefunded(db: Connection, invoiceId: string, refundedAt: Date, reason: string | null = null): Promise<void> {
  await db
    .update(sandboxPayments)
    .set({ status: "refunded", reason, refundedAt })
    .where(and(eq(sandboxPayments.invoiceId, invoiceId), eq(sandboxPayments.status, "succeeded")));
}

export async function insertCheckout(db: Connection, row: typeof sandboxCheckouts.$inferInsert): Promise<void> {
  await db.insert(sandboxCheckouts).values(row);
}

export async function findCheckout(db: Connection, id: string): Promise<CheckoutRow | undefined> {
  return (await db.select().from(sandboxCheckouts).where(eq(sandboxCheckouts.id, id)).limit(1))[0];
}

/** The page's row, locked, so that concurrent submissions are handled one after the other. */
export async function holdCheckout(db: Connection, id: string): Promise<CheckoutRow | undefined> {
  return (await db.select().from(sandboxCheckouts).where(eq(sandboxCheckouts.id, id)).for("update"))[0];
}

export async function updateCheckout(db: Connection, id: string, changes: Partial<CheckoutRow>): Promise<void> {
  await db.update(sandboxCheckouts).set(changes).where(eq(sandboxCheckouts.id, id));
}
