/** Invoices, their payments, and payment methods. */
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { at } from "./columns.ts";
import { accounts } from "./accounts.ts";
import { counts, listed } from "./rules.ts";

/** Name and address for an account's invoices. */
export const billingDetails = pgTable("billing_details", {
  accountId: uuid("account_id")
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  name: text().notNull(),
  line1: text().notNull(),
  line2: text().notNull(),
  postalCode: text("postal_code").notNull(),
  city: text().notNull(),
  country: text().notNull(),
  vatId: text("vat_id").notNull(),
  changedAt: at("changed_at").notNull(),
  /** The last answer of VIES for this VAT id, and when; all null: never asked, or never answered. A change of the id clears them. */
  vatValid: boolean("vat_valid"),
  vatCheckedAt: at("vat_checked_at"),
  /** The reference number under which VIES keeps the answer as evidence; empty if it gives none. */
  vatReference: text("vat_reference"),
});

/** Units of a currency per euro, as the European Central Bank published them for a day: for tax on invoices in other currencies. */
export const exchangeRates = pgTable(
  "exchange_rates",
  { day: date().notNull(), currency: text().notNull(), perEuro: numeric("per_euro").notNull() },
  (table) => [primaryKey({ columns: [table.day, table.currency] })],
);

/** The number of invoices in each year: the next is taken under this row's lock, in its invoice's transaction, so that none is missing. */
export const invoiceNumbers = pgTable(
  "invoice_numbers",
  {
    /** Test purchases and the sandbox's are counted apart, so that they take no number of a sale. */
    series: text({ enum: ["live", "test", "sandbox"] })
      .notNull()
      .default("live"),
    year: integer().notNull(),
    issued: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.series, table.year] }), ...listed(table.series), ...counts(table.issued)],
);

/** An issued invoice, one for each of the provider's. Only its status, and whether its mail was sent, ever changes: triggers of the migration
 * `rules` refuse the rest. */
export const invoices = pgTable(
  "invoices",
  {
    id: uuid().primaryKey(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id),
    provider: text().notNull(),
    providerInvoiceId: text("provider_invoice_id").notNull(),
    /** Our number if we are the seller, else the provider's; null if nothing was charged. */
    number: text(),
    issuedAt: at("issued_at").notNull(),
    description: text().notNull(),
    currency: text().notNull(),
    total: bigint({ mode: "number" }).notNull(),
    tax: bigint({ mode: "number" }).notNull(),
    status: text({ enum: ["paid", "open", "void", "refunded", "disputed"] }).notNull(),
    /** All printed content, as domain/invoices defines it; null if the provider writes the invoice. */
    document: jsonb(),
    /** When the receipt, or the mail about a correction, was queued. */
    receiptQueuedAt: at("receipt_queued_at"),
    /** When the provider stored our number of it, so that a restored dump gives it to nobody else; null: not yet, and nothing is mailed. */
    numberKeptAt: at("number_kept_at"),
    /** The invoice that this document cancels or refunds from, or the credit note that it withdraws, if it is our own correction. */
    corrects: uuid(),
    /** When the state in this row was requested from the provider: an answer to an earlier request changes nothing. */
    seenAt: at("seen_at"),
  },
  (table) => [
    unique("invoices_provider").on(table.provider, table.providerInvoiceId),
    unique("invoices_number").on(table.provider, table.number),
    // For the references below: what belongs to an invoice belongs to its account.
    unique("invoices_of_account").on(table.id, table.accountId),
    foreignKey({ name: "invoices_corrects_own", columns: [table.corrects, table.accountId], foreignColumns: [table.id, table.accountId] }),
    index("invoices_account").on(table.accountId, table.issuedAt),
    index("invoices_corrects").on(table.corrects),
    index("invoices_unkept")
      .on(table.accountId)
      .where(sql`${table.numberKeptAt} is null and ${table.document} is not null`),
    index("invoices_unwritten")
      .on(table.issuedAt)
      .where(sql`${table.document} is null`),
    index("invoices_unreceipted")
      .on(table.issuedAt)
      .where(sql`${table.receiptQueuedAt} is null`),
    ...listed(table.status),
  ],
);

/** A payment of an invoice, or an attempt: copied from the provider, so that lists work when the provider is unavailable. */
export const payments = pgTable(
  "payments",
  {
    id: uuid().primaryKey(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id),
    invoiceId: uuid("invoice_id").notNull(),
    provider: text().notNull(),
    providerPaymentId: text("provider_payment_id").notNull(),
    at: at("at").notNull(),
    currency: text().notNull(),
    amount: bigint({ mode: "number" }).notNull(),
    status: text({ enum: ["succeeded", "failed", "refunded", "disputed", "pending"] }).notNull(),
    brand: text(),
    lastFour: text("last_four"),
    reason: text(),
  },
  (table) => [
    unique("payments_provider").on(table.provider, table.providerPaymentId),
    foreignKey({
      name: "payments_invoice_own",
      columns: [table.invoiceId, table.accountId],
      foreignColumns: [invoices.id, invoices.accountId],
    }),
    ...listed(table.status),
    ...counts(table.amount),
    index("payments_account").on(table.accountId, table.at),
    index("payments_invoice").on(table.invoiceId, table.at),
  ],
);

/** The renewal that an account's owner was told of last: each is announced once. */
export const renewalNotices = pgTable("renewal_notices", {
  accountId: uuid("account_id")
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  renewsAt: at("renews_at").notNull(),
});

/** An account's payment method, as the provider last reported it. */
export const cards = pgTable(
  "cards",
  {
    accountId: uuid("account_id")
      .primaryKey()
      .references(() => accounts.id, { onDelete: "cascade" }),
    brand: text().notNull(),
    lastFour: text("last_four").notNull(),
    /** The first moment at which it is no longer valid; null if it does not expire. */
    endsAt: at("ends_at"),
    /** The end about which the owner was told. */
    toldOf: at("told_of"),
  },
  (table) => [index("cards_end").on(table.endsAt)],
);
