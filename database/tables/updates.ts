import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { engineNames } from "#contract/workspaces/engine-names.ts";
import { backups } from "./backups.ts";
import { at } from "./columns.ts";
import { counts, days, listed } from "./rules.ts";
import { workspaces } from "./workspaces.ts";

/** Version changes of a workspace: a snapshot first, the new version, and the rollback. At most one is under way. */
export const workspaceUpdates = pgTable(
  "workspace_updates",
  {
    id: uuid().primaryKey(),
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** `life` of its workspace when it was requested. */
    life: integer().notNull(),
    fromVersion: text("from_version").notNull(),
    toVersion: text("to_version").notNull(),
    askedBy: text("asked_by", { enum: ["owner", "window", "operator"] }).notNull(),
    /** For a rollback after a successful update: this backup is put in place before the old version starts. */
    restoreBackupId: uuid("restore_backup_id").references(() => backups.id, { onDelete: "set null" }),
    /** When that backup was put in place. */
    restoredAt: at("restored_at"),
    /** The backup of the earlier contents, made first; null until then. */
    backupId: uuid("backup_id").references(() => backups.id, { onDelete: "set null" }),
    /** When that backup was made. From then on the new version may have changed the files, so no second one is made. */
    snapshotAt: at("snapshot_at"),
    state: text({ enum: ["running", "successful", "rolled-back", "failed"] })
      .notNull()
      .default("running"),
    /** Why it failed, in words for the owner. */
    reason: text(),
    startedAt: at("started_at").notNull(),
    finishedAt: at("finished_at"),
  },
  (table) => [
    uniqueIndex("workspace_updates_open")
      .on(table.workspaceId)
      .where(sql`${table.finishedAt} is null`),
    index("workspace_updates_newest").on(table.workspaceId, table.startedAt),
    index("workspace_updates_version").on(table.toVersion, table.askedBy),
    index("workspace_updates_backup").on(table.backupId),
    index("workspace_updates_restore").on(table.restoreBackupId),
    ...listed(table.askedBy, table.state),
  ],
);

/**
 * An update of many workspaces to one version, which workers carry out in waves. At most one per engine is unfinished. Times of waiting are
 * sums of short steps, so that neither a clock that is set nor a stopped worker counts as time in which workspaces were watched.
 */
export const fleetUpdates = pgTable(
  "fleet_updates",
  {
    id: uuid().primaryKey(),
    engine: text({ enum: engineNames }).notNull(),
    toVersion: text("to_version").notNull(),
    /** `ended`: an operator gave up a stopped one. */
    state: text({ enum: ["running", "stopped", "done", "rolling-back", "rolled-back", "ended"] })
      .notNull()
      .default("running"),
    /** Why it is stopped or rolled back: the operator's words, or what the gate found. Null: it is not. */
    stopReason: text("stop_reason"),
    /** Since when it is stopped, or being rolled back, and the operator who did it. Null: a gate. */
    stoppedAt: at("stopped_at"),
    stoppedBy: text("stopped_by"),
    waves: integer().notNull(),
    /** The current wave, from 1. */
    wave: integer().notNull().default(1),
    /** How long the workspaces are watched after each wave. */
    soakSeconds: integer("soak_seconds").notNull(),
    /** For how long this wave has been watched, in milliseconds. */
    soakedMs: integer("soaked_ms").notNull().default(0),
    /** When a worker last looked at it. By the database's clock, which all workers share. */
    steppedAt: at("stepped_at").notNull(),
    /** The most updates of the service under way at a time, those of other causes included. */
    atOnce: integer("at_once").notNull(),
    /** It stops as soon as this many workspaces failed, crashed or are offline. */
    mostFailures: integer("most_failures").notNull(),
    /** By how many percentage points more executions may fail than before. */
    mostFailedPercent: integer("most_failed_percent").notNull(),
    /** The operator, and why. */
    operator: text().notNull(),
    reason: text(),
    startedAt: at("started_at").notNull(),
    /** Null while it is running, stopped or being rolled back. */
    finishedAt: at("finished_at"),
  },
  (table) => [
    uniqueIndex("fleet_updates_open")
      .on(table.engine)
      .where(sql`${table.finishedAt} is null`),
    index("fleet_updates_finished").on(table.finishedAt),
    ...listed(table.engine, table.state),
    ...counts(table.waves, table.wave, table.soakSeconds, table.soakedMs, table.atOnce),
  ],
);

/** A workspace in the plan of a fleet update, also one that is left out. */
export const fleetUpdateWorkspaces = pgTable(
  "fleet_update_workspaces",
  {
    fleetUpdateId: uuid("fleet_update_id")
      .notNull()
      .references(() => fleetUpdates.id, { onDelete: "cascade" }),
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** `life` of its workspace. */
    life: integer().notNull(),
    /** From 1; 0: left out of the plan. */
    wave: integer().notNull(),
    /** `kept`: it stays on the new version while the others are rolled back. */
    state: text({ enum: ["waiting", "left-out", "updating", "updated", "failed", "rolling-back", "rolled-back", "kept"] })
      .notNull()
      .default("waiting"),
    /** Why it was left out, failed or is kept: a code, or the sentence that its owner reads. */
    reason: text(),
    fromVersion: text("from_version").notNull(),
    updateId: uuid("update_id").references(() => workspaceUpdates.id, { onDelete: "set null" }),
    rollBackId: uuid("roll_back_id").references(() => workspaceUpdates.id, { onDelete: "set null" }),
    /** For how long its update has been under way, or its workspace not ready for one, in milliseconds. */
    waitedMs: integer("waited_ms").notNull().default(0),
    /** YYYY-MM-DD of its update; executions of that day until then, and of the week before. */
    day: text(),
    dayExecutions: integer("day_executions").notNull().default(0),
    dayFailed: integer("day_failed").notNull().default(0),
    weekExecutions: integer("week_executions").notNull().default(0),
    weekFailed: integer("week_failed").notNull().default(0),
    /** Whether it had crashed in that week: then another crash says nothing about the version. */
    hasCrashedBefore: boolean("has_crashed_before").notNull().default(false),
    /** The line of its journal that the end of the update wrote: what follows happened on the new version. */
    journalId: bigint("journal_id", { mode: "bigint" }),
    /** When its update was over. */
    updatedAt: at("updated_at"),
    /** What was found after its update. */
    trouble: text({ enum: ["crashed", "offline", "unfinished", "fails-more"] }),
    /** Its failure or trouble was known when an operator resumed the fleet update. */
    isAccepted: boolean("is_accepted").notNull().default(false),
    /** When it was rolled back: executions and webhook calls since its update, whose results are only in the backup made then. */
    executionsSince: integer("executions_since"),
    webhookCallsSince: integer("webhook_calls_since"),
  },
  (table) => [
    primaryKey({ columns: [table.fleetUpdateId, table.workspaceId] }),
    index("fleet_update_workspaces_workspace").on(table.workspaceId),
    index("fleet_update_workspaces_update").on(table.updateId),
    index("fleet_update_workspaces_roll_back").on(table.rollBackId),
    ...listed(table.state, table.trouble),
    ...days(table.day),
  ],
);
