/**
 * What erasing an account does to each table, and what it keeps and why: the only list. The worker erases by it (./erase-rows.ts), an operator's
 * dry run prints it, docs/security/data.md shows it, and a test fills every column and looks for what is left. A table that is missing here does
 * not compile; for a column, that test fails.
 */
import { getTableColumns, getTableName, sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import * as tables from "#database/tables.ts";
import { changeEmailSubjects, memberPasswordSubjects } from "#domain/mail/templates/accounts/credential-mails.ts";
import { invitationSubjects } from "#domain/mail/templates/workspaces/invitation-mail.ts";

export type TableName = {
  [Name in keyof typeof tables]: (typeof tables)[Name] extends { $inferSelect: unknown } ? Name : never;
}[keyof typeof tables];

type ColumnOf<Name extends TableName> = keyof (typeof tables)[Name]["$inferSelect"] & string;

/** The account whose rows are meant, with every address that its people have or had. */
export interface Erased {
  accountId: string;
  accountName: string;
  /** Lowercase. */
  addresses: readonly string[];
  /** Of the people whom it invited; lowercase. */
  invited: readonly string[];
}

type RowsOf = (erased: Erased) => SQL;

/** Deleted. */
interface Gone {
  rows: RowsOf;
}

/** The rows stay, for `why`; every column either stays or is blanked. */
interface Kept<Name extends TableName> {
  kept: RowsOf;
  why: string;
  stays: readonly ColumnOf<Name>[];
  /** What is written in place of the value. */
  blank: Partial<Record<ColumnOf<Name>, SQL>>;
}

/** No row of it tells an account, for `why`. */
interface OfNoAccount<Name extends TableName> {
  ofNoAccount: string;
  columns: readonly ColumnOf<Name>[];
}

export type Decision<Name extends TableName = TableName> = Gone | Kept<Name> | OfNoAccount<Name>;

const ofAccount =
  (column: AnyPgColumn): RowsOf =>
  ({ accountId }) =>
    sql`${column} = ${accountId}::uuid`;
const ofPerson =
  (column: AnyPgColumn): RowsOf =>
  ({ accountId }) =>
    sql`${column} in (select id from users where account_id = ${accountId}::uuid)`;
const ofWorkspace =
  (column: AnyPgColumn): RowsOf =>
  ({ accountId }) =>
    sql`${column} in (select id from workspaces where account_id = ${accountId}::uuid)`;
const gone = (rows: RowsOf): Gone => ({ rows });

const nothing = sql`null`;
const zero = sql`0`;
const noText = sql`''`;
const emptyObject = sql`'{}'::jsonb`;
const emptyList = sql`'[]'::jsonb`;

const hashed = "hashes, for a day at most";
const catalogue = "the price list";
const service = "about the service, not about a customer";
const atProvider = "the payment sandbox's memory, outside production only: a payment provider's data is the provider's to erase";
const asInvoices = "with the invoices";

/** In the order in which rows go: those that refer to others first. */
export const erasureList: { readonly [Name in TableName]: Decision<Name> } = {
  mails: gone(mailsOf),
  invitations: gone(ofAccount(tables.invitations.accountId)),
  surveyAnswers: gone(ofAccount(tables.surveyAnswers.accountId)),

  workspaceJournal: gone(ofWorkspace(tables.workspaceJournal.workspaceId)),
  workspaceMemory: gone(ofWorkspace(tables.workspaceMemory.workspaceId)),
  workspaceHours: gone(ofWorkspace(tables.workspaceHours.workspaceId)),
  webhookCalls: gone(ofWorkspace(tables.webhookCalls.workspaceId)),
  sleepingWebhooks: gone(ofWorkspace(tables.sleepingWebhooks.workspaceId)),
  workspaceLooks: gone(ofWorkspace(tables.workspaceLooks.workspaceId)),
  usageCounters: gone(ofWorkspace(tables.usageCounters.workspaceId)),
  gatewayCounts: gone(ofWorkspace(tables.gatewayCounts.workspaceId)),
  usageChecks: gone(ofWorkspace(tables.usageChecks.workspaceId)),
  usagePeriods: gone(ofAccount(tables.usagePeriods.accountId)),
  usageDays: gone(ofAccount(tables.usageDays.accountId)),
  fleetUpdateWorkspaces: gone(ofWorkspace(tables.fleetUpdateWorkspaces.workspaceId)),
  workspaceUpdates: gone(ofWorkspace(tables.workspaceUpdates.workspaceId)),
  restores: gone(ofWorkspace(tables.restores.workspaceId)),
  // Their files went before: a row is removed only after its object.
  backups: gone(ofAccount(tables.backups.accountId)),
  exports: gone(ofAccount(tables.exports.accountId)),
  workspaces: {
    kept: ofAccount(tables.workspaces.accountId),
    why: "its id and number, so that a host that was away removes the files it still has, and no other workspace gets the number",
    stays: [
      "id",
      "number",
      "accountId",
      "engine",
      "desiredState",
      "resumesAs",
      "desiredVersion",
      "observedVersion",
      "channel",
      "autoUpdate",
      "memoryMb",
      "generation",
      "observedGeneration",
      "observedState",
      "host",
      "arriving",
      "lostFrom",
      "gatewayOpen",
      "nightlyAt",
      "leaseOwner",
      "leaseUntil",
      "life",
      "createdAt",
      "updatedAt",
      "variablesRevision",
      "variablesPassed",
    ],
    blank: {
      failures: zero,
      reconcileAt: nothing,
      timezone: sql`'Etc/UTC'`,
      maintenanceWindow: sql`default`,
      executionsToKeep: nothing,
      runningMemoryMb: nothing,
      restartAskedAt: nothing,
      secrets: noText,
      blank: nothing,
      ownerSetUpAt: nothing,
      profilePassedAt: nothing,
      ownerPassed: nothing,
      usageReadAt: nothing,
      activeWorkflows: zero,
      workflows: nothing,
      address: nothing,
      progressStep: nothing,
      progressLabel: nothing,
      progressPercent: nothing,
      reason: nothing,
      reasonCode: nothing,
      startedAt: nothing,
      finishingSince: nothing,
      unhealthySince: nothing,
      activeAt: nothing,
      usedAt: nothing,
      asleepSince: nothing,
      coldSince: nothing,
      sleepUntil: nothing,
      asleepRevision: nothing,
      wakeAskedAt: nothing,
      traceparent: nothing,
      renewedAt: nothing,
    },
  },

  timers: gone(ofAccount(tables.timers.accountId)),
  providerEvents: gone(({ accountId }) => sql`owner_id = ${accountId}::uuid or account_id = ${accountId}`),
  idempotencyKeys: gone(ofAccount(tables.idempotencyKeys.accountId)),
  corrections: gone(ofAccount(tables.corrections.accountId)),
  billingFindings: gone(
    ({ accountId }) => sql`account_id = ${accountId}::uuid
      or object_id in (select provider_customer_id from subscriptions where account_id = ${accountId}::uuid)
      or object_id in (select provider_subscription_id from subscriptions where account_id = ${accountId}::uuid)`,
  ),
  billingDetails: gone(ofAccount(tables.billingDetails.accountId)),
  renewalNotices: gone(ofAccount(tables.renewalNotices.accountId)),
  cards: gone(ofAccount(tables.cards.accountId)),
  billingLanes: {
    kept: ofAccount(tables.billingLanes.accountId),
    why: "for seconds, while a worker handles a message of the payment provider",
    stays: ["accountId", "takenUntil", "leaseOwner"],
    blank: {},
  },
  checkouts: {
    kept: ofAccount(tables.checkouts.accountId),
    why: "400 days: what was sold here, so that a message of the payment provider about it is recognized",
    stays: [
      "provider",
      "checkoutId",
      "accountId",
      "planId",
      "customExecutions",
      "customWorkflows",
      "currency",
      "state",
      "createdAt",
      "checkAt",
      "subscriptionId",
    ],
    blank: { url: noText },
  },
  heldRefunds: {
    kept: ofAccount(tables.heldRefunds.accountId),
    why: "400 days: a refund and who decided it",
    stays: [
      "provider",
      "subscriptionId",
      "accountId",
      "amount",
      "currency",
      "heldAt",
      "decision",
      "decidedAt",
      "decidedBy",
      "runAt",
      "refundedAt",
    ],
    blank: {},
  },
  subscriptions: {
    kept: ofAccount(tables.subscriptions.accountId),
    why: `${asInvoices}: which plan was sold, and its number at the payment provider, so that money that moves later is recognized`,
    stays: [
      "accountId",
      "planId",
      "specId",
      "customExecutions",
      "customWorkflows",
      "status",
      "provider",
      "providerCustomerId",
      "providerSubscriptionId",
      "currency",
      "startedAt",
      "periodStartsAt",
      "periodEndsAt",
      "cancelAt",
      "pastDueAt",
      "unpaidFrom",
      "pausedAt",
      "endedAt",
      "deletionAt",
      "scheduledPlanId",
      "scheduledFromPlanId",
      "scheduledExecutions",
      "scheduledWorkflows",
      "scheduledAt",
      "scheduledToldAt",
      "pendingPlanId",
      "pendingExecutions",
      "pendingWorkflows",
      "pendingAt",
      "warnedAt",
      "deletedAt",
      "deletedLife",
      "taxInclusive",
      "creditAmount",
      "providerChangedAt",
      "version",
    ],
    blank: { pendingKey: nothing, retries: emptyList },
  },
  payments: {
    kept: ofAccount(tables.payments.accountId),
    why: `${asInvoices}: what was paid when, and its number at the payment provider`,
    stays: ["id", "accountId", "invoiceId", "provider", "providerPaymentId", "at", "currency", "amount", "status"],
    blank: { brand: nothing, lastFour: nothing, reason: nothing },
  },
  invoices: {
    kept: ofAccount(tables.invoices.accountId),
    why: "invoices with the name and address on them, because tax law requires it, in many countries for ten years",
    stays: [
      "id",
      "accountId",
      "provider",
      "providerInvoiceId",
      "number",
      "issuedAt",
      "description",
      "currency",
      "total",
      "tax",
      "status",
      "document",
      "receiptQueuedAt",
      "numberKeptAt",
      "corrects",
      "seenAt",
    ],
    blank: {},
  },

  auditLog: {
    kept: ofAccount(tables.auditLog.accountId),
    why: "that something was changed, and when; who ordered an erasure and why",
    stays: ["id", "at", "accountId", "userId", "action", "requestId"],
    // By the database's function `erase_audit`: a trigger refuses every other change.
    blank: { before: nothing, after: nothing, address: nothing },
  },

  linkTokens: gone(ofPerson(tables.linkTokens.userId)),
  knownBrowsers: gone(ofPerson(tables.knownBrowsers.userId)),
  sessions: gone(ofPerson(tables.sessions.userId)),
  users: gone(ofAccount(tables.users.accountId)),
  accounts: {
    kept: ofAccount(tables.accounts.id),
    why: "the account's name, forever, so that its address is given to no one else; and when it was opened, closed and erased",
    stays: ["id", "name", "certificateAt", "closedAt", "eraseAt", "erasingSince", "erasureAttempts", "erasedAt", "createdAt"],
    blank: {
      setUpAt: nothing,
      templateId: nothing,
      onboardingSteps: emptyObject,
      firstDays: emptyObject,
      selectedApps: emptyList,
      profileChangedAt: nothing,
      suspendedAt: nothing,
      suspendedUntil: nothing,
      suspendedBy: nothing,
      suspensionReason: nothing,
      closedBy: nothing,
      closingReason: nothing,
      erasureDueAt: nothing,
      erasureError: nothing,
      erasureWaitsFor: nothing,
    },
  },

  attempts: { ofNoAccount: hashed, columns: ["key", "count", "lastAt", "blockedUntil"] },
  callCounts: { ofNoAccount: hashed, columns: ["key", "calls", "until"] },
  usedChallenges: { ofNoAccount: hashed, columns: ["hash", "expiresAt"] },
  planSpecs: { ofNoAccount: catalogue, columns: ["id", "spec"] },
  plans: {
    ofNoAccount: catalogue,
    columns: ["id", "specId", "name", "billingType", "periodUnit", "periodCount", "recurringPrice", "customQuotas", "withdrawnAt"],
  },
  exchangeRates: { ofNoAccount: service, columns: ["day", "currency", "perEuro"] },
  invoiceNumbers: { ofNoAccount: service, columns: ["series", "year", "issued"] },
  hosts: { ofNoAccount: service, columns: ["name", "address", "freeMb", "seenAt", "drainingSince", "lostAt"] },
  blanks: {
    ofNoAccount: "workspaces that have no owner yet",
    columns: [
      "id",
      "number",
      "host",
      "engine",
      "version",
      "memoryMb",
      "secrets",
      "state",
      "specHash",
      "leaseOwner",
      "leaseUntil",
      "createdAt",
    ],
  },
  engineInstalls: {
    ofNoAccount: service,
    columns: ["host", "engine", "version", "state", "percent", "reason", "attempts", "retryAt", "updatedAt"],
  },
  fleetUpdates: {
    ofNoAccount: "operators and their reasons, for 400 days",
    columns: [
      "id",
      "engine",
      "toVersion",
      "state",
      "stopReason",
      "stoppedAt",
      "stoppedBy",
      "waves",
      "wave",
      "soakSeconds",
      "soakedMs",
      "steppedAt",
      "atOnce",
      "mostFailures",
      "mostFailedPercent",
      "operator",
      "reason",
      "startedAt",
      "finishedAt",
    ],
  },
  auditOutbox: { ofNoAccount: "ids, for seconds", columns: ["auditId"] },
  leases: { ofNoAccount: service, columns: ["name", "holder", "until"] },
  serviceState: { ofNoAccount: service, columns: ["key", "value"] },
  sandboxCustomers: {
    ofNoAccount: atProvider,
    columns: ["id", "accountId", "email", "name", "currency", "credit", "details", "card", "createdAt"],
  },
  sandboxSubscriptions: {
    ofNoAccount: atProvider,
    columns: [
      "id",
      "customerId",
      "accountId",
      "status",
      "currency",
      "taxInclusive",
      "items",
      "paidItems",
      "anchorAt",
      "periodNumber",
      "periodStartsAt",
      "periodEndsAt",
      "cancelsAtPeriodEnd",
      "openInvoiceId",
      "pastDueAt",
      "retries",
      "pausedAt",
      "endedAt",
      "dueAt",
      "changedAt",
      "createdAt",
    ],
  },
  sandboxCheckouts: {
    ofNoAccount: atProvider,
    columns: [
      "id",
      "kind",
      "state",
      "request",
      "customerId",
      "subscriptionId",
      "entered",
      "successUrl",
      "cancelUrl",
      "createdAt",
      "expiresAt",
    ],
  },
  sandboxInvoices: {
    ofNoAccount: atProvider,
    columns: [
      "id",
      "number",
      "customerId",
      "subscriptionId",
      "status",
      "currency",
      "lines",
      "tax",
      "total",
      "creditUsed",
      "partRefunds",
      "issuedAt",
      "documentNumbers",
    ],
  },
  sandboxPayments: {
    ofNoAccount: atProvider,
    columns: ["id", "number", "invoiceId", "at", "amount", "status", "card", "reason", "refundedAt"],
  },
  sandboxWebhooks: {
    ofNoAccount: atProvider,
    columns: [
      "id",
      "number",
      "type",
      "payload",
      "occurredAt",
      "dueAt",
      "leaseUntil",
      "copies",
      "attempts",
      "deliveredAt",
      "droppedAt",
      "lastError",
    ],
  },
  sandboxCalls: { ofNoAccount: atProvider, columns: ["id", "fingerprint", "outcome", "at"] },
};

/**
 * Mails to its people, its invitations, and mails to members of its workspace, whom only the workspace knows: their subjects contain
 * the account's name. To an address that was only asked for, which may be anyone's, only the links that it had sent there: each has the moment
 * of its row in the audit log. Not the invitations by which others invited the same person, nor what somebody else was sent who
 * has such an address now.
 */
function mailsOf({ accountId, accountName, addresses, invited }: Erased): SQL {
  const list = (texts: readonly string[]) =>
    sql`array[${sql.join(
      [...texts, ""].map((text) => sql`${text}`),
      sql`, `,
    )}]::text[]`;
  const texts = (all: readonly string[]) =>
    sql.join(
      all.map((text) => sql`${text}`),
      sql`, `,
    );
  return sql`(recipient = any(${list(addresses)})
      and created_at < coalesce((select min(other.created_at) from users other where other.email = mails.recipient and other.account_id <> ${accountId}::uuid), 'infinity')
      and not exists (select from invitations other where other.mail_id = mails.id and other.account_id <> ${accountId}::uuid))
    or (recipient = any(${list(invited)}) and subject like any(${list(invitationSubjects(accountName))}))
    or subject in (${texts(memberPasswordSubjects(accountName))})
    or (subject in (${texts(changeEmailSubjects)}) and exists (select from audit_log asked
      where asked.account_id = ${accountId}::uuid and asked.action in ('email.change-asked', 'email.change-resent')
        and asked.after #>> '{}' = mails.recipient and asked.at = mails.created_at))`;
}

export const isGone = (decision: Decision): decision is Gone => "rows" in decision;
export const isKept = (decision: Decision): decision is Kept<TableName> => "kept" in decision;

/** By the names in database/tables.ts, in the order of the list. */
export const decisions = Object.entries(erasureList) as [TableName, Decision][];

/** What is kept of an erased account, by the database's names: in which table, which columns, and why. */
export const keptOf = (): { table: string; columns: string[]; why: string }[] =>
  decisions.flatMap(([name, decision]) =>
    isKept(decision) ? [{ table: nameOf(name), columns: decision.stays.map((column) => columnOf(name, column)), why: decision.why }] : [],
  );

const byName: Readonly<Record<TableName, PgTable>> = { ...tables };
export const tableOf = (name: TableName): PgTable => byName[name];
/** As the database calls it. */
export const nameOf = (name: TableName): string => getTableName(tableOf(name));
export const columnOf = (name: TableName, column: string): string =>
  (getTableColumns(tableOf(name)) as Record<string, { name: string }>)[column]!.name;

/** The same as a table of docs/security/data.md. */
export const keptAsPage = (): string =>
  ["| kept of | why | columns |", "|---|---|---|"]
    .concat(keptOf().map(({ table, why, columns }) => `| \`${table}\` | ${why} | ${columns.map((column) => `\`${column}\``).join(", ")} |`))
    .join("\n");
