/** What workspaces used: executions, as they reported them and as observed elsewhere. */
import { sql } from "drizzle-orm";
import { bigint, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { at } from "./columns.ts";
import { accounts } from "./accounts.ts";
import { counts, days } from "./rules.ts";
import { workspaces } from "./workspaces.ts";

/** The last value of each counter of a workspace: they only grow, so reading one twice, or an old one again, adds nothing. */
export const usageCounters = pgTable(
  "usage_counters",
  {
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** One life of the workspace's counters. */
    epoch: text().notNull(),
    /** The usage period that the workspace reported; the one it counts toward was decided when it was first seen. */
    saidPeriod: text("said_period").notNull(),
    date: text().notNull(),
    periodStartsAt: at("period_starts_at").notNull(),
    executions: integer().notNull(),
    failed: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.epoch, table.saidPeriod, table.date] }),
    ...days(table.date),
    ...counts(table.executions, table.failed),
  ],
);

/**
 * Executions that a gateway saw start, by UTC day: a lower bound. Each figure is the total of one gateway process and only grows, so
 * writing it twice adds nothing.
 */
export const gatewayCounts = pgTable(
  "gateway_counts",
  {
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** YYYY-MM-DD, by the machine's clock. */
    date: text().notNull(),
    /** One life of one gateway process. */
    run: uuid().notNull(),
    executions: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.date, table.run] }), ...days(table.date), ...counts(table.executions)],
);

/** Calls of a workspace's webhooks as gateways saw them: one row for each minute and one for each hour, whatever the paths. */
export const webhookCalls = pgTable(
  "webhook_calls",
  {
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** 1 or 60: how long the span is. */
    spanMinutes: integer("span_minutes").notNull(),
    /** When it began. */
    at: at("at").notNull(),
    calls: integer().notNull(),
    clientErrors: integer("client_errors").notNull(),
    failed: integer().notNull(),
    waited: integer().notNull(),
    /** Answered calls by duration: the classes are in domain/workspaces/webhooks/webhook-calls.ts. */
    latency: integer().array().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.spanMinutes, table.at] }),
    index("webhook_calls_age").on(table.spanMinutes, table.at),
  ],
);

/** How a workspace's reported day compares with what was observed elsewhere. No row: there was never a difference. */
export const usageChecks = pgTable(
  "usage_checks",
  {
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** YYYY-MM-DD, as in the workspace's counters. */
    date: text().notNull(),
    /** Executions counted in addition to the reported ones. */
    added: bigint({ mode: "number" }).notNull().default(0),
    /** Of those that the gateway saw, how many were refused because the plan was used up. */
    excused: bigint({ mode: "number" }).notNull().default(0),
    /** Executions that, according to the engine's own statistics, certainly started on this day. */
    succeeded: integer().notNull().default(0),
    /** The process whose statistics are followed, their first values, and how many executions may have started before. */
    statisticsLife: text("statistics_life"),
    statisticsFirst: bigint("statistics_first", { mode: "number" }).notNull().default(0),
    statisticsUnfinished: bigint("statistics_unfinished", { mode: "number" }).notNull().default(0),
    /** `succeeded` when that process was first asked. */
    statisticsBefore: integer("statistics_before").notNull().default(0),
    /** When the plan was last found used up. */
    limitedAt: at("limited_at"),
    differsSince: at("differs_since"),
    /** When operators were told, and the reported and observed figures of the latest check since. */
    toldAt: at("told_at"),
    reported: bigint({ mode: "number" }).notNull().default(0),
    gateway: bigint({ mode: "number" }).notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.date] }),
    index("usage_checks_told")
      .on(table.toldAt)
      .where(sql`${table.toldAt} is not null`),
    ...days(table.date),
    ...counts(table.added),
  ],
);

/** What an account used in a usage period, over all its workspaces. */
export const usagePeriods = pgTable(
  "usage_periods",
  {
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    startsAt: at("starts_at").notNull(),
    executions: integer().notNull().default(0),
    /** The limits for which the owner was told of 80 and 100 %: once each. */
    warnedOf: integer("warned_of"),
    reachedOf: integer("reached_of"),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.startsAt] }), ...counts(table.executions)],
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
  (table) => [primaryKey({ columns: [table.accountId, table.date] }), ...days(table.date), ...counts(table.executions, table.failed)],
);
