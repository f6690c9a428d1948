/** The sandbox payment provider's data: only the sandbox reads or writes these tables. */
import { sql } from "drizzle-orm";
import { bigserial, boolean, index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { at } from "./columns.ts";
import { listed } from "./rules.ts";

/** A customer of the sandbox. */
export const sandboxCustomers = pgTable("sandbox_customers", {
  id: text().primaryKey(),
  /** As given when the checkout was opened; the sandbox knows no accounts. */
  accountId: text("account_id").notNull(),
  email: text().notNull(),
  name: text().notNull(),
  /** ISO 4217, fixed by the first purchase. */
  currency: text().notNull(),
  /** Credit, deducted from the next invoices; minor units. */
  credit: integer().notNull().default(0),
  details: jsonb(),
  card: jsonb(),
  createdAt: at("created_at").notNull(),
});

export const sandboxSubscriptions = pgTable(
  "sandbox_subscriptions",
  {
    id: text().primaryKey(),
    customerId: text("customer_id")
      .notNull()
      .references(() => sandboxCustomers.id),
    accountId: text("account_id").notNull(),
    /** active, past_due, paused or canceled; text, since a provider may add values. */
    status: text().notNull(),
    currency: text().notNull(),
    taxInclusive: boolean("tax_inclusive").notNull(),
    /** Items of the next period, with the prices at which they were bought. */
    items: jsonb().notNull(),
    /** Items that the current period was paid for. */
    paidItems: jsonb("paid_items").notNull(),
    /** Periods are counted from here, so that 31 January is followed by 28 February and 31 March. */
    anchorAt: at("anchor_at").notNull(),
    periodNumber: integer("period_number").notNull().default(0),
    periodStartsAt: at("period_starts_at").notNull(),
    periodEndsAt: at("period_ends_at").notNull(),
    cancelsAtPeriodEnd: boolean("cancels_at_period_end").notNull().default(false),
    openInvoiceId: text("open_invoice_id"),
    pastDueAt: at("past_due_at"),
    /** Attempts to pay the open invoice: past, then planned. */
    retries: jsonb().$type<{ at: string; outcome: "failed" | "planned" }[]>().notNull().default([]),
    pausedAt: at("paused_at"),
    endedAt: at("ended_at"),
    /** When the next automatic event is due: renewal, next attempt, pause, end. */
    dueAt: at("due_at"),
    changedAt: at("changed_at").notNull(),
    createdAt: at("created_at").notNull(),
  },
  (table) => [
    index("sandbox_subscriptions_due")
      .on(table.dueAt)
      .where(sql`${table.dueAt} is not null`),
    index("sandbox_subscriptions_customer").on(table.customerId),
  ],
);

/** Pages for the customer: a purchase, another card, a payment to confirm. */
export const sandboxCheckouts = pgTable(
  "sandbox_checkouts",
  {
    id: text().primaryKey(),
    kind: text({ enum: ["purchase", "card", "confirmation"] }).notNull(),
    state: text({ enum: ["open", "done", "expired"] })
      .notNull()
      .default("open"),
    /** The request, by kind. */
    request: jsonb().notNull(),
    customerId: text("customer_id"),
    subscriptionId: text("subscription_id"),
    /** What the customer entered, while their bank asks for confirmation. */
    entered: jsonb(),
    successUrl: text("success_url").notNull(),
    cancelUrl: text("cancel_url").notNull(),
    createdAt: at("created_at").notNull(),
    expiresAt: at("expires_at").notNull(),
  },
  (table) => [...listed(table.kind, table.state)],
);

/** Negative totals are credit notes. */
export const sandboxInvoices = pgTable(
  "sandbox_invoices",
  {
    id: text().primaryKey(),
    number: bigserial({ mode: "number" }).notNull(),
    customerId: text("customer_id")
      .notNull()
      .references(() => sandboxCustomers.id),
    subscriptionId: text("subscription_id")
      .notNull()
      .references(() => sandboxSubscriptions.id),
    status: text({ enum: ["paid", "open", "void", "refunded"] }).notNull(),
    currency: text().notNull(),
    lines: jsonb().notNull(),
    tax: jsonb(),
    total: integer().notNull(),
    creditUsed: integer("credit_used").notNull().default(0),
    /** Partial refunds, oldest first. */
    partRefunds: jsonb("part_refunds").$type<{ id: string; at: string; amount: number }[]>().notNull().default([]),
    issuedAt: at("issued_at").notNull(),
    /** Numbers of our documents about it, by cause, as a provider would keep them. */
    documentNumbers: jsonb("document_numbers").$type<Record<string, string>>().notNull().default({}),
  },
  (table) => [
    index("sandbox_invoices_customer").on(table.customerId, table.number),
    index("sandbox_invoices_subscription").on(table.subscriptionId),
    ...listed(table.status),
  ],
);

export const sandboxPayments = pgTable(
  "sandbox_payments",
  {
    id: text().primaryKey(),
    number: bigserial({ mode: "number" }).notNull(),
    invoiceId: text("invoice_id")
      .notNull()
      .references(() => sandboxInvoices.id),
    at: at("at").notNull(),
    amount: integer().notNull(),
    status: text({ enum: ["succeeded", "failed", "refunded"] }).notNull(),
    card: jsonb(),
    /** For the customer. */
    reason: text(),
    /** When it was refunded, by either side. */
    refundedAt: at("refunded_at"),
  },
  (table) => [index("sandbox_payments_invoice").on(table.invoiceId, table.number), ...listed(table.status)],
);

/** Events and their delivery. */
export const sandboxWebhooks = pgTable(
  "sandbox_webhooks",
  {
    id: text().primaryKey(),
    number: bigserial({ mode: "number" }).notNull(),
    type: text().notNull(),
    payload: jsonb().notNull(),
    occurredAt: at("occurred_at").notNull(),
    /** When to (re)try; null once delivered, dropped or given up. */
    dueAt: at("due_at"),
    leaseUntil: at("lease_until"),
    /** How many more times it will be delivered. */
    copies: integer().notNull().default(1),
    attempts: integer().notNull().default(0),
    deliveredAt: at("delivered_at"),
    droppedAt: at("dropped_at"),
    lastError: text("last_error"),
  },
  (table) => [
    index("sandbox_webhooks_due")
      .on(table.dueAt, table.number)
      .where(sql`${table.dueAt} is not null`),
    index("sandbox_webhooks_newest").on(table.number),
  ],
);

/** Calls that are made once per key, with their result. */
export const sandboxCalls = pgTable("sandbox_calls", {
  /** Call and key. */
  id: text().primaryKey(),
  /** Of the request, so that a key is not used for another one. */
  fingerprint: text().notNull(),
  outcome: jsonb(),
  at: at("at").notNull(),
});
