/**
 * The whole data model, in a file for each product word. Stores are the only readers and writers; migrations are generated from
 * it (`npm run migration`). Money is in minor units, times are timestamptz, secrets are hashes or encrypted. This is the one
 * module that passes others on, because queries and drizzle-kit take the model as a whole.
 */
import { sql } from "drizzle-orm";
import type { LeftOut } from "#contract/workspaces/backup.ts";
import type { MaintenanceWindow } from "#contract/workspaces/workspace-configuration.ts";
import {
  bigint,
  bigserial,
  boolean,
  date,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
} from "drizzle-orm/pg-core";

const at = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

export const accounts = pgTable("accounts", {
  id: uuid().primaryKey(),
  /** Host label, Unix and Kubernetes name: contract/api/fields.ts `accountName`. */
  name: text().notNull().unique(),
  /** Set when the owner finished the setup page and asked for a workspace. */
  setUpAt: at("set_up_at"),
  /** A template to open in the editor at the end, carried from the sign-up link. */
  templateId: text("template_id"),
  /** What somebody did on the way to their workspace: step name to "done" or "skipped". The other steps are seen elsewhere. */
  onboardingSteps: jsonb("onboarding_steps").$type<Record<string, "done" | "skipped">>().notNull().default({}),
  /** Names of nodes, in the order of choosing. */
  selectedApps: jsonb("selected_apps").$type<string[]>().notNull().default([]),
  /** When answers or apps last changed: what a workspace was told before is old. */
  profileChangedAt: at("profile_changed_at"),
  createdAt: at("created_at").notNull(),
});

export const users = pgTable(
  "users",
  {
    id: uuid().primaryKey(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id),
    /** Lowercase; what a person signs in with and where mails go. */
    email: text().notNull().unique(),
    fullName: text("full_name").notNull(),
    /** Argon2id, in PHC format; null: no password counts, and the holder of the mailbox chooses one. */
    passwordHash: text("password_hash"),
    /** A publisher only publishes workflows and has no workspace: the panel lets in members only. Set by operators. */
    kind: text({ enum: ["member", "publisher"] })
      .notNull()
      .default("member"),
    confirmedAt: at("confirmed_at"),
    /** Which terms the person accepted at registration, and when; null: registered before this was stored. */
    termsVersion: text("terms_version"),
    termsAcceptedAt: at("terms_accepted_at"),
    createdAt: at("created_at").notNull(),
  },
  (table) => [index("users_account").on(table.accountId)],
);

export const sessions = pgTable(
  "sessions",
  {
    /** SHA-256 of the bearer token, hex; the token itself is never stored. */
    tokenHash: text("token_hash").primaryKey(),
    /** What its owner calls it by; stays when the token is renewed, and opens nothing. */
    id: uuid().notNull().unique().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** How the person proved who they are; a workspace's word is worth less than a password's. */
    openedBy: text("opened_by", { enum: ["password", "magic-link", "workspace", "operator"] })
      .notNull()
      .default("password"),
    /** Browser and system in our own words, as the browser named itself when it signed in; null where it is none that we know. */
    device: text(),
    /** When the password was last typed in it; null: never. */
    typedAt: at("typed_at"),
    createdAt: at("created_at").notNull(),
    /** When it was last used, to the hour. Sessions older than this column count from when it came. */
    lastSeenAt: at("last_seen_at").notNull().defaultNow(),
    expiresAt: at("expires_at").notNull(),
  },
  (table) => [
    index("sessions_user").on(table.userId),
    index("sessions_expiry").on(table.expiresAt),
    index("sessions_silence").on(table.lastSeenAt),
    index("sessions_age").on(table.createdAt),
  ],
);

/** Secrets of e-mailed links and one-time codes: stored as hashes, used once, gone when they expire. */
export const linkTokens = pgTable(
  "link_tokens",
  {
    tokenHash: text("token_hash").primaryKey(),
    purpose: text({ enum: ["confirm-email", "reset-password", "change-email", "magic-link", "operator-code", "workspace-code"] }).notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The address the link was sent to: a link for an old address confirms nothing. */
    email: text().notNull(),
    createdAt: at("created_at").notNull(),
    expiresAt: at("expires_at").notNull(),
    usedAt: at("used_at"),
  },
  (table) => [index("link_tokens_user").on(table.userId, table.purpose, table.createdAt), index("link_tokens_expiry").on(table.expiresAt)],
);

/** Tries of passwords and of asking for mails, per account name, address or recipient: what slows down guessing, in every process and over restarts. */
export const attempts = pgTable(
  "attempts",
  {
    /** SHA-256 of kind and subject: people type passwords where account names belong. */
    key: text().primaryKey(),
    /** Tries since the subject was last left alone for a while. */
    count: integer().notNull(),
    lastAt: at("last_at").notNull(),
    /** Until then every further try is refused, and not counted. */
    blockedUntil: at("blocked_until"),
  },
  (table) => [index("attempts_age").on(table.lastAt)],
);

/** Challenges that were solved and used, as hashes, until they would have expired anyway: each opens one registration. */
export const usedChallenges = pgTable(
  "used_challenges",
  {
    hash: text().primaryKey(),
    expiresAt: at("expires_at").notNull(),
  },
  (table) => [index("used_challenges_expiry").on(table.expiresAt)],
);

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
  ],
);

/** The newest answer to each survey. The shape of `answer` is the contract's, by kind. */
export const surveyAnswers = pgTable(
  "survey_answers",
  {
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id),
    kind: text({ enum: ["personalization", "ai"] }).notNull(),
    answer: jsonb().notNull(),
    answeredAt: at("answered_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.kind] })],
);

/** What can be allowed. Several plans may sell one spec. */
export const planSpecs = pgTable("plan_specs", {
  /** Stable id of the catalogue, such as "pro-1". */
  id: text().primaryKey(),
  /** A PlanSpec of the contract without id, planId and expirationDate; validated when applied. */
  spec: jsonb().notNull(),
});

/** The price catalogue: what can be bought. */
export const plans = pgTable("plans", {
  /** Stable id of the catalogue, such as "pro-1-monthly". */
  id: text().primaryKey(),
  specId: text("spec_id")
    .notNull()
    .references(() => planSpecs.id),
  name: text().notNull(),
  billingType: text("billing_type", { enum: ["one-time", "custom", "month", "year"] }).notNull(),
  periodUnit: text("period_unit", { enum: ["day", "month", "yr"] }).notNull(),
  periodCount: integer("period_count").notNull(),
  /** Minor units by ISO currency, without tax. */
  recurringPrice: jsonb("recurring_price").$type<Record<string, number>>().notNull(),
  /** Bounds and prices of quotas of the customer's choice, as the contract's `custom_quotas`. */
  customQuotas: jsonb("custom_quotas"),
  /** Withdrawn plans can no longer be chosen; whoever has one keeps it. */
  withdrawnAt: at("withdrawn_at"),
});

/** One per account: what it may use and until when. Status and period are the provider's truth, copied; the trial has no provider. */
export const subscriptions = pgTable(
  "subscriptions",
  {
    accountId: uuid("account_id")
      .primaryKey()
      .references(() => accounts.id),
    /** What is billed. */
    planId: text("plan_id")
      .notNull()
      .references(() => plans.id),
    /** What is granted: differs from the plan's own while a downgrade waits for the end of what was paid. */
    specId: text("spec_id")
      .notNull()
      .references(() => planSpecs.id),
    /** Quotas of the customer's choice, in place of the spec's; -1 is unlimited. */
    customExecutions: integer("custom_executions"),
    customWorkflows: integer("custom_workflows"),
    status: text({ enum: ["active", "trialing", "paused", "past_due", "deleted"] }).notNull(),
    /** Null: the local trial. */
    provider: text({ enum: ["sandbox", "stripe", "paddle"] }),
    providerCustomerId: text("provider_customer_id"),
    providerSubscriptionId: text("provider_subscription_id"),
    currency: text(),
    startedAt: at("started_at").notNull(),
    periodStartsAt: at("period_starts_at").notNull(),
    /** End of the trial or of the paid period. */
    periodEndsAt: at("period_ends_at"),
    /** The period's end at which it will end; null: it goes on. */
    cancelAt: at("cancel_at"),
    pastDueAt: at("past_due_at"),
    pausedAt: at("paused_at"),
    /** When the subscription ended: the workspace is stopped, and deleted at `deletionAt`. */
    endedAt: at("ended_at"),
    deletionAt: at("deletion_at"),
    /** A change that waits for the end of the period. */
    scheduledPlanId: text("scheduled_plan_id").references(() => plans.id),
    /** The plan that is paid until then, once the provider bills the scheduled one: of several that sell the same, the one that comes back if the change is taken back. */
    scheduledFromPlanId: text("scheduled_from_plan_id").references(() => plans.id),
    scheduledExecutions: integer("scheduled_executions"),
    scheduledWorkflows: integer("scheduled_workflows"),
    scheduledAt: at("scheduled_at"),
    /** When the provider was told: from then on it bills the scheduled plan, while the old one is still granted. */
    scheduledToldAt: at("scheduled_told_at"),
    /** A change that was agreed to and is on its way to the provider, with the key it goes under: what comes back as this was asked for. */
    pendingPlanId: text("pending_plan_id").references(() => plans.id),
    pendingExecutions: integer("pending_executions"),
    pendingWorkflows: integer("pending_workflows"),
    pendingKey: text("pending_key"),
    /** When the owner was last told that the workspace is going to be deleted; a deletion without it waits. */
    warnedAt: at("warned_at"),
    /** When the workspace was deleted for good. */
    deletedAt: at("deleted_at"),
    taxInclusive: boolean("tax_inclusive").notNull().default(false),
    /** Owed back to the customer, in minor units of `currency`. */
    creditAmount: integer("credit_amount").notNull().default(0),
    /** Of the open payment: past tries, then planned ones; times as ISO text. */
    retries: jsonb().$type<{ at: string; outcome: "failed" | "planned" }[]>().notNull().default([]),
    /** When the provider last changed what we hold: what is older than this is not copied. */
    providerChangedAt: at("provider_changed_at"),
    /** Grows with every change of this row: the basis of previews, and of two tabs not overwriting each other. */
    version: integer().notNull().default(1),
  },
  (table) => [
    unique("subscriptions_provider").on(table.provider, table.providerSubscriptionId),
    index("subscriptions_customer").on(table.providerCustomerId),
    index("subscriptions_plan").on(table.planId),
  ],
);

/** What falls due in the life of a subscription. A row is taken away in the transaction that does it, so each is done once. */
export const timers = pgTable(
  "timers",
  {
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** `TimerKind` of domain/billing. */
    kind: text().notNull(),
    /** When it falls due, and as of when it acts. */
    dueAt: at("due_at").notNull(),
    /** When a worker may try (again): later than `dueAt` after a failure, and while a worker asks the provider for it. */
    runAt: at("run_at").notNull(),
    attempts: integer().notNull().default(0),
    lastError: text("last_error"),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.kind] }), index("timers_due").on(table.runAt)],
);

/** Pages of the provider that were opened to pay, until it is known what became of them. */
export const checkouts = pgTable(
  "checkouts",
  {
    provider: text({ enum: ["sandbox", "stripe", "paddle"] }).notNull(),
    checkoutId: text("checkout_id").notNull(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    planId: text("plan_id")
      .notNull()
      .references(() => plans.id),
    customExecutions: integer("custom_executions"),
    customWorkflows: integer("custom_workflows"),
    currency: text().notNull(),
    url: text().notNull(),
    /** `opening`: the provider is being asked, under a made-up id. `closing`: another page took its place; looked at until the provider says what became of it. */
    state: text({ enum: ["opening", "open", "closing", "paid", "expired"] })
      .notNull()
      .default("open"),
    createdAt: at("created_at").notNull(),
    /** When to ask the provider what became of it; null once that is known. */
    checkAt: at("check_at"),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.checkoutId] }),
    uniqueIndex("checkouts_one_open")
      .on(table.accountId)
      .where(sql`${table.state} in ('opening', 'open')`),
    index("checkouts_account").on(table.accountId, table.createdAt.desc()),
    index("checkouts_due")
      .on(table.checkAt)
      .where(sql`${table.checkAt} is not null`),
  ],
);

/** Everything a provider told us, stored before it is acted on. Each event is handled once, whatever became of the first try. */
export const providerEvents = pgTable(
  "provider_events",
  {
    provider: text({ enum: ["sandbox", "stripe", "paddle"] }).notNull(),
    eventId: text("event_id").notNull(),
    kind: text().notNull(),
    /** The provider's own word. */
    type: text().notNull(),
    subscriptionId: text("subscription_id"),
    customerId: text("customer_id"),
    /** As the provider has it, from the checkout. */
    accountId: text("account_id"),
    /** Whose it is, once that is found out. */
    ownerId: uuid("owner_id").references(() => accounts.id, { onDelete: "cascade" }),
    /** Without anything personal. */
    payload: jsonb(),
    occurredAt: at("occurred_at").notNull(),
    receivedAt: at("received_at").notNull(),
    handledAt: at("handled_at"),
    /** When a worker may handle it (again), also the lease of the one that does; null once handled or given up. */
    runAt: at("run_at"),
    attempts: integer().notNull().default(0),
    lastError: text("last_error"),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.eventId] }),
    index("provider_events_due")
      .on(table.runAt)
      .where(sql`${table.runAt} is not null`),
    index("provider_events_owner")
      .on(table.ownerId, table.receivedAt)
      .where(sql`${table.runAt} is not null`),
    index("provider_events_age").on(table.receivedAt),
  ],
);

/** Calls that move money, by the key they came with: made once, answered alike, and continued where one died halfway. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    key: text().notNull(),
    call: text().notNull(),
    /** SHA-256 of what was asked. */
    requestHash: text("request_hash").notNull(),
    state: text({ enum: ["running", "done", "refused"] })
      .notNull()
      .default("running"),
    /** What was answered, or how it was refused. */
    response: jsonb(),
    createdAt: at("created_at").notNull(),
    /** Until then another process is at it. */
    leaseUntil: at("lease_until").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.key] }), index("idempotency_keys_age").on(table.createdAt)],
);

/** Who handles an account's events holds its lane, so that they are handled in their order, whatever number of processes there is. */
export const billingLanes = pgTable("billing_lanes", {
  accountId: uuid("account_id")
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  takenUntil: at("taken_until").notNull(),
});

/** Where we and the provider did not agree, or an event was missed, and what was done about it: there should be none. */
export const corrections = pgTable(
  "corrections",
  {
    id: bigserial({ mode: "bigint" }).primaryKey(),
    at: at("at").notNull(),
    accountId: uuid("account_id").references(() => accounts.id, { onDelete: "cascade" }),
    kind: text().notNull(),
    detail: text().notNull(),
  },
  (table) => [index("corrections_newest").on(table.at.desc())],
);

/** Name and address that an account wants on its invoices. */
export const billingDetails = pgTable("billing_details", {
  accountId: uuid("account_id")
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  name: text().notNull(),
  line1: text().notNull(),
  line2: text().notNull(),
  postalCode: text("postal_code").notNull(),
  city: text().notNull(),
  country: text().notNull(),
  vatId: text("vat_id").notNull(),
  changedAt: at("changed_at").notNull(),
  /** What VIES last said of this VAT id, and when; all null: it was never asked, or never answered. A change of the id empties them. */
  vatValid: boolean("vat_valid"),
  vatCheckedAt: at("vat_checked_at"),
  /** The number under which VIES keeps the answer, as evidence; empty where it gives none. */
  vatReference: text("vat_reference"),
});

/** Units of a currency for one euro, as the European Central Bank published them for a day: for the tax on invoices in another currency. */
export const exchangeRates = pgTable(
  "exchange_rates",
  { day: date().notNull(), currency: text().notNull(), perEuro: numeric("per_euro").notNull() },
  (table) => [primaryKey({ columns: [table.day, table.currency] })],
);

/** How many invoices each year has: the next number is taken under this row's lock, in the transaction of its invoice, so that none is missing. */
export const invoiceNumbers = pgTable("invoice_numbers", {
  year: integer().primaryKey(),
  issued: integer().notNull(),
});

/** An invoice as it was issued, once for each of the provider's. Only its status, and whether its receipt is out, ever changes. */
export const invoices = pgTable(
  "invoices",
  {
    id: uuid().primaryKey(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id),
    provider: text({ enum: ["sandbox", "stripe", "paddle"] }).notNull(),
    providerInvoiceId: text("provider_invoice_id").notNull(),
    /** Ours where we are the seller, else the provider's; null where nothing was charged. */
    number: text(),
    issuedAt: at("issued_at").notNull(),
    description: text().notNull(),
    currency: text().notNull(),
    total: bigint({ mode: "number" }).notNull(),
    tax: bigint({ mode: "number" }).notNull(),
    status: text({ enum: ["paid", "open", "void", "refunded"] }).notNull(),
    /** All that is printed, as domain/invoices has it; null where the provider writes the invoice. */
    document: jsonb(),
    receiptQueuedAt: at("receipt_queued_at"),
    /** The invoice that this one cancels or gives back from, or the credit note that it withdraws, where it is a document of ours beside it. */
    corrects: uuid().references((): AnyPgColumn => invoices.id),
    /** When the provider was asked for what this row says of its state: an answer to an earlier question changes nothing. */
    seenAt: at("seen_at"),
  },
  (table) => [
    unique("invoices_provider").on(table.provider, table.providerInvoiceId),
    unique("invoices_number").on(table.provider, table.number),
    index("invoices_account").on(table.accountId, table.issuedAt.desc()),
    index("invoices_corrects").on(table.corrects),
  ],
);

/** A payment of an invoice, or a try: the provider's truth, copied, so that lists are there when the provider is not. */
export const payments = pgTable(
  "payments",
  {
    id: uuid().primaryKey(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id),
    invoiceId: uuid("invoice_id")
      .notNull()
      .references(() => invoices.id),
    provider: text({ enum: ["sandbox", "stripe", "paddle"] }).notNull(),
    providerPaymentId: text("provider_payment_id").notNull(),
    at: at("at").notNull(),
    currency: text().notNull(),
    amount: bigint({ mode: "number" }).notNull(),
    status: text({ enum: ["succeeded", "failed", "refunded", "pending"] }).notNull(),
    brand: text(),
    lastFour: text("last_four"),
    reason: text(),
  },
  (table) => [
    unique("payments_provider").on(table.provider, table.providerPaymentId),
    index("payments_account").on(table.accountId, table.at.desc()),
  ],
);

/** What an account pays with, as the provider last told. */
export const cards = pgTable(
  "cards",
  {
    accountId: uuid("account_id")
      .primaryKey()
      .references(() => accounts.id, { onDelete: "cascade" }),
    brand: text().notNull(),
    lastFour: text("last_four").notNull(),
    /** The first moment at which it is no longer good; null for what does not expire. */
    endsAt: at("ends_at"),
    /** The end that the owner was told of. */
    toldOf: at("told_of"),
  },
  (table) => [index("cards_end").on(table.endsAt)],
);

/** What a due workspace waits for (domain/workspaces/observed/observation-store.ts), in words that an index can have. */
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

/** Changes of a workspace's version: a snapshot before, the new version, and the way back. At most one is under way. */
export const workspaceUpdates = pgTable(
  "workspace_updates",
  {
    id: uuid().primaryKey(),
    workspaceId: uuid("workspace_id")
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** `life` of the workspace that it belongs to. */
    life: integer().notNull().default(1),
    fromVersion: text("from_version").notNull(),
    toVersion: text("to_version").notNull(),
    askedBy: text("asked_by", { enum: ["owner", "window", "operator"] }).notNull(),
    /** The owner's way back after a successful update: this backup is put in place before the old version starts. */
    restoreBackupId: uuid("restore_backup_id").references(() => backups.id, { onDelete: "set null" }),
    /** Since then that backup is in place. */
    restoredAt: at("restored_at"),
    /** What was there before, made first; null until it is. */
    backupId: uuid("backup_id").references(() => backups.id, { onDelete: "set null" }),
    /** When that backup was made. From then on the new version may have changed the files, so no second one is made. */
    snapshotAt: at("snapshot_at"),
    state: text({ enum: ["running", "successful", "rolled-back", "failed"] })
      .notNull()
      .default("running"),
    /** Why it was not successful, in words for the owner. */
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

/** Who changed money, state, access or settings: from what, to what, when, from where. Triggers of the migration `audit-for-good` refuse to change or delete a row. */
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

/** Rows of the audit log that are not in the program's log yet. A trigger of `audit_log` adds them, in the transaction of the row; domain/audit/ship-audit.ts takes them away. */
export const auditOutbox = pgTable("audit_outbox", {
  auditId: bigint("audit_id", { mode: "bigint" }).primaryKey(),
});

/** The sandbox payment provider's own world (payments/sandbox): nothing else reads or writes its tables. */
export const sandboxCustomers = pgTable("sandbox_customers", {
  id: text().primaryKey(),
  /** As given by whoever opened the checkout; the sandbox knows no accounts. */
  accountId: text("account_id").notNull(),
  email: text().notNull(),
  name: text().notNull(),
  /** ISO 4217, fixed by the first purchase. */
  currency: text().notNull(),
  /** Owed back, taken off the next invoices; minor units. */
  credit: integer().notNull().default(0),
  details: jsonb(),
  card: jsonb(),
  createdAt: at("created_at").notNull(),
});

export const sandboxSubscriptions = pgTable(
  "sandbox_subscriptions",
  {
    id: text().primaryKey(),
    customerId: text("customer_id")
      .notNull()
      .references(() => sandboxCustomers.id),
    accountId: text("account_id").notNull(),
    /** active, past_due, paused or canceled; text, as a provider may learn new words. */
    status: text().notNull(),
    currency: text().notNull(),
    taxInclusive: boolean("tax_inclusive").notNull(),
    /** What the next period is billed for, with its prices as they were when it was bought. */
    items: jsonb().notNull(),
    /** What the running period was paid for. */
    paidItems: jsonb("paid_items").notNull(),
    /** Periods are counted from here, so that 31 January is followed by 28 February and 31 March. */
    anchorAt: at("anchor_at").notNull(),
    periodNumber: integer("period_number").notNull().default(0),
    periodStartsAt: at("period_starts_at").notNull(),
    periodEndsAt: at("period_ends_at").notNull(),
    cancelsAtPeriodEnd: boolean("cancels_at_period_end").notNull().default(false),
    openInvoiceId: text("open_invoice_id"),
    pastDueAt: at("past_due_at"),
    /** Tries to pay the open invoice: past ones, then planned ones. */
    retries: jsonb().$type<{ at: string; outcome: "failed" | "planned" }[]>().notNull().default([]),
    pausedAt: at("paused_at"),
    endedAt: at("ended_at"),
    /** When something happens by itself: renewal, next try, pause, end. */
    dueAt: at("due_at"),
    changedAt: at("changed_at").notNull(),
    createdAt: at("created_at").notNull(),
  },
  (table) => [
    index("sandbox_subscriptions_due")
      .on(table.dueAt)
      .where(sql`${table.dueAt} is not null`),
    index("sandbox_subscriptions_customer").on(table.customerId),
  ],
);

/** Pages that a customer is sent to: a purchase, another card, a payment to confirm. */
export const sandboxCheckouts = pgTable("sandbox_checkouts", {
  id: text().primaryKey(),
  kind: text({ enum: ["purchase", "card", "confirmation"] }).notNull(),
  state: text({ enum: ["open", "done", "expired"] })
    .notNull()
    .default("open"),
  /** What was asked for, by kind. */
  request: jsonb().notNull(),
  customerId: text("customer_id"),
  subscriptionId: text("subscription_id"),
  /** What the customer entered, while their bank wants it confirmed. */
  entered: jsonb(),
  successUrl: text("success_url").notNull(),
  cancelUrl: text("cancel_url").notNull(),
  createdAt: at("created_at").notNull(),
  expiresAt: at("expires_at").notNull(),
});

/** Negative totals are credit notes. */
export const sandboxInvoices = pgTable(
  "sandbox_invoices",
  {
    id: text().primaryKey(),
    number: bigserial({ mode: "number" }).notNull(),
    customerId: text("customer_id")
      .notNull()
      .references(() => sandboxCustomers.id),
    subscriptionId: text("subscription_id")
      .notNull()
      .references(() => sandboxSubscriptions.id),
    status: text({ enum: ["paid", "open", "void", "refunded"] }).notNull(),
    currency: text().notNull(),
    lines: jsonb().notNull(),
    tax: jsonb(),
    total: integer().notNull(),
    creditUsed: integer("credit_used").notNull().default(0),
    /** Parts that were given back while the rest stayed, oldest first. */
    partRefunds: jsonb("part_refunds").$type<{ id: string; at: string; amount: number }[]>().notNull().default([]),
    issuedAt: at("issued_at").notNull(),
  },
  (table) => [index("sandbox_invoices_customer").on(table.customerId, table.number)],
);

export const sandboxPayments = pgTable(
  "sandbox_payments",
  {
    id: text().primaryKey(),
    number: bigserial({ mode: "number" }).notNull(),
    invoiceId: text("invoice_id")
      .notNull()
      .references(() => sandboxInvoices.id),
    at: at("at").notNull(),
    amount: integer().notNull(),
    status: text({ enum: ["succeeded", "failed", "refunded"] }).notNull(),
    card: jsonb(),
    /** For the customer. */
    reason: text(),
    /** When it went back, whoever took it. */
    refundedAt: at("refunded_at"),
  },
  (table) => [index("sandbox_payments_invoice").on(table.invoiceId, table.number)],
);

/** Events and what became of their delivery. */
export const sandboxWebhooks = pgTable(
  "sandbox_webhooks",
  {
    id: text().primaryKey(),
    number: bigserial({ mode: "number" }).notNull(),
    type: text().notNull(),
    payload: jsonb().notNull(),
    occurredAt: at("occurred_at").notNull(),
    /** When to (re)try; null once delivered, dropped or given up. */
    dueAt: at("due_at"),
    leaseUntil: at("lease_until"),
    /** How often it is still to be delivered. */
    copies: integer().notNull().default(1),
    attempts: integer().notNull().default(0),
    deliveredAt: at("delivered_at"),
    droppedAt: at("dropped_at"),
    lastError: text("last_error"),
  },
  (table) => [
    index("sandbox_webhooks_due")
      .on(table.dueAt, table.number)
      .where(sql`${table.dueAt} is not null`),
    index("sandbox_webhooks_newest").on(table.number),
  ],
);

/** Calls that are done once per key, with what came of them. */
export const sandboxCalls = pgTable("sandbox_calls", {
  /** Call and key. */
  id: text().primaryKey(),
  /** Of what was asked, so that a key is not used for something else. */
  fingerprint: text().notNull(),
  outcome: jsonb(),
  at: at("at").notNull(),
});

/** Service-wide values that outlive a process, such as how far the sandbox clock was moved. */
export const serviceState = pgTable("service_state", {
  key: text().primaryKey(),
  value: jsonb().notNull(),
});
