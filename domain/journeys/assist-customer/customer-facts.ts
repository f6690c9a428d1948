/** Everything that an operator needs to answer a customer: the account with its people, money, workspace, copies, mails and last events. */
import { and, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import {
  accounts,
  auditLog,
  billingFindings,
  heldRefunds,
  invoices,
  mails,
  payments,
  plans,
  subscriptions,
  timers,
  users,
  workspaceJournal,
} from "#database/tables.ts";
import { listBackups } from "#domain/backups/backup-store.ts";
import { newestRestore } from "#domain/backups/restores/restore-store.ts";
import { newestUpdate } from "#domain/updates/update-store.ts";
import type { JournalEvent } from "#domain/workspaces/journal-events.ts";
import { findWorkspace, readJournal } from "#domain/workspaces/workspace-store.ts";
import type { Connection } from "#platform/database.ts";

/** Of each list, the newest. */
const most = { journal: 8, audit: 8, backups: 5, invoices: 3, payments: 3, mails: 5 } as const;

/** Null if there is no such account. Each list has its newest entries first, and at most eight. */
export async function readCustomerFacts(db: Connection, accountId: string) {
  const [account] = await db.select().from(accounts).where(eq(accounts.id, accountId));
  if (!account) return null;
  const people = await db
    .select({
      id: users.id,
      email: users.email,
      fullName: users.fullName,
      kind: users.kind,
      confirmedAt: users.confirmedAt,
      createdAt: users.createdAt,
    })
    .from(users)
    .where(eq(users.accountId, accountId));
  return {
    account,
    people,
    ...(await readMoney(db, accountId)),
    ...(await readWorkspace(db, accountId)),
    mails: await db
      .select({
        id: mails.id,
        recipient: mails.recipient,
        subject: mails.subject,
        createdAt: mails.createdAt,
        sentAt: mails.sentAt,
        failedAt: mails.failedAt,
        lastError: mails.lastError,
      })
      .from(mails)
      .where(
        inArray(
          mails.recipient,
          people.map(({ email }) => email),
        ),
      )
      .orderBy(desc(mails.createdAt))
      .limit(most.mails),
    audit: await db.select().from(auditLog).where(eq(auditLog.accountId, accountId)).orderBy(desc(auditLog.id)).limit(most.audit),
  };
}

export type CustomerFacts = NonNullable<Awaited<ReturnType<typeof readCustomerFacts>>>;

async function readMoney(db: Connection, accountId: string) {
  const [subscription] = await db
    .select({ row: subscriptions, planName: plans.name })
    .from(subscriptions)
    .innerJoin(plans, eq(plans.id, subscriptions.planId))
    .where(eq(subscriptions.accountId, accountId));
  return {
    subscription: subscription ?? null,
    invoices: await db
      .select({
        number: invoices.number,
        issuedAt: invoices.issuedAt,
        total: invoices.total,
        currency: invoices.currency,
        status: invoices.status,
        description: invoices.description,
      })
      .from(invoices)
      .where(eq(invoices.accountId, accountId))
      .orderBy(desc(invoices.issuedAt))
      .limit(most.invoices),
    payments: await db.select().from(payments).where(eq(payments.accountId, accountId)).orderBy(desc(payments.at)).limit(most.payments),
    heldRefunds: await db
      .select()
      .from(heldRefunds)
      .where(and(eq(heldRefunds.accountId, accountId), isNull(heldRefunds.decision))),
    findings: await db
      .select()
      .from(billingFindings)
      .where(and(eq(billingFindings.accountId, accountId), isNull(billingFindings.closedAt))),
    timers: await db.select().from(timers).where(eq(timers.accountId, accountId)).orderBy(timers.dueAt),
  };
}

async function readWorkspace(db: Connection, accountId: string) {
  const workspace = await findWorkspace(db, accountId);
  const made = await listBackups(db, accountId, most.backups);
  if (!workspace) return { workspace, startingSince: null, backups: made, journal: [], update: null, restore: null };
  return {
    workspace,
    startingSince: await readStart(db, workspace.id),
    backups: made,
    journal: await readJournal(db, workspace.id, { most: most.journal }),
    update: (await newestUpdate(db, workspace.id))?.update ?? null,
    restore: await newestRestore(db, workspace.id),
  };
}

/** What a start, or a series of them that fail, ends with. */
const ends: readonly JournalEvent[] = ["online", "stopped", "deleted"];
/** What a start begins with, or why it was needed. */
const begins: readonly JournalEvent[] = [
  "requested",
  "restart-requested",
  "key-replaced",
  "paid",
  "plan-restart",
  "started",
  "start-delayed",
  "start-waits",
  "start-failed",
  "start-timed-out",
  "no-room",
  "out-of-memory",
  "died",
  "evicted",
  "unhealthy",
  "hung",
  "disk-read-only",
  "unreachable",
  "host-lost",
  "move-started",
  "files-missing",
  "restore-started",
  "first-restore-failed",
  "update-started",
  "install-failed",
  "fault",
];

/** Since when a workspace starts, if it does: each try changes the row, so its journal knows better. Null: there is no line about it. */
async function readStart(db: Connection, workspaceId: string): Promise<Date | null> {
  const { id, at, event } = workspaceJournal;
  const ofIt = (events: readonly JournalEvent[]) => and(eq(workspaceJournal.workspaceId, workspaceId), inArray(event, [...events]));
  const last = db
    .select({ id: sql`max(${id})` })
    .from(workspaceJournal)
    .where(ofIt(ends));
  const [first] = await db
    .select({ at })
    .from(workspaceJournal)
    .where(and(ofIt(begins), sql`${id} > coalesce((${last}), 0)`))
    .orderBy(id)
    .limit(1);
  return first?.at ?? null;
}
