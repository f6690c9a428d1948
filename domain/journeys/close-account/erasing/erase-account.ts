/**
 * A closed account is erased on its day: everything personal goes but what a law requires (./erasure-list.ts). Each step is safe to repeat and to
 * kill at any line: the beginning is one transaction, the files go by the sweeps that remove every expired copy, a mark outside the database
 * remembers the account (./erased-marks.ts), and one transaction at the end deletes the rows and decides. Decision 0225.
 */
import { and, eq, inArray, isNotNull, ne, or, sql } from "drizzle-orm";
import { accounts, backups, exports, mails, providerEvents, users, workspaces } from "#database/tables.ts";
import { claimErasures, lockToErase, noteFailure, noteWait, writeErasing, type ErasureWait } from "#domain/accounts/erasure-store.ts";
import { lockClosing } from "#domain/accounts/closing-store.ts";
import { findOwner } from "#domain/accounts/credential-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { giveUpLastBackup } from "#domain/backups/backup-store.ts";
import { expireOfClosed } from "#domain/backups/expired-backup-store.ts";
import type { BackupStorage } from "#domain/backups/storage/backup-storage.ts";
import { lockSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { expireExportsOf } from "#domain/exports/export-store.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { erasingMail } from "#domain/mail/templates/accounts/closing-mails.ts";
import { isGapOpen } from "#domain/memory-gap/memory-gap-store.ts";
import { isKept } from "#domain/workspaces/hosts/kept.ts";
import { announceAccount } from "../close-account.ts";
import { readBlockers } from "../closing-blockers.ts";
import { after, dayMs, type Clock } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Secrets } from "#platform/secrets.ts";
import { markErased } from "./erased-marks.ts";
import { eraseRows, readErased } from "./erase-rows.ts";

export interface ErasingParts {
  db: Database;
  clock: Clock;
  log: Log;
  /** Where backups and exports are, and the marks of what was erased. */
  storage: BackupStorage;
  secrets: Pick<Secrets, "encrypt" | "decrypt">;
  supportEmail: string;
}

/** Who wants it: its day has come, or an operator, who may do it earlier. */
export type Eraser = "its day" | { operator: string; reason: string; early: boolean };

/**
 * `begun`: it began before; `early`: its day has not come; `money`: something is not settled; `comparison`: what a restored dump forgot is not
 * known yet.
 */
export type NotBegun = "open" | "erased" | "begun" | "early" | "comparison" | "money";

/** A mail server that is down does not keep an account from being erased for longer. */
const lastMailWaitsMs = dayMs;
const mostAtOnce = 20;

/**
 * Begins the erasure, which nothing takes back, and tells the owner; null: it has begun now. One that began before keeps who ordered
 * it and why, and is tried again now if an operator wants it. What stands in the way is read in the
 * transaction that begins it, and a reopening waits for it or is found.
 */
export async function beginErasing(
  { db, clock, supportEmail }: Pick<ErasingParts, "db" | "clock" | "supportEmail">,
  accountId: string,
  eraser: Eraser,
): Promise<NotBegun | null> {
  const owner = await findOwner(db, accountId);
  const mail = owner && (await erasingMail(owner, supportEmail));
  return db.transaction(async (tx) => {
    const now = clock.now();
    await lockSubscription(tx, accountId);
    const account = await lockClosing(tx, accountId);
    if (!account?.closing) return "open";
    if (account.isErased) return "erased";
    const isEarly = account.closing.eraseAt > now;
    if (isEarly && (eraser === "its day" || !eraser.early)) return "early";
    const by = eraser === "its day" ? null : { operator: eraser.operator, reason: eraser.reason, isEarly };
    if (account.closing.erasingSince) {
      if (by) await writeErasing(tx, accountId, now);
      return "begun";
    }
    const wait = await readMoneyWait(tx, accountId, now);
    if (wait) return wait;
    await writeErasing(tx, accountId, now);
    await writeAudit(tx, { accountId, userId: null, action: "account.erasing", after: by ?? { onItsDay: true } }, now);
    if (mail) await queueMail(tx, mail, now);
    return null;
  });
}

/** Erases accounts that are due, as far as each can be now. One that fails does not stop the others, and is tried again. */
export async function eraseDue(parts: ErasingParts, isStopping: () => boolean = () => false): Promise<void> {
  const { db, clock, log } = parts;
  for (const accountId of await claimErasures(db, clock.now(), mostAtOnce)) {
    if (isStopping()) return;
    try {
      const wait = await eraseAccount(parts, accountId);
      if (wait !== "erased") await noteWait(db, accountId, wait, clock.now());
    } catch (err) {
      log.error({ err, accountId }, "a closed account could not be erased yet");
      await noteFailure(db, accountId, err instanceof Error ? err.name : "unknown", clock.now());
    }
  }
}

/** One try. Returns what it waits for; null: another transaction holds the account. */
async function eraseAccount(parts: ErasingParts, accountId: string): Promise<ErasureWait | "erased" | null> {
  const { db, clock, log } = parts;
  const refused = await beginErasing(parts, accountId, "its day");
  if (refused === "erased") return "erased";
  if (refused === "comparison" || refused === "money") return refused;
  // Reopened after it was claimed: no longer due.
  if (refused && refused !== "begun") return null;
  await db.transaction((tx) => clearWay(tx, accountId, clock.now()));
  const wait = await db.transaction((tx) => readWait(tx, accountId, clock.now()));
  if (wait) return wait;
  // Before the rows: a process that is killed in between leaves an account that is erased again, never one that is forgotten.
  await markErased(parts, accountId);
  const done = await db.transaction((tx) => finish(tx, accountId, clock.now()));
  if (done === "erased") log.info({ accountId }, "a closed account was erased");
  return done;
}

/** Its copies expire now, and nothing waits for a last backup of its workspace any more. */
async function clearWay(tx: Connection, accountId: string, now: Date): Promise<void> {
  if (await isGapOpen(tx)) return;
  await expireOfClosed(tx, now);
  await expireExportsOf(tx, accountId);
  const [left] = await tx
    .select()
    .from(workspaces)
    .where(and(eq(workspaces.accountId, accountId), eq(workspaces.desiredState, "deleted"), ne(workspaces.observedState, "deleted")))
    .for("no key update");
  if (left?.reasonCode === "last-backup-failed") await giveUpLastBackup(tx, left, "its account is being erased", now);
}

/** What is not settled yet, or not known after a restored dump. */
async function readMoneyWait(tx: Connection, accountId: string, now: Date): Promise<"comparison" | "money" | null> {
  if (await isGapOpen(tx)) return "comparison";
  if ((await readBlockers(tx, accountId, now)).some(({ kind }) => kind !== "suspension")) return "money";
  const unread = await tx
    .select({ eventId: providerEvents.eventId })
    .from(providerEvents)
    .where(and(or(eq(providerEvents.ownerId, accountId), eq(providerEvents.accountId, accountId)), isNotNull(providerEvents.runAt)))
    .limit(1);
  return unread.length > 0 ? "money" : null;
}

/** What must have ended before the rows go; null: nothing. True until the transaction ends if it holds the account. */
async function readWait(tx: Connection, accountId: string, now: Date): Promise<ErasureWait | null> {
  const money = await readMoneyWait(tx, accountId, now);
  if (money) return money;
  const [workspace] = await tx
    .select({ desired: workspaces.desiredState, observed: workspaces.observedState, isKept: sql<boolean>`${isKept}` })
    .from(workspaces)
    .where(eq(workspaces.accountId, accountId));
  // After a restore, a host may have files of a workspace that the row calls deleted: a person decides about them first.
  if (workspace && (workspace.desired !== "deleted" || workspace.observed !== "deleted" || workspace.isKept)) return "workspace";
  for (const table of [backups, exports]) {
    const copies = await tx.select({ id: table.id }).from(table).where(eq(table.accountId, accountId)).limit(1);
    if (copies.length > 0) return "copies";
  }
  const [account] = await tx.select({ since: accounts.erasingSince }).from(accounts).where(eq(accounts.id, accountId));
  if (account?.since && after(account.since, lastMailWaitsMs) <= now) return null;
  const people = tx.select({ email: users.email }).from(users).where(eq(users.accountId, accountId));
  const unsent = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(and(inArray(mails.recipient, people), isNotNull(mails.sendAt)))
    .limit(1);
  return unsent.length > 0 ? "mail" : null;
}

/** Everything or nothing. Looks once more for what may have come since, with the account locked. */
async function finish(tx: Connection, accountId: string, now: Date): Promise<ErasureWait | "erased" | null> {
  await lockSubscription(tx, accountId);
  if (!(await lockToErase(tx, accountId))) return null;
  await tx.execute(sql`select from workspaces where account_id = ${accountId}::uuid for update`);
  const wait = await readWait(tx, accountId, now);
  if (wait) return wait;
  const erased = await readErased(tx, accountId);
  if (!erased) return null;
  await eraseRows(tx, erased, now);
  await writeAudit(tx, { accountId, userId: null, action: "account.erased" }, now);
  // Open panels of the owner ask again, and are signed out.
  await announceAccount(tx, accountId, erased.accountName);
  return "erased";
}
