/** Backups of a workspace, restores, and exports. */
import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { engineNames } from "#contract/workspaces/engine-names.ts";
import { backupKinds, type LeftOut } from "#contract/workspaces/backup.ts";
import { at } from "./columns.ts";
import { accounts } from "./accounts.ts";
import { counts, listed } from "./rules.ts";
import { workspaces } from "./workspaces.ts";

/** A copy of a workspace's contents, in the backup storage under its id. Outlives the workspace until `keptUntil`. */
export const backups = pgTable(
  "backups",
  {
    id: uuid().primaryKey(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** No reference: the last backup of a deleted workspace stays. */
    workspaceId: uuid("workspace_id").notNull(),
    /** `life` of the workspace for which it was requested; null: not recorded. */
    life: integer(),
    kind: text({ enum: backupKinds }).notNull(),
    /** `waiting` until a worker takes it; `successful` once it was opened and verified; `removed` while its file is being deleted. */
    state: text({ enum: ["waiting", "running", "successful", "failed", "removed"] })
      .notNull()
      .default("waiting"),
    engine: text({ enum: engineNames }).notNull(),
    engineVersion: text("engine_version").notNull(),
    /** The workspace's generation when the backup before a deletion began: each deletion has one such backup. Null: not recorded. */
    generation: integer(),
    /** The name of its object in the storage, new for each attempt, so that two workers never write to one; null: `backups/` and the id. */
    storedAs: text("stored_as"),
    /** Bytes of all files in it, unpacked; null: not recorded. */
    unpackedSize: bigint("unpacked_size", { mode: "number" }),
    /** Contents of the workspace's folder that were left out; null: not recorded. */
    leftOut: jsonb("left_out").$type<LeftOut>(),
    /** Bytes and SHA-256 (hex) of the stored, encrypted file. */
    size: bigint({ mode: "number" }),
    sha256: text(),
    /** The id of the encryption key. */
    keyId: text("key_id"),
    workflows: integer(),
    credentials: integer(),
    executions: integer(),
    verifiedAt: at("verified_at"),
    /** When it will be removed; null while it is being made. */
    keptUntil: at("kept_until"),
    /** Attempts to remove it from the storage once it has expired, the last one's error, and when a worker may try (again). */
    removalAttempts: integer("removal_attempts").notNull().default(0),
    removalError: text("removal_error"),
    removalDueAt: at("removal_due_at"),
    /** Why it failed, for owner and operators. */
    reason: text(),
    detail: text(),
    attempts: integer().notNull().default(0),
    /** When a worker may take it (again); null once made or given up, or if a reconcile step makes it. */
    dueAt: at("due_at"),
    /** The host of its workspace, whose workers make it. Triggers of the migration `rules` keep it, so that a claim reads no other host's rows. */
    host: text(),
    /** The trace of the call that requested it; null: it is not traced. */
    traceparent: text(),
    leaseOwner: uuid("lease_owner"),
    leaseUntil: at("lease_until"),
    /** SHA-256 of the newest download link's token, until it is used. */
    downloadHash: text("download_hash"),
    downloadUntil: at("download_until"),
    createdAt: at("created_at").notNull(),
    finishedAt: at("finished_at"),
  },
  (table) => [
    index("backups_newest").on(table.accountId, table.createdAt),
    index("backups_workspace").on(table.workspaceId, table.kind, table.createdAt),
    index("backups_due")
      .on(table.host, sql`(${table.attempts} > 0)`, table.dueAt)
      .where(sql`${table.dueAt} is not null`),
    index("backups_lease")
      .on(table.leaseUntil)
      .where(sql`${table.leaseUntil} is not null`),
    index("backups_made")
      .on(table.finishedAt)
      .where(sql`${table.state} in ('successful', 'removed')`),
    index("backups_kept")
      .on(sql`greatest(${table.keptUntil}, ${table.removalDueAt})`)
      .where(sql`${table.keptUntil} is not null`),
    // A reconcile step is guarded by its lease, and a crashed step's row must not block the next attempt.
    uniqueIndex("backups_open")
      .on(table.workspaceId, table.kind)
      .where(sql`${table.state} in ('waiting', 'running') and ${table.kind} in ('manual', 'nightly')`),
    index("backups_download")
      .on(table.downloadHash)
      .where(sql`${table.downloadHash} is not null`),
    ...listed(table.kind, table.state, table.engine),
    ...counts(table.attempts, table.removalAttempts, table.size),
  ],
);

/** A backup that will replace a workspace's contents; the reconciler does it. At most one is open per workspace. */
export const restores = pgTable(
  "restores",
  {
    id: uuid().primaryKey(),
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** `life` of its workspace when it was requested. No default: a restore of another life would never be carried out. */
    life: integer().notNull(),
    backupId: uuid("backup_id")
      .notNull()
      .references(() => backups.id, { onDelete: "cascade" }),
    /** The backup of the earlier contents, made first; null until then. */
    safetyBackupId: uuid("safety_backup_id").references(() => backups.id, { onDelete: "set null" }),
    /** When the backup's files were put in place; the restore ends once the workspace is online with them. */
    placedAt: at("placed_at"),
    state: text({ enum: ["waiting", "running", "successful", "failed"] })
      .notNull()
      .default("waiting"),
    reason: text(),
    attempts: integer().notNull().default(0),
    /** The name of the user who requested it. */
    actor: text().notNull(),
    createdAt: at("created_at").notNull(),
    finishedAt: at("finished_at"),
  },
  (table) => [
    uniqueIndex("restores_open")
      .on(table.workspaceId)
      .where(sql`${table.finishedAt} is null`),
    index("restores_ended").on(table.state, table.finishedAt),
    index("restores_newest").on(table.workspaceId, table.createdAt),
    index("restores_backup").on(table.backupId),
    index("restores_safety").on(table.safetyBackupId),
    ...listed(table.state),
    ...counts(table.attempts),
  ],
);

/** Exports: workflows as files, and credentials encrypted with the owner's passphrase. */
export const exports = pgTable(
  "exports",
  {
    id: uuid().primaryKey(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    workspaceId: uuid("workspace_id").notNull(),
    /** `life` of the workspace for which it was requested; null: not recorded. */
    life: integer(),
    state: text({ enum: ["waiting", "running", "ready", "failed"] })
      .notNull()
      .default("waiting"),
    /** The key derived from the owner's passphrase, and its salt, encrypted; null: without credentials. Deleted once the export ended. */
    credentialsKey: text("credentials_key"),
    withCredentials: boolean("with_credentials").notNull(),
    workflows: integer(),
    credentials: integer(),
    size: bigint({ mode: "number" }),
    reason: text(),
    detail: text(),
    attempts: integer().notNull().default(0),
    dueAt: at("due_at"),
    /** The host of its workspace, as in `backups`. */
    host: text(),
    /** The trace of the call that requested it; null: it is not traced. */
    traceparent: text(),
    leaseOwner: uuid("lease_owner"),
    leaseUntil: at("lease_until"),
    downloadHash: text("download_hash"),
    downloadUntil: at("download_until"),
    createdAt: at("created_at").notNull(),
    finishedAt: at("finished_at"),
    /** When its file will be removed. */
    keptUntil: at("kept_until").notNull(),
    /** Attempts to remove its file then, the last one's error, and when a worker may try (again). */
    removalAttempts: integer("removal_attempts").notNull().default(0),
    removalError: text("removal_error"),
    removalDueAt: at("removal_due_at"),
  },
  (table) => [
    uniqueIndex("exports_open")
      .on(table.accountId, table.withCredentials)
      .where(sql`${table.state} in ('waiting', 'running')`),
    index("exports_ended").on(table.state, table.finishedAt),
    index("exports_newest").on(table.accountId, table.createdAt),
    index("exports_due")
      .on(table.host, sql`(${table.attempts} > 0)`, table.dueAt)
      .where(sql`${table.dueAt} is not null`),
    index("exports_lease")
      .on(table.leaseUntil)
      .where(sql`${table.leaseUntil} is not null`),
    index("exports_kept").on(sql`greatest(${table.keptUntil}, ${table.removalDueAt})`),
    index("exports_download")
      .on(table.downloadHash)
      .where(sql`${table.downloadHash} is not null`),
    ...listed(table.state),
    ...counts(table.attempts, table.removalAttempts, table.size),
  ],
);
