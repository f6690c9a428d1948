import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { backups } from "./backups.ts";
import { at } from "./columns.ts";
import { workspaces } from "./workspaces.ts";

/** Version changes of a workspace: a snapshot first, the new version, and the rollback. At most one is under way. */
export const workspaceUpdates = pgTable(
  "workspace_updates",
  {
    id: uuid().primaryKey(),
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** `life` of its workspace. */
    life: integer().notNull().default(1),
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
    index("workspace_updates_newest").on(table.workspaceId, table.startedAt.desc()),
    index("workspace_updates_version").on(table.toVersion, table.askedBy),
    index("workspace_updates_backup").on(table.backupId),
    index("workspace_updates_restore").on(table.restoreBackupId),
  ],
);
