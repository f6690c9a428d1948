/** The pool: workspaces that are started before they have an owner. */
import { sql } from "drizzle-orm";
import { bigint, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { engineNames } from "#contract/workspaces/engine-names.ts";
import { at } from "./columns.ts";
import { listed } from "./rules.ts";

/**
 * One row per blank, from before its process starts until its data is deleted, or until it becomes a workspace, which takes over its id,
 * number and secrets; then the row is deleted. A worker that dies therefore leaves nothing behind without a row.
 */
export const blanks = pgTable(
  "blanks",
  {
    id: uuid().primaryKey(),
    /** From the same sequence as workspaces' numbers. */
    number: bigint({ mode: "number" }).notNull().unique(),
    /** The host on which it runs, and on which the workspace that it becomes will run. */
    host: text().notNull().default("main"),
    engine: text({ enum: engineNames }).notNull(),
    version: text().notNull(),
    memoryMb: integer("memory_mb").notNull(),
    /** Encrypted, like a workspace's. */
    secrets: text().notNull(),
    /** Only a `ready` one may be taken; one that is `leaving` is being deleted. */
    state: text({ enum: ["making", "ready", "leaving"] }).notNull(),
    /** Hash of what it was started from; null until it is ready. */
    specHash: text("spec_hash"),
    /** The worker that makes, keeps or deletes it. */
    leaseOwner: uuid("lease_owner"),
    leaseUntil: at("lease_until"),
    createdAt: at("created_at").notNull(),
  },
  (table) => [
    index("blanks_ready")
      .on(table.engine, table.version, table.memoryMb, table.createdAt)
      .where(sql`${table.state} = 'ready'`),
    ...listed(table.state, table.engine),
  ],
);
