/** Tables of no other topic: the outbox of mails, the audit log, values of the whole service. */
import { sql } from "drizzle-orm";
import { bigint, bigserial, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { at } from "./columns.ts";
import { counts } from "./rules.ts";

/** Outbox of mails: written in the transaction of the use case, sent by the mail loop. */
export const mails = pgTable(
  "mails",
  {
    id: uuid().primaryKey(),
    recipient: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull(),
    /** One file, such as the invoice of a receipt. */
    attachment: jsonb().$type<{ name: string; type: string; base64: string }>(),
    createdAt: at("created_at").notNull(),
    /** When the loop may try (again); null once sent or given up. */
    sendAt: at("send_at"),
    attempts: integer().notNull().default(0),
    leaseOwner: uuid("lease_owner"),
    leaseUntil: at("lease_until"),
    sentAt: at("sent_at"),
    failedAt: at("failed_at"),
    lastError: text("last_error"),
    /** The trace of the call that queued it; null: it is not traced. */
    traceparent: text(),
  },
  (table) => [
    index("mails_due")
      .on(table.sendAt)
      .where(sql`${table.sendAt} is not null`),
    index("mails_sent").on(table.sentAt),
    index("mails_recipient").on(table.recipient, table.createdAt),
    index("mails_failed")
      .on(table.failedAt)
      .where(sql`${table.failedAt} is not null`),
    ...counts(table.attempts),
  ],
);

/**
 * Who changed money, state, access or settings: old and new values, when, from where. Triggers of the migration `audit-for-good` refuse to
 * change or delete a row.
 */
export const auditLog = pgTable(
  "audit_log",
  {
    id: bigserial({ mode: "bigint" }).primaryKey(),
    at: at("at").notNull(),
    /** No reference: a row outlives an account that ended unconfirmed. */
    accountId: uuid("account_id"),
    userId: uuid("user_id"),
    action: text().notNull(),
    before: jsonb(),
    after: jsonb(),
    address: text(),
    /** The API request that did it, as its answer and the log name it; null: none, or older than this column. */
    requestId: uuid("request_id"),
  },
  (table) => [
    index("audit_log_account").on(table.accountId, table.id),
    index("audit_log_request")
      .on(table.requestId)
      .where(sql`${table.requestId} is not null`),
  ],
);

/**
 * Rows of the audit log not yet written to the program's log. A trigger of `audit_log` adds them, in the transaction of the row;
 * domain/audit/ship-audit.ts deletes them.
 */
export const auditOutbox = pgTable("audit_outbox", {
  auditId: bigint("audit_id", { mode: "bigint" }).primaryKey(),
});

/** Which process does work that only one may do at a time. An expired lease is free, so that a killed process blocks nothing for long. */
export const leases = pgTable("leases", {
  /** The work, such as "memory". */
  name: text().primaryKey(),
  /** A random id of the process. */
  holder: uuid().notNull(),
  /** By the database's clock. */
  until: at("until").notNull(),
});

/** API calls of the current minute that all processes count together. Unlogged: a crash of PostgreSQL empties it. */
export const callCounts = pgTable(
  "call_counts",
  {
    /** SHA-256 of what is counted and whose. */
    key: text().primaryKey(),
    calls: integer().notNull(),
    /** By the database's clock. */
    until: at("until").notNull(),
  },
  (table) => [index("call_counts_until").on(table.until)],
);

/** Service-wide values that outlive a process, such as how far the sandbox clock was moved. */
export const serviceState = pgTable("service_state", {
  key: text().primaryKey(),
  value: jsonb().notNull(),
});
