/** What workspaces used: executions, as they counted and as others saw them. */
import { sql } from "drizzle-orm";
import { bigint, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { at } from "./columns.ts";
import { accounts } from "./accounts.ts";
import { workspaces } from "./workspaces.ts";

/** What each counter of a workspace last said: they only grow, so reading one twice, or an old one again, adds nothing. */
export const usageCounters = pgTable(
  "usage_counters",
  {
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** One life of the workspace's counters. */
    epoch: text().notNull(),
    /** The usage period as the workspace said it; which one it counts for was decided when it was first seen. */
    saidPeriod: text("said_period").notNull(),
    date: text().notNull(),
    periodStartsAt: at("period_starts_at").notNull(),
    executions: integer().notNull(),
    failed: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.epoch, table.saidPeriod, table.date] })],
);

/** Executions that a gateway saw begin, by their UTC day: a lower bound. Each figure is the whole one of its gateway process and only grows, so writing it twice adds nothing. */
export const gatewayCounts = pgTable(
  "gateway_counts",
  {
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** YYYY-MM-DD, by the machine's own clock. */
    date: text().notNull(),
    /** One life of one gateway process. */
    run: uuid().notNull(),
    executions: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.date, table.run] })],
);

/** How what a workspace reported of a day compares with what was seen elsewhere. No row: nothing ever differed. */
export const usageChecks = pgTable(
  "usage_checks",
  {
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** YYYY-MM-DD, as in the workspace's counters. */
    date: text().notNull(),
    /** Executions that count beside those that were reported. */
    added: bigint({ mode: "number" }).notNull().default(0),
    /** Of those that the gateway saw, how many were refused because the plan was used up. */
    excused: bigint({ mode: "number" }).notNull().default(0),
    /** Executions that the tool's own statistics are sure to have seen begin on this day. */
    succeeded: integer().notNull().default(0),
    /** The process whose statistics are followed, what they said first, and how many executions may have begun before that. */
    statisticsLife: text("statistics_life"),
    statisticsFirst: bigint("statistics_first", { mode: "number" }).notNull().default(0),
    statisticsUnfinished: bigint("statistics_unfinished", { mode: "number" }).notNull().default(0),
    /** `succeeded` when that process was first asked. */
    statisticsBefore: integer("statistics_before").notNull().default(0),
    /** When the plan was last seen used up. */
    limitedAt: at("limited_at"),
    differsSince: at("differs_since"),
    /** When operators were told, and what had been reported and seen by the newest look since. */
    toldAt: at("told_at"),
    reported: bigint({ mode: "number" }).notNull().default(0),
    gateway: bigint({ mode: "number" }).notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.date] }),
    index("usage_checks_told")
      .on(table.toldAt)
      .where(sql`${table.toldAt} is not null`),
  ],
);

/** What an account used in a usage period, whatever became of its workspaces. */
export const usagePeriods = pgTable(
  "usage_periods",
  {
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    startsAt: at("starts_at").notNull(),
    executions: integer().notNull().default(0),
    /** The limits whose 80 and 100 % were told to the owner: each is told once. */
    warnedOf: integer("warned_of"),
    reachedOf: integer("reached_of"),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.startsAt] })],
);

/** What an account used on a day, in UTC. */
export const usageDays = pgTable(
  "usage_days",
  {
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** YYYY-MM-DD. */
    date: text().notNull(),
    executions: integer().notNull().default(0),
    failed: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.date] })],
);
