/** The sandbox payment provider's own world: nothing else reads or writes its tables. */
import { sql } from "drizzle-orm";
import { bigserial, boolean, index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { at } from "./columns.ts";

/** Somebody who pays in the sandbox. */
export const sandboxCustomers = pgTable("sandbox_customers", {
  id: text().primaryKey(),
  /** As given by whoever opened the checkout; the sandbox knows no accounts. */
  accountId: text("account_id").notNull(),
  email: text().notNull(),
  name: text().notNull(),
  /** ISO 4217, fixed by the first purchase. */
  currency: text().notNull(),
  /** Owed back, taken off the next invoices; minor units. */
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
    /** active, past_due, paused or canceled; text, as a provider may learn new words. */
    status: text().notNull(),
    currency: text().notNull(),
    taxInclusive: boolean("tax_inclusive").notNull(),
    /** What the next period is billed for, with its prices as they were when it was bought. */
    items: jsonb().notNull(),
    /** What the running period was paid for. */
    paidItems: jsonb("paid_items").notNull(),
    /** Periods are counted from here, so that 31 January is followed by 28 February and 31 March. */
    anchorAt: at("anchor_at").notNull(),
    periodNumber: integer("period_number").notNull().default(0),
    periodStartsAt: at("period_starts_at").notNull(),
    periodEndsAt: at("period_ends_at").notNull(),
    cancelsAtPeriodEnd: boolean("cancels_at_period_end").notNull().default(false),
    openInvoiceId: text("open_invoice_id"),
    pastDueAt: at("past_due_at"),
    /** Tries to pay the open invoice: past ones, then planned ones. */
    retries: jsonb().$type<{ at: string; outcome: "failed" | "planned" }[]>().notNull().default([]),
    pausedAt: at("paused_at"),
    endedAt: at("ended_at"),
    /** When something happens by itself: renewal, next try, pause, end. */
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

/** Pages that a customer is sent to: a purchase, another card, a payment to confirm. */
export const sandboxCheckouts = pgTable("sandbox_checkouts", {
  id: text().primaryKey(),
  kind: text({ enum: ["purchase", "card", "confirmation"] }).notNull(),
  state: text({ enum: ["open", "done", "expired"] })
    .notNull()
    .default("open"),
  /** What was asked for, by kind. */
  request: jsonb().notNull(),
  customerId: text("customer_id"),
  subscriptionId: text("subscription_id"),
  /** What the customer entered, while their bank wants it confirmed. */
  entered: jsonb(),
  successUrl: text("success_url").notNull(),
  cancelUrl: text("cancel_url").notNull(),
  createdAt: at("created_at").notNull(),
  expiresAt: at("expires_at").notNull(),
});

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
    /** Parts that were given back while the rest stayed, oldest first. */
    partRefunds: jsonb("part_refunds").$type<{ id: string; at: string; amount: number }[]>().notNull().default([]),
    issuedAt: at("issued_at").notNull(),
  },
  (table) => [index("sandbox_invoices_customer").on(table.customerId, table.number)],
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
    /** When it went back, whoever took it. */
    refundedAt: at("refunded_at"),
  },
  (table) => [index("sandbox_payments_invoice").on(table.invoiceId, table.number)],
);

/** Events and what became of their delivery. */
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
    /** How often it is still to be delivered. */
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

/** Calls that are done once per key, with what came of them. */
export const sandboxCalls = pgTable("sandbox_calls", {
  /** Call and key. */
  id: text().primaryKey(),
  /** Of what was asked, so that a key is not used for something else. */
  fingerprint: text().notNull(),
  outcome: jsonb(),
  at: at("at").notNull(),
});
