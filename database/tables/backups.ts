/** Copies of a workspace, their way back, and what an account takes away. */
import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { LeftOut } from "#contract/workspaces/backup.ts";
import { at } from "./columns.ts";
import { accounts } from "./accounts.ts";
import { workspaces } from "./workspaces.ts";

/** A copy of all that a workspace holds, in the backup storage under its id. Outlives the workspace, for `keptUntil`. */
export const backups = pgTable(
  "backups",
  {
    id: uuid().primaryKey(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** No reference: the last backup of a deleted workspace stays. */
    workspaceId: uuid("workspace_id").notNull(),
    kind: text({ enum: ["manual", "nightly", "before-update", "before-restore", "before-deletion"] }).notNull(),
    /** `waiting` until a worker takes it; `successful` once it was opened and counted; `removed` while its file is being deleted. */
    state: text({ enum: ["waiting", "running", "successful", "failed", "removed"] })
      .notNull()
      .default("waiting"),
    engine: text({ enum: ["n8n", "node-red"] }).notNull(),
    engineVersion: text("engine_version").notNull(),
    /** Of the workspace when the copy before a deletion began: each deletion has one such copy. Null: not recorded. */
    generation: integer(),
    /** The name of its object in the storage, another for each try, so that two workers never write to one; null: `backups/` and the id. */
    storedAs: text("stored_as"),
    /** Bytes of all files in it, unpacked; null: not recorded. */
    unpackedSize: bigint("unpacked_size", { mode: "number" }),
    /** What lay among the files and is not in it; null: not recorded. */
    leftOut: jsonb("left_out").$type<LeftOut>(),
    /** Bytes and SHA-256 (hex) of what is stored, encrypted. */
    size: bigint({ mode: "number" }),
    sha256: text(),
    /** Names the key it is encrypted with. */
    keyId: text("key_id"),
    workflows: integer(),
    credentials: integer(),
    executions: integer(),
    verifiedAt: at("verified_at"),
    /** When it is removed; null: not decided while it is made. */
    keptUntil: at("kept_until"),
    /** Why it failed: for the owner, and for operators. */
    reason: text(),
    detail: text(),
    attempts: integer().notNull().default(0),
    /** When a worker may take it (again); null once it is made or given up, or where a reconcile step makes it. */
    dueAt: at("due_at"),
    leaseOwner: uuid("lease_owner"),
    leaseUntil: at("lease_until"),
    /** SHA-256 of the newest download link's token, until it is used. */
    downloadHash: text("download_hash"),
    downloadUntil: at("download_until"),
    createdAt: at("created_at").notNull(),
    finishedAt: at("finished_at"),
  },
  (table) => [
    index("backups_newest").on(table.accountId, table.createdAt.desc()),
    index("backups_workspace").on(table.workspaceId, table.kind, table.createdAt.desc()),
    index("backups_due")
      .on(table.dueAt)
      .where(sql`${table.dueAt} is not null`),
    index("backups_lease")
      .on(table.leaseUntil)
      .where(sql`${table.leaseUntil} is not null`),
    index("backups_kept")
      .on(table.keptUntil)
      .where(sql`${table.keptUntil} is not null`),
    // What a reconcile step makes is guarded by its lease, and a dead step's row must not be in the way of the next try.
    uniqueIndex("backups_open")
      .on(table.workspaceId, table.kind)
      .where(sql`${table.state} in ('waiting', 'running') and ${table.kind} in ('manual', 'nightly')`),
    index("backups_download")
      .on(table.downloadHash)
      .where(sql`${table.downloadHash} is not null`),
  ],
);

/** A backup that is to replace what a workspace holds; the reconciler does it. At most one is open per workspace. */
export const restores = pgTable(
  "restores",
  {
    id: uuid().primaryKey(),
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** `life` of the workspace that it belongs to. */
    life: integer().notNull().default(1),
    backupId: uuid("backup_id")
      .notNull()
      .references(() => backups.id, { onDelete: "cascade" }),
    /** What was there before, made first; null until it is. */
    safetyBackupId: uuid("safety_backup_id").references(() => backups.id, { onDelete: "set null" }),
    /** Since then the backup's files are in place; the restore ends once the workspace is online with them. */
    placedAt: at("placed_at"),
    state: text({ enum: ["waiting", "running", "successful", "failed"] })
      .notNull()
      .default("waiting"),
    reason: text(),
    attempts: integer().notNull().default(0),
    /** Who asked, by name. */
    actor: text().notNull(),
    createdAt: at("created_at").notNull(),
    finishedAt: at("finished_at"),
  },
  (table) => [
    uniqueIndex("restores_open")
      .on(table.workspaceId)
      .where(sql`${table.finishedAt} is null`),
    index("restores_newest").on(table.workspaceId, table.createdAt.desc()),
    index("restores_backup").on(table.backupId),
  ],
);

/** What an account takes away: workflows as files, and credentials under the owner's own passphrase. */
export const exports = pgTable(
  "exports",
  {
    id: uuid().primaryKey(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    workspaceId: uuid("workspace_id").notNull(),
    state: text({ enum: ["waiting", "running", "ready", "failed"] })
      .notNull()
      .default("waiting"),
    /** The key made of the owner's passphrase, and its salt, encrypted; null: without credentials. Gone once the export ended. */
    credentialsKey: text("credentials_key"),
    withCredentials: boolean("with_credentials").notNull(),
    workflows: integer(),
    credentials: integer(),
    size: bigint({ mode: "number" }),
    reason: text(),
    detail: text(),
    attempts: integer().notNull().default(0),
    dueAt: at("due_at"),
    leaseOwner: uuid("lease_owner"),
    leaseUntil: at("lease_until"),
    downloadHash: text("download_hash"),
    downloadUntil: at("download_until"),
    createdAt: at("created_at").notNull(),
    finishedAt: at("finished_at"),
    /** When its file is removed. */
    keptUntil: at("kept_until").notNull(),
  },
  (table) => [
    uniqueIndex("exports_open")
      .on(table.accountId, table.withCredentials)
      .where(sql`${table.state} in ('waiting', 'running')`),
    index("exports_newest").on(table.accountId, table.createdAt.desc()),
    index("exports_due")
      .on(table.dueAt)
      .where(sql`${table.dueAt} is not null`),
    index("exports_lease")
      .on(table.leaseUntil)
      .where(sql`${table.leaseUntil} is not null`),
    index("exports_kept").on(table.keptUntil),
    index("exports_download")
      .on(table.downloadHash)
      .where(sql`${table.downloadHash} is not null`),
  ],
);
