/** Workspaces: desired and observed state, history, and invitations. */
import { sql } from "drizzle-orm";
import { bigint, bigserial, boolean, check, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { invitationStates } from "#contract/accounts/invitation.ts";
import { engineNames } from "#contract/workspaces/engine-names.ts";
import { releaseChannels } from "#contract/workspaces/workspace-values.ts";
import type { MaintenanceWindow } from "#contract/workspaces/workspace-configuration.ts";
import { at } from "./columns.ts";
import { accounts } from "./accounts.ts";
import { counts, listed, lowercase } from "./rules.ts";
import { mails } from "./service.ts";

/** What a due workspace waits for (domain/workspaces/observed/claim-workspaces.ts), in a form that an index can use. */
export const workKind = sql`(case
  when desired_state <> 'running' then 'stop'
  when wake_asked_at is not null then 'wake'
  when unhealthy_since is not null then 'retry'
  when observed_state = 'online' and observed_generation = generation then 'look'
  when failures > 0 then 'retry'
  else 'start' end)`;

/** What the customer requested (desired…), what was last observed (observed…), and when to look again. */
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
    engine: text({ enum: engineNames }).notNull(),

    desiredState: text("desired_state", { enum: ["running", "stopped", "deleted"] }).notNull(),
    /**
     * Null, unless its account is suspended or closed: the desired state that it gets again afterwards. Until then, no statement can make it
     * run: a constraint refuses it.
     */
    resumesAs: text("resumes_as", { enum: ["running", "stopped", "deleted"] }),
    desiredVersion: text("desired_version").notNull(),
    timezone: text().notNull(),
    /** Which releases are offered, and installed by automatic updates. */
    channel: text({ enum: releaseChannels }).notNull().default("stable"),
    autoUpdate: boolean("auto_update").notNull().default(false),
    maintenanceWindow: jsonb("maintenance_window").$type<MaintenanceWindow>().notNull().default({ weekday: "sunday", startHour: 3 }),
    /** Set by the owner; null: as many as the plan keeps. */
    executionsToKeep: integer("executions_to_keep"),
    memoryMb: integer("memory_mb").notNull(),
    /** The memory of the newest process; differs from `memoryMb` until a restart. Null: unknown. */
    runningMemoryMb: integer("running_memory_mb"),
    /** Grows with every change that the running workspace must follow, restarts included. */
    generation: integer().notNull().default(1),
    /** When the owner last requested a restart: a second click does not restart again. */
    restartAskedAt: at("restart_asked_at"),

    /**
     * The host that runs it and has its files. Null: none yet; the host with the most free memory takes it when it is due. The default is
     * the first host's name, for rows older than host names.
     */
    host: text().default("main"),
    /**
     * The backup whose files must be in place before it starts on its host, which does not have its files. Null: they are there, or it is
     * new. `nothingArrives`: any files on its host belong to an earlier life or stay, and are removed before it starts. `nothingLeft`: its
     * files were missing when a restore began.
     */
    arriving: uuid(),
    /** The dead host it was taken from, until another one takes it: if the dead host comes back first, it still has the newest files. */
    lostFrom: text("lost_from"),

    /** Encrypted JSON of the engine's secrets (encryption key and the like). */
    secrets: text().notNull(),
    /** Hash of what its blank was started from, until the blank has become this workspace or was given up. Null: there is none. */
    blank: text(),
    /** Grows with each change of the owner's variables, which are among the secrets. */
    variablesRevision: integer("variables_revision").notNull().default(0),
    /** The revision that the running process has; differs until it was passed to it. */
    variablesPassed: integer("variables_passed").notNull().default(0),
    /** Set once the engine's owner exists; before that no outside request is let in. */
    ownerSetUpAt: at("owner_set_up_at"),
    /** The version of the profile that reached the workspace: compared with the account's `profileChangedAt`. */
    profilePassedAt: at("profile_passed_at"),
    /** The owner as passed to the workspace, `e-mail name`: compared with the account's. */
    ownerPassed: text("owner_passed"),
    /** When the workspace last reported its usage, and how many workflows it had then, active and in total; null: not reported. */
    usageReadAt: at("usage_read_at"),
    activeWorkflows: integer("active_workflows").notNull().default(0),
    workflows: integer(),

    /** The last generation that fully started or fully stopped. */
    observedGeneration: integer("observed_generation").notNull().default(0),
    observedState: text("observed_state", { enum: ["none", "starting", "online", "offline", "stopped", "deleted"] })
      .notNull()
      .default("none"),
    observedVersion: text("observed_version"),
    /** Where the workspace answers: the gateway's target, as the driver observed it. */
    address: text(),
    /** Only if set may the gateway let requests in. */
    gatewayOpen: boolean("gateway_open").notNull().default(false),
    progressStep: text("progress_step"),
    progressLabel: text("progress_label"),
    progressPercent: integer("progress_percent"),
    reason: text(),
    /** The event behind `reason`; kept during the restart after a crash. */
    reasonCode: text("reason_code"),
    /** Failures in a row; determines the backoff. */
    failures: integer().notNull().default(0),
    startedAt: at("started_at"),
    /** Since when a change waits for the executions that ran at that time; null: none does. */
    finishingSince: at("finishing_since"),
    /** Since when a workspace that was online has not answered. */
    unhealthySince: at("unhealthy_since"),

    /** When it last had work: a visitor's request, or executions. Null: not since it was created. */
    activeAt: at("active_at"),
    /**
     * The last use from outside: a visitor's request, an open connection, or a call by a worker. By the database's clock, which orders uses
     * and sleep. `activeAt` cannot do this: it uses the service's clock, is saved after the visit, and can be moved by executions that the
     * tenant reports.
     */
    usedAt: at("used_at"),
    /** Since when its processes are frozen, or about to be. No request is passed on until it is null again. */
    asleepSince: at("asleep_since"),
    /** Since when it has no process because it sleeps; its next use starts it. Null again when it is online. */
    coldSince: at("cold_since"),
    /**
     * While asleep: when it must be awake again for an execution that waits until then. Null: only when it is used. By the machine's clock.
     */
    sleepUntil: at("sleep_until"),
    /** `updatedAt` as it was when it fell asleep: any change since then wakes it. */
    asleepRevision: at("asleep_revision"),
    /** While asleep: when it was first requested to wake. */
    wakeAskedAt: at("wake_asked_at"),

    /** The earliest time to check whether its nightly backup is due. */
    nightlyAt: at("nightly_at").notNull().defaultNow(),

    /** When a worker should look; null: nothing to do until something changes. */
    reconcileAt: at("reconcile_at"),
    /** The trace of the call or request that made it due; the worker continues it until that work is done. Null: it is not traced. */
    traceparent: text(),
    leaseOwner: uuid("lease_owner"),
    leaseUntil: at("lease_until"),
    /** When this row began to serve a new workspace after a deletion. */
    renewedAt: at("renewed_at"),
    /** Counts the workspaces that have used this row, one after the other. Data of one of them carries its number. */
    life: integer().notNull().default(1),
    createdAt: at("created_at").notNull(),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [
    index("workspaces_due_kind")
      .on(table.host, workKind, table.reconcileAt)
      .where(sql`${table.reconcileAt} is not null`),
    index("workspaces_due")
      .on(table.reconcileAt)
      .where(sql`${table.reconcileAt} is not null`),
    index("workspaces_lease")
      .on(table.leaseUntil)
      .where(sql`${table.leaseUntil} is not null`),
    index("workspaces_created").on(table.createdAt),
    index("workspaces_addressed")
      .on(table.host, table.id)
      .where(sql`${table.address} is not null`),
    index("workspaces_frozen")
      .on(table.asleepSince)
      .where(sql`${table.asleepSince} is not null and ${table.coldSince} is null`),
    index("workspaces_nightly")
      .on(table.host, table.nightlyAt)
      .where(sql`${table.desiredState} = 'running' and ${table.observedState} = 'online' and ${table.ownerSetUpAt} is not null`),
    index("workspaces_automatic")
      .on(table.host, table.id)
      .where(sql`${table.autoUpdate} and ${table.desiredState} = 'running' and ${table.observedState} = 'online'`),
    check("workspaces_stopped_while_suspended", sql`${table.resumesAs} is null or ${table.desiredState} <> 'running'`),
    ...listed(table.engine, table.desiredState, table.resumesAs, table.channel, table.observedState),
    ...counts(table.memoryMb, table.failures, table.life, table.generation),
  ],
);

/**
 * The webhooks of a sleeping workspace, as it reported them when it fell asleep; they cannot change meanwhile. The tenant can influence them.
 * Valid only for the sleep that began at `asleepSince`. No row: unknown.
 */
export const sleepingWebhooks = pgTable("sleeping_webhooks", {
  workspaceId: uuid("workspace_id")
    .primaryKey()
    .references(() => workspaces.id, { onDelete: "cascade" }),
  asleepSince: at("asleep_since").notNull(),
  /** The methods of each path. */
  paths: jsonb().$type<Record<string, string[]>>().notNull(),
  /** Paths with parameters: the first segment and the number of the others, separated by a space. */
  templates: text().array().notNull(),
  /** The ids of the first and the last of its executions, one of which a call may resume; null: it has none. */
  firstExecution: bigint("first_execution", { mode: "number" }),
  lastExecution: bigint("last_execution", { mode: "number" }),
});

/** The history of a workspace, for its owner and its operator. Detail is for operators, and may be shown to the owner. */
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
    /** The name of who did it; null: the service, automatically. */
    actor: text(),
  },
  (table) => [index("workspace_journal_newest").on(table.workspaceId, table.id), index("workspace_journal_age").on(table.at)],
);

/** What a running workspace uses of its host, recorded as it changes and at least every ten minutes, and kept for two days. */
export const workspaceMemory = pgTable(
  "workspace_memory",
  {
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    at: at("at").notNull(),
    memoryMb: integer("memory_mb").notNull(),
    /** In percent of one processor, over the minute before; null: unknown. */
    cpuPercent: integer("cpu_percent"),
    /** Null: the host cannot tell. */
    diskMb: integer("disk_mb"),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.at] }), index("workspace_memory_age").on(table.at)],
);

/** The most memory, processor time and disk of each hour in which a workspace ran, for 31 days. */
export const workspaceHours = pgTable(
  "workspace_hours",
  {
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** When the hour began. */
    hour: at("hour").notNull(),
    memoryMb: integer("memory_mb").notNull(),
    cpuPercent: integer("cpu_percent"),
    diskMb: integer("disk_mb"),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.hour] }), index("workspace_hours_age").on(table.hour)],
);

/**
 * A question that only the workspace's host can answer: asked by the API, answered by a worker. The newest of each kind. `workflows` is
 * never asked: a workspace reports which ones ran most whenever it reports its usage.
 */
export const workspaceLooks = pgTable(
  "workspace_looks",
  {
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    kind: text({ enum: ["logs", "follow-logs", "kept-logs", "members", "community-nodes", "workflows"] }).notNull(),
    /** Null once it is answered. */
    askedAt: at("asked_at"),
    answeredAt: at("answered_at"),
    /** The last answer, by kind. */
    answer: jsonb(),
    /** A worker has taken it and answers it by then; null: none has. By the database's clock. */
    leaseUntil: at("lease_until"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.kind] }),
    index("workspace_looks_open")
      .on(table.askedAt)
      .where(sql`${table.askedAt} is not null`),
    ...listed(table.kind),
  ],
);

/**
 * People invited to an account's workspace, kept until it is online. One row per address; links are never stored: the engine makes a new
 * one each time.
 */
export const invitations = pgTable(
  "invitations",
  {
    id: uuid().primaryKey(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** Lowercase. */
    email: text().notNull(),
    state: text({ enum: invitationStates }).notNull().default("waiting"),
    /** The person's id in the workspace's user management, once known. */
    memberId: text("member_id"),
    /** The newest mail; if it could not be delivered, its row says so. */
    mailId: uuid("mail_id").references(() => mails.id, { onDelete: "set null" }),
    /** Why the last attempt failed, in words for the owner. */
    reason: text(),
    /** Failed attempts in a row. */
    attempts: integer().notNull().default(0),
    /** When to ask an online workspace (again); null: nothing to do. */
    dueAt: at("due_at"),
    /** When the owner last requested that the invitation be sent. */
    askedAt: at("asked_at").notNull(),
    sentAt: at("sent_at"),
    acceptedAt: at("accepted_at"),
    /** Revoked by the owner. Kept for a day, so that inviting and revoking cannot bypass the limits. */
    revokedAt: at("revoked_at"),
  },
  (table) => [
    unique("invitations_address").on(table.accountId, table.email),
    index("invitations_mail").on(table.mailId),
    ...lowercase(table.email),
    ...listed(table.state),
    ...counts(table.attempts),
  ],
);

/** One row per engine release and host: whether it is installed there, and its progress. */
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
    /** After a failure: no retry before this time. */
    retryAt: at("retry_at"),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.host, table.engine, table.version] }), ...listed(table.state)],
);
