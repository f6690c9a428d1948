/**
 * How long the rows of each table are kept, and why. Every table is in this list: no table grows without end unless its rows are kept for
 * good on purpose, and then something bounds how many an account can cause.
 */
import { eq, inArray, isNotNull, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import * as tables from "#database/tables.ts";
import { knownBrowserMs } from "#domain/accounts/sessions/known-browser-store.ts";
import { silenceMs } from "#domain/accounts/sessions/session-store.ts";
import { keyLivesMs } from "#domain/billing/idempotency.ts";
import { dayMs } from "#platform/clock.ts";

/** Rows that are deleted once `since` is longer ago than `keptMs`. Each rule needs an index on `since`. */
export interface AgeRule {
  since: AnyPgColumn;
  keptMs: number;
  /** Only these rows. */
  where?: SQL;
  /** `since` is by the database's clock, not by the service's. */
  isDatabaseTime?: boolean;
}

/** Of each owner, only the newest rows are kept. Looked for where a row was added since the last rounds. */
export interface MostRule {
  of: AnyPgColumn;
  most: number;
  newest: AnyPgColumn;
  addedAt: AnyPgColumn;
}

export type Retention =
  /** The hourly job deletes them. */
  | { deleted: readonly AgeRule[]; most?: MostRule }
  /** Another flow deletes them, because more than a row goes: the file that does. */
  | { deletedBy: string }
  /** Never deleted. `bound`: what keeps them few. */
  | { keptForGood: string; bound: string };

const perAccount = "one row per account";
const perPurchase = "one row per event at the payment provider";
const development = { keptForGood: "the payment sandbox's memory, outside production only", bound: "a developer's own clicks" };
const yearMs = 400 * dayMs;

/** By the names in database/tables.ts. */
export const retention: Record<TableName, Retention> = {
  // One that was never confirmed ends (domain/accounts/end-unconfirmed-accounts.ts), with all that refers to it.
  // A closed one is erased (domain/journeys/close-account/erasing): then only its name is left, and what its list keeps.
  accounts: { keptForGood: "a customer, whose invoices name it; of an erased one, its name", bound: "registrations per address and day" },
  users: { keptForGood: "its people", bound: perAccount },
  sessions: {
    deleted: [
      { since: tables.sessions.expiresAt, keptMs: 0 },
      { since: tables.sessions.lastSeenAt, keptMs: silenceMs },
    ],
  },
  knownBrowsers: { deleted: [{ since: tables.knownBrowsers.signedInAt, keptMs: knownBrowserMs }] },
  // A day longer than they are valid, so that a late visitor is told that the link has expired, not that it never existed.
  linkTokens: { deleted: [{ since: tables.linkTokens.expiresAt, keptMs: dayMs }] },
  // Longer than any pause.
  attempts: { deleted: [{ since: tables.attempts.lastAt, keptMs: dayMs }] },
  usedChallenges: { deleted: [{ since: tables.usedChallenges.expiresAt, keptMs: 0 }] },
  callCounts: { deleted: [{ since: tables.callCounts.until, keptMs: 0, isDatabaseTime: true }] },
  surveyAnswers: { keptForGood: "the newest answer to each survey", bound: "three rows per account" },
  invitations: { keptForGood: "who was invited; a revoked one is deleted after a day", bound: "the plan's people" },

  workspaces: { keptForGood: "also after it was deleted: its numbers are never given again", bound: perAccount },
  sleepingWebhooks: { keptForGood: "the newest sleep's, and replaced by the next", bound: "one row per workspace, of at most 64 KB" },
  workspaceJournal: {
    deleted: [{ since: tables.workspaceJournal.at, keptMs: yearMs }],
    // A workspace that fails for ever writes a line every few minutes: 2,000 lines are its last week, at most 16 MB.
    most: {
      of: tables.workspaceJournal.workspaceId,
      most: 2_000,
      newest: tables.workspaceJournal.id,
      addedAt: tables.workspaceJournal.at,
    },
  },
  // Twice a day's graph, so that yesterday's crash can be examined today.
  workspaceMemory: { deleted: [{ since: tables.workspaceMemory.at, keptMs: 2 * dayMs }] },
  // A day more than the longest graph.
  workspaceHours: { deleted: [{ since: tables.workspaceHours.hour, keptMs: 31 * dayMs }] },
  webhookCalls: {
    deleted: [
      { since: tables.webhookCalls.at, keptMs: 2 * dayMs, where: eq(tables.webhookCalls.spanMinutes, 1) },
      { since: tables.webhookCalls.at, keptMs: 31 * dayMs, where: eq(tables.webhookCalls.spanMinutes, 60) },
    ],
  },
  workspaceLooks: { keptForGood: "the newest question of each kind", bound: "six rows per workspace" },
  workspaceUpdates: { keptForGood: "the version history that its owner reads", bound: "changes of the workspace per account and day" },
  // An unfinished one has no such day.
  fleetUpdates: { deleted: [{ since: tables.fleetUpdates.finishedAt, keptMs: yearMs }] },
  fleetUpdateWorkspaces: { keptForGood: "deleted with their fleet update", bound: "the workspaces, once per fleet update" },
  backups: { deletedBy: "domain/backups/expired-backup-store.ts" },
  restores: { keptForGood: "deleted with their backup", bound: "the backups that are kept" },
  exports: { deletedBy: "domain/exports/export-store.ts" },
  blanks: { deletedBy: "domain/workspaces/blanks/blank-store.ts" },
  hosts: { keptForGood: "a machine", bound: "machines" },
  engineInstalls: { keptForGood: "what a machine has installed, and which images are present", bound: "machines and releases" },

  usageCounters: { deletedBy: "domain/usage/usage-store.ts" },
  gatewayCounts: { deletedBy: "domain/usage/check-store.ts" },
  usageChecks: { deletedBy: "domain/usage/check-store.ts" },
  usagePeriods: { keptForGood: "what an account was billed for", bound: "one row per account and period" },
  usageDays: { keptForGood: "the days of these periods", bound: "one row per account and day" },

  planSpecs: { keptForGood: "what customers bought", bound: "the catalogue" },
  plans: { keptForGood: "what customers bought", bound: "the catalogue" },
  subscriptions: { keptForGood: "what it has and had", bound: perAccount },
  timers: { deletedBy: "domain/billing/subscription/timer-store.ts" },
  // A customer may return to a page for a day, and an event may name it for ninety.
  checkouts: {
    deleted: [{ since: tables.checkouts.createdAt, keptMs: yearMs, where: inArray(tables.checkouts.state, ["paid", "expired"]) }],
  },
  // No provider repeats one for so long.
  providerEvents: { deleted: [{ since: tables.providerEvents.receivedAt, keptMs: 90 * dayMs }] },
  idempotencyKeys: { deleted: [{ since: tables.idempotencyKeys.createdAt, keptMs: keyLivesMs }] },
  billingLanes: { deletedBy: "domain/billing/provider-truth/lane-store.ts" },
  heldRefunds: { deleted: [{ since: tables.heldRefunds.heldAt, keptMs: yearMs, where: isNotNull(tables.heldRefunds.decision) }] },
  corrections: { deleted: [{ since: tables.corrections.at, keptMs: yearMs }] },
  // An open one has no such day.
  billingFindings: { deleted: [{ since: tables.billingFindings.closedAt, keptMs: yearMs }] },
  billingDetails: { keptForGood: "what its next invoice says", bound: perAccount },
  invoiceNumbers: { keptForGood: "so that no number is missing", bound: "three rows per year" },
  invoices: { keptForGood: "the law asks for them", bound: perPurchase },
  payments: { keptForGood: "they belong to the invoices", bound: perPurchase },
  renewalNotices: { keptForGood: "so that a renewal is announced once", bound: perAccount },
  cards: { keptForGood: "its payment method", bound: perAccount },
  exchangeRates: { keptForGood: "invoices were issued at them", bound: "thirty currencies a day" },

  // Long enough for a customer who asks about a missing mail three months later.
  mails: {
    deleted: [
      { since: tables.mails.sentAt, keptMs: 90 * dayMs },
      { since: tables.mails.failedAt, keptMs: 90 * dayMs },
    ],
  },
  auditLog: {
    keptForGood: "the record that nobody can change",
    bound: "calls that write per account and day (domain/attempts/call-limits.ts)",
  },
  auditOutbox: { deletedBy: "domain/audit/audit-store.ts" },
  leases: { keptForGood: "who does a work", bound: "the works that only one process may do" },
  serviceState: { keptForGood: "values of the service", bound: "a handful of names" },

  sandboxCustomers: development,
  sandboxSubscriptions: development,
  sandboxCheckouts: development,
  sandboxInvoices: development,
  sandboxPayments: development,
  sandboxWebhooks: development,
  sandboxCalls: development,
};

export type TableName = {
  [Name in keyof typeof tables]: (typeof tables)[Name] extends { $inferSelect: unknown } ? Name : never;
}[keyof typeof tables];
