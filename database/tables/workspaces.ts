/** Workspaces: what was asked for, what was observed, what happened, and who is invited. */
import { sql } from "drizzle-orm";
import { bigserial, boolean, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import type { MaintenanceWindow } from "#contract/workspaces/workspace-configuration.ts";
import { at } from "./columns.ts";
import { accounts } from "./accounts.ts";
import { mails } from "./service.ts";

/** What a due workspace waits for (domain/workspaces/observation-store.ts), in words that an index can have. */
export const workKind = sql`(case
  when desired_state <> 'running' then 'stop'
  when unhealthy_since is not null then 'retry'
  when observed_state = 'online' and observed_generation = generation then 'look'
  when failures > 0 then 'retry'
  else 'start' end)`;

/** What the customer asked for (desired…), what was last observed (observed…), and when to look again. */
export const workspaces = pgTable(
  "workspaces",
  {
    id: uuid().primaryKey(),
    /** Small and never reused: drivers derive Unix user ids from it. */
    number: bigserial({ mode: "number" }).notNull().unique(),
    accountId: uuid("account_id")
      .notNull()
      .unique()
      .references(() => accounts.id),
    engine: text({ enum: ["n8n", "node-red"] }).notNull(),

    desiredState: text("desired_state", { enum: ["running", "stopped", "deleted"] }).notNull(),
    desiredVersion: text("desired_version").notNull(),
    timezone: text().notNull(),
    /** Which releases are offered, and taken by automatic updates. */
    channel: text({ enum: ["stable", "newest"] })
      .notNull()
      .default("stable"),
    autoUpdate: boolean("auto_update").notNull().default(false),
    maintenanceWindow: jsonb("maintenance_window").$type<MaintenanceWindow>().notNull().default({ weekday: "sunday", startHour: 3 }),
    executionsToKeep: integer("executions_to_keep").notNull().default(1000),
    memoryMb: integer("memory_mb").notNull(),
    /** The memory that the newest process was started with; another than `memoryMb` until a restart. Null: not known. */
    runningMemoryMb: integer("running_memory_mb"),
    /** Grows with every change that the running workspace must follow, a restart included. */
    generation: integer().notNull().default(1),
    /** When the owner last asked for a restart: a second click is no second restart. */
    restartAskedAt: at("restart_asked_at"),

    /** Encrypted JSON of the engine's secrets (encryption key and the like). */
    secrets: text().notNull(),
    /** Set once the engine's owner exists; before it nobody from outside is let in. */
    ownerSetUpAt: at("owner_set_up_at"),
    /** The profile of this moment reached the workspace: compared with the account's `profileChangedAt`. */
    profilePassedAt: at("profile_passed_at"),
    /** The owner as the workspace was told, `e-mail name`: compared with the account's. */
    ownerPassed: text("owner_passed"),
    /** When the workspace last said what was used, and how many workflows were active then. */
    usageReadAt: at("usage_read_at"),
    activeWorkflows: integer("active_workflows").notNull().default(0),

    /** The last generation that was brought fully to life, or fully to rest. */
    observedGeneration: integer("observed_generation").notNull().default(0),
    observedState: text("observed_state", { enum: ["none", "starting", "online", "offline", "stopped", "deleted"] })
      .notNull()
      .default("none"),
    observedVersion: text("observed_version"),
    /** host:port where the workspace answers; the gateway's target. */
    address: text(),
    /** Only with this may the gateway let anybody in. */
    gatewayOpen: boolean("gateway_open").notNull().default(false),
    progressStep: text("progress_step"),
    progressLabel: text("progress_label"),
    progressPercent: integer("progress_percent"),
    reason: text(),
    /** The event behind `reason`; kept through the start that answers a death. */
    reasonCode: text("reason_code"),
    /** Named failure in a row; drives the backoff. */
    failures: integer().notNull().default(0),
    startedAt: at("started_at"),
    /** Since when a workspace that was online does not answer. */
    unhealthySince: at("unhealthy_since"),

    /** When a worker should look; null: nothing to do until something changes. */
    reconcileAt: at("reconcile_at"),
    leaseOwner: uuid("lease_owner"),
    leaseUntil: at("lease_until"),
    /** When this row began to serve a new workspace after the last one was deleted. */
    renewedAt: at("renewed_at"),
    /** Counts the workspaces that this row has served, one after the other. What belongs to one of them carries its number. */
    life: integer().notNull().default(1),
    createdAt: at("created_at").notNull(),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [
    index("workspaces_due_kind")
      .on(workKind, table.reconcileAt)
      .where(sql`${table.reconcileAt} is not null`),
    index("workspaces_due")
      .on(table.reconcileAt)
      .where(sql`${table.reconcileAt} is not null`),
    index("workspaces_lease")
      .on(table.leaseUntil)
      .where(sql`${table.leaseUntil} is not null`),
    index("workspaces_automatic")
      .on(table.id)
      .where(sql`${table.autoUpdate} and ${table.desiredState} = 'running' and ${table.observedState} = 'online'`),
  ],
);

/** What happened to a workspace, for its owner and its operator. Detail is for operators, and may be shown to the owner. */
export const workspaceJournal = pgTable(
  "workspace_journal",
  {
    id: bigserial({ mode: "bigint" }).primaryKey(),
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    at: at("at").notNull(),
    event: text().notNull(),
    message: text().notNull(),
    detail: text(),
    /** Who did it, by name; null: the service by itself. */
    actor: text(),
  },
  (table) => [index("workspace_journal_newest").on(table.workspaceId, table.id.desc())],
);

/** Memory that a running workspace used, once a minute, for two days. */
export const workspaceMemory = pgTable(
  "workspace_memory",
  {
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    at: at("at").notNull(),
    memoryMb: integer("memory_mb").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.at] }), index("workspace_memory_age").on(table.at)],
);

/** A question that only the workspace's own host can answer: asked by the API, answered by a worker. The newest of each kind. */
export const workspaceLooks = pgTable(
  "workspace_looks",
  {
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    kind: text({ enum: ["logs", "members", "community-nodes"] }).notNull(),
    /** Null once it is answered. */
    askedAt: at("asked_at"),
    answeredAt: at("answered_at"),
    /** The last answer, by kind. */
    answer: jsonb(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.kind] }),
    index("workspace_looks_open")
      .on(table.askedAt)
      .where(sql`${table.askedAt} is not null`),
  ],
);

/** People asked into an account's workspace, kept until it is online. One row per address; links are never stored: the tool makes a new one each time. */
export const invitations = pgTable(
  "invitations",
  {
    id: uuid().primaryKey(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** Lowercase. */
    email: text().notNull(),
    state: text({ enum: ["waiting", "sent", "accepted", "failed"] })
      .notNull()
      .default("waiting"),
    /** The person's id in the workspace's own user management, once it is known. */
    memberId: text("member_id"),
    /** The newest mail; where it could not be delivered, its row says so. */
    mailId: uuid("mail_id").references(() => mails.id, { onDelete: "set null" }),
    /** Why the last try failed, in words for the owner. */
    reason: text(),
    /** Tries that failed in a row. */
    attempts: integer().notNull().default(0),
    /** When an online workspace is to be asked (again); null: nothing to do. */
    dueAt: at("due_at"),
    /** When the owner last asked for the invitation to go out. */
    askedAt: at("asked_at").notNull(),
    sentAt: at("sent_at"),
    acceptedAt: at("accepted_at"),
    /** Revoked by the owner. Kept for a day, so that inviting and revoking does not get around the limits. */
    revokedAt: at("revoked_at"),
  },
  (table) => [unique("invitations_address").on(table.accountId, table.email), index("invitations_mail").on(table.mailId)],
);

/** One row per engine release and host: whether it is installed there, and how far along. */
export const engineInstalls = pgTable(
  "engine_installs",
  {
    host: text().notNull(),
    engine: text().notNull(),
    version: text().notNull(),
    state: text({ enum: ["installing", "installed", "failed"] }).notNull(),
    percent: integer().notNull().default(0),
    reason: text(),
    attempts: integer().notNull().default(0),
    /** After a failure: not before. */
    retryAt: at("retry_at"),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.host, table.engine, table.version] })],
);
