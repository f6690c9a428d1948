/** Plans, subscriptions, and what the payment provider reported. */
import { sql } from "drizzle-orm";
import { bigserial, boolean, index, integer, jsonb, pgTable, primaryKey, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { at } from "./columns.ts";
import { accounts } from "./accounts.ts";
import { counts, listed } from "./rules.ts";

/** Sets of limits. Several plans may sell one spec. */
export const planSpecs = pgTable("plan_specs", {
  /** Stable id of the catalogue, such as "pro-1". */
  id: text().primaryKey(),
  /** A PlanSpec of the contract without id, planId and expirationDate; validated when applied. */
  spec: jsonb().notNull(),
});

/** The price catalogue: what can be bought. */
export const plans = pgTable(
  "plans",
  {
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
    /** Limits and prices of custom quotas, as the contract's `custom_quotas`. */
    customQuotas: jsonb("custom_quotas"),
    /** Withdrawn plans can no longer be chosen; customers who have one keep it. */
    withdrawnAt: at("withdrawn_at"),
  },
  (table) => [...listed(table.billingType, table.periodUnit), index("plans_spec").on(table.specId)],
);

/** One per account: its limits, and until when. Status and period are copied from the provider; the trial has no provider. */
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
    /** What is granted: differs from the plan's own spec while a downgrade waits for the end of the paid period. */
    specId: text("spec_id")
      .notNull()
      .references(() => planSpecs.id),
    /** Custom quotas, in place of the spec's; -1 is unlimited. */
    customExecutions: integer("custom_executions"),
    customWorkflows: integer("custom_workflows"),
    status: text({ enum: ["active", "trialing", "paused", "past_due", "deleted"] }).notNull(),
    /** A name of payments/providers.ts, here and in the tables below. Null: a trial, or a plan granted by an operator. */
    provider: text(),
    providerCustomerId: text("provider_customer_id"),
    providerSubscriptionId: text("provider_subscription_id"),
    currency: text(),
    startedAt: at("started_at").notNull(),
    periodStartsAt: at("period_starts_at").notNull(),
    /** End of the trial or of the paid period. */
    periodEndsAt: at("period_ends_at"),
    /** The end of period at which it is canceled; null: it renews. */
    cancelAt: at("cancel_at"),
    pastDueAt: at("past_due_at"),
    /** Start of the period whose payment failed or has not been tried yet, also while paused for it; null: all is paid. */
    unpaidFrom: at("unpaid_from"),
    pausedAt: at("paused_at"),
    /** When the subscription ended: the workspace is stopped, and deleted at `deletionAt`. */
    endedAt: at("ended_at"),
    deletionAt: at("deletion_at"),
    /** A change scheduled for the end of the period. */
    scheduledPlanId: text("scheduled_plan_id").references(() => plans.id),
    /**
     * The plan paid until then, once the provider bills the scheduled one: if several sell the same spec, the one to return to if the
     * change is undone.
     */
    scheduledFromPlanId: text("scheduled_from_plan_id").references(() => plans.id),
    scheduledExecutions: integer("scheduled_executions"),
    scheduledWorkflows: integer("scheduled_workflows"),
    scheduledAt: at("scheduled_at"),
    /** When the provider was told: from then on it bills the scheduled plan, while the old one is still granted. */
    scheduledToldAt: at("scheduled_told_at"),
    /** An accepted change on its way to the provider, with its idempotency key: when the provider reports this plan, it was this change. */
    pendingPlanId: text("pending_plan_id").references(() => plans.id),
    pendingExecutions: integer("pending_executions"),
    pendingWorkflows: integer("pending_workflows"),
    pendingKey: text("pending_key"),
    /** When it was last sent there. */
    pendingAt: at("pending_at"),
    /** When the owner was last warned that the workspace will be deleted; without a warning, deletion waits. */
    warnedAt: at("warned_at"),
    /** When the deletion of the workspace was requested because nobody paid. */
    deletedAt: at("deleted_at"),
    /** `life` of the workspace that was deleted then, which the next payment brings back; null: its owner had deleted it before. */
    deletedLife: integer("deleted_life"),
    taxInclusive: boolean("tax_inclusive").notNull().default(false),
    /** The customer's credit, in minor units of `currency`. */
    creditAmount: integer("credit_amount").notNull().default(0),
    /** Attempts to charge the open payment: past, then planned; times as ISO text. */
    retries: jsonb().$type<{ at: string; outcome: "failed" | "planned" }[]>().notNull().default([]),
    /** When the provider last changed what we store; older data is not copied. */
    providerChangedAt: at("provider_changed_at"),
    /** Grows with every change of this row: previews are based on it, and it keeps two tabs from overwriting each other. */
    version: integer().notNull().default(1),
  },
  (table) => [
    unique("subscriptions_provider").on(table.provider, table.providerSubscriptionId),
    index("subscriptions_customer").on(table.providerCustomerId),
    index("subscriptions_plan").on(table.planId),
    // Renewals that are announced: of paid periods longer than a month.
    index("subscriptions_renewals")
      .on(table.periodEndsAt)
      .where(
        sql`${table.status} = 'active' and ${table.provider} is not null and ${table.cancelAt} is null and ${table.periodEndsAt} - ${table.periodStartsAt} > interval '45 days'`,
      ),
    ...listed(table.status),
    ...counts(table.version),
  ],
);

export const timerKinds = [
  /** A mail before the end of an arranged plan: agreeing on an invoice and paying it takes weeks. */
  "ending-in-30-days",
  /** Mails before the end of a trial, a cancelled subscription or an arranged plan. */
  "ending-in-3-days",
  "ending-in-1-day",
  "trial-end",
  /** An arranged plan is over. */
  "arranged-end",
  /** Check at the provider: the period is over, or a payment is open. */
  "truth-check",
  /** Tell the provider of a change scheduled for the period's end. */
  "scheduled-change",
  /** The plan granted until the period's end is over. */
  "period-end",
  "deletion-warning",
  "deletion",
  /** Tell the owner that the workspace is gone, and until when its last backup is kept. */
  "deletion-report",
  /** The workspace is gone: nothing may be charged any more. */
  "end-at-provider",
] as const;

/** Timers of subscriptions. A row is deleted in the transaction that does its work, so each runs once. */
export const timers = pgTable(
  "timers",
  {
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    kind: text({ enum: timerKinds }).notNull(),
    /** When it is due; its work is done as of this time. */
    dueAt: at("due_at").notNull(),
    /** When a worker may try (again): later than `dueAt` after a failure, and if it was put off. */
    runAt: at("run_at").notNull(),
    attempts: integer().notNull().default(0),
    /** While a worker asks the provider about one of the account's due timers, all of them are leased. `leaseOwner` names that attempt. */
    leaseOwner: uuid("lease_owner"),
    leaseUntil: at("lease_until"),
    lastError: text("last_error"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.kind] }),
    index("timers_due").on(table.runAt),
    index("timers_retried")
      .on(table.dueAt)
      .where(sql`${table.attempts} > 0`),
    ...listed(table.kind),
    ...counts(table.attempts),
  ],
);

/** Checkout pages of the provider, until their outcome is known. */
export const checkouts = pgTable(
  "checkouts",
  {
    provider: text().notNull(),
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
    /**
     * `opening`: the provider is being asked, under a temporary id. `closing`: another page replaced it; checked until the provider reports
     * the outcome.
     */
    state: text({ enum: ["opening", "open", "closing", "paid", "expired"] })
      .notNull()
      .default("open"),
    createdAt: at("created_at").notNull(),
    /** When to ask the provider for the outcome; null once it is known. */
    checkAt: at("check_at"),
    /** What was bought at it: proof that we sold this subscription. */
    subscriptionId: text("subscription_id"),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.checkoutId] }),
    index("checkouts_subscription")
      .on(table.subscriptionId)
      .where(sql`${table.subscriptionId} is not null`),
    uniqueIndex("checkouts_one_open")
      .on(table.accountId)
      .where(sql`${table.state} in ('opening', 'open')`),
    index("checkouts_age").on(table.createdAt),
    index("checkouts_account").on(table.accountId, table.createdAt),
    index("checkouts_due")
      .on(table.checkAt)
      .where(sql`${table.checkAt} is not null`),
    ...listed(table.state),
  ],
);

/** Every event from a provider, stored before it is handled. Each event takes effect once, however often handling is attempted. */
export const providerEvents = pgTable(
  "provider_events",
  {
    provider: text().notNull(),
    eventId: text("event_id").notNull(),
    kind: text().notNull(),
    /** In the provider's words. */
    type: text().notNull(),
    subscriptionId: text("subscription_id"),
    customerId: text("customer_id"),
    /** As the provider has it, from the checkout. */
    accountId: text("account_id"),
    /** The account it belongs to, once known. */
    ownerId: uuid("owner_id").references(() => accounts.id, { onDelete: "cascade" }),
    /** Without personal data. */
    payload: jsonb(),
    occurredAt: at("occurred_at").notNull(),
    receivedAt: at("received_at").notNull(),
    handledAt: at("handled_at"),
    /** When a worker may handle it (again); null once handled or given up. */
    runAt: at("run_at"),
    attempts: integer().notNull().default(0),
    leaseOwner: uuid("lease_owner"),
    leaseUntil: at("lease_until"),
    lastError: text("last_error"),
    /** The trace of the call that brought it; null: it is not traced. */
    traceparent: text(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.eventId] }),
    index("provider_events_due")
      .on(table.runAt)
      .where(sql`${table.runAt} is not null`),
    index("provider_events_owner")
      .on(table.ownerId, table.receivedAt)
      .where(sql`${table.runAt} is not null`),
    index("provider_events_nameless")
      .on(table.runAt)
      .where(sql`${table.runAt} is not null and ${table.ownerId} is null`),
    // For the deletion of an account.
    index("provider_events_account").on(table.ownerId),
    index("provider_events_age").on(table.receivedAt),
    index("provider_events_handled").on(table.handledAt),
    ...counts(table.attempts),
  ],
);

/** Calls that move money, by their idempotency key: made once, answered identically, and continued after a crash. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    key: text().notNull(),
    call: text().notNull(),
    /** SHA-256 of the request. */
    requestHash: text("request_hash").notNull(),
    state: text({ enum: ["running", "done", "refused"] })
      .notNull()
      .default("running"),
    /** The answer or the refusal. */
    response: jsonb(),
    createdAt: at("created_at").notNull(),
    /** Until then the attempt named `owner` handles it, and renews this. Only the owner settles it. */
    leaseUntil: at("lease_until").notNull(),
    owner: text().notNull().default(""),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.key] }),
    index("idempotency_keys_age").on(table.createdAt),
    ...listed(table.state),
  ],
);

/** A worker that handles an account's events holds its lane, so that they are handled in order, by any number of processes. */
export const billingLanes = pgTable("billing_lanes", {
  accountId: uuid("account_id")
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  /** By the database's clock. */
  takenUntil: at("taken_until").notNull(),
  /** The process that has it. */
  leaseOwner: uuid("lease_owner"),
});

/** Refunds of second payments that are larger than the operator allows without a person's yes. */
export const heldRefunds = pgTable(
  "held_refunds",
  {
    provider: text().notNull(),
    subscriptionId: text("subscription_id").notNull(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** What would be refunded, in minor units: a yes is for this sum. */
    amount: integer().notNull(),
    currency: text().notNull(),
    heldAt: at("held_at").notNull(),
    decision: text({ enum: ["refund", "keep"] }),
    decidedAt: at("decided_at"),
    /** The operator's user name. */
    decidedBy: text("decided_by"),
    /** When a worker may refund it (again); null until a person says yes, and once it is refunded. */
    runAt: at("run_at"),
    refundedAt: at("refunded_at"),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.subscriptionId] }),
    index("held_refunds_account").on(table.accountId),
    index("held_refunds_age").on(table.heldAt),
    index("held_refunds_due")
      .on(table.runAt)
      .where(sql`${table.runAt} is not null`),
    ...listed(table.decision),
    ...counts(table.amount),
  ],
);

/** Differences between us and the provider, and missed events, with their correction: there should be none. */
export const corrections = pgTable(
  "corrections",
  {
    id: bigserial({ mode: "bigint" }).primaryKey(),
    at: at("at").notNull(),
    accountId: uuid("account_id").references(() => accounts.id, { onDelete: "cascade" }),
    kind: text().notNull(),
    detail: text().notNull(),
  },
  (table) => [index("corrections_newest").on(table.at), index("corrections_account").on(table.accountId)],
);

/** What the payment provider has and our rows do not explain, for an operator to decide (`npm run ops -- reconcile`). */
export const billingFindings = pgTable(
  "billing_findings",
  {
    provider: text().notNull(),
    /** `FindingKind` of domain/billing/reconcile. */
    kind: text().notNull(),
    /** The customer or subscription at the provider. */
    objectId: text("object_id").notNull(),
    /** The account it concerns; null: none that exists here. */
    accountId: uuid("account_id").references(() => accounts.id, { onDelete: "cascade" }),
    /** The customer's name or email address at the provider. */
    name: text().notNull(),
    /** What was paid, minor units by currency. */
    paid: jsonb().$type<Record<string, number>>().notNull(),
    detail: text().notNull(),
    foundAt: at("found_at").notNull(),
    /** When it was last found. */
    seenAt: at("seen_at").notNull(),
    /** When it was settled, and by whom; null: it is open. */
    closedAt: at("closed_at"),
    closedBy: text("closed_by"),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.kind, table.objectId] }),
    index("billing_findings_account").on(table.accountId),
    index("billing_findings_closed").on(table.closedAt),
  ],
);
