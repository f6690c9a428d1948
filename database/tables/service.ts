/** Tables of no other topic: the outbox of mails, the audit log, values of the whole service. */
import { sql } from "drizzle-orm";
import { bigint, bigserial, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { at } from "./columns.ts";
import { accounts } from "./accounts.ts";

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
    sentAt: at("sent_at"),
    failedAt: at("failed_at"),
    lastError: text("last_error"),
  },
  (table) => [
    index("mails_due")
      .on(table.sendAt)
      .where(sql`${table.sendAt} is not null`),
    index("mails_sent").on(table.sentAt.desc()),
    index("mails_failed")
      .on(table.failedAt)
      .where(sql`${table.failedAt} is not null`),
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
    accountId: uuid("account_id").references(() => accounts.id),
    userId: uuid("user_id"),
    action: text().notNull(),
    before: jsonb(),
    after: jsonb(),
    address: text(),
  },
  (table) => [index("audit_log_account").on(table.accountId, table.id.desc())],
);

/**
 * Rows of the audit log not yet written to the program's log. A trigger of `audit_log` adds them, in the transaction of the row;
 * domain/audit/ship-audit.ts deletes them.
 */
export const auditOutbox = pgTable("audit_outbox", {
  auditId: bigint("audit_id", { mode: "bigint" }).primaryKey(),
});

/** Service-wide values that outlive a process, such as how far the sandbox clock was moved. */
export const serviceState = pgTable("service_state", {
  key: text().primaryKey(),
  value: jsonb().notNull(),
});
