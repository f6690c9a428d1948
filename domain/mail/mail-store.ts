/**
 * The outbox: the only place that reads and writes mails. A sender leases the mails that it sends, so that one whose sender died becomes due
 * again.
 */
import { and, count, desc, eq, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { mails } from "#database/tables.ts";
import type { Connection, Database } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { leaseFor } from "#platform/postgres/claim-rows.ts";
import { isDueAt, leaseRows, noLease, type Queue } from "#platform/postgres/queue.ts";
import { currentTraceparent } from "#platform/tracing/current-work.ts";
import type { QueuedMail } from "./mail.ts";

/** Notifications on this channel say that a mail was queued. */
export const mailQueuedChannel = "mail_queued";

/** Stores a mail that is due now, and notifies the loops when the caller's transaction commits, not before. */
export async function insertMail(connection: Connection, mail: Omit<QueuedMail, "attempts">): Promise<void> {
  await connection.insert(mails).values({ ...mail, sendAt: mail.createdAt, traceparent: currentTraceparent() });
  await announceMails(connection);
}

/** Notifies the loops, once the caller's transaction commits, that mails are due. */
export async function announceMails(connection: Connection): Promise<void> {
  await connection.execute(sql`select pg_notify(${mailQueuedChannel}, '')`);
}

export interface MailStore {
  /** Leases up to `limit` due mails that no other process has leased, oldest first. */
  claim(now: Date, limit: number): Promise<QueuedMail[]>;
  /** Extends the leases of mails that are still being sent. */
  renew(ids: string[], now: Date): Promise<void>;
  /** The mail is out and is not sent again. Its body is emptied unless `keepBody`: it may contain a link that signs in. */
  markSent(id: string, now: Date, keepBody: boolean): Promise<void>;
  /** Counts a failed attempt and plans the next, unless another process has the mail by now. */
  markRetry(id: string, sendAt: Date, error: string): Promise<void>;
  /** The same without counting the attempt, which was not about the mail. */
  markHeld(id: string, sendAt: Date, error: string): Promise<void>;
  /** Counts a failed attempt and gives up; the mail is kept, with the reason. */
  markFailed(id: string, now: Date, error: string): Promise<void>;
}

/** A killed process's mail is due again after this time, and a sweep finds it within 5 s more. */
export const mailLeaseSeconds = 20;
const queue: Queue<typeof mails> = { table: mails, key: mails.id, dueAt: mails.sendAt, leaseSeconds: mailLeaseSeconds };

/** The statements of one process, prepared once. None of them touches a mail that is already sent. */
export function createMailStore(db: Database): MailStore {
  const owner = newId();
  const claim = prepareClaim(db);
  const renew = prepareRenew(db);
  const markSent = prepareMarkSent(db);
  const markRetry = prepareMarkRetry(db, 1);
  const markHeld = prepareMarkRetry(db, 0);
  const markFailed = prepareMarkFailed(db);
  return {
    claim: (now, limit) => claim.execute({ now, owner, limit }),
    renew: async (ids, now) => void (await renew.execute({ ids, owner, now })),
    markSent: async (id, now, keepBody) => void (await markSent.execute({ id, now, keepBody })),
    markRetry: async (id, sendAt, error) => void (await markRetry.execute({ id, owner, sendAt, error })),
    markHeld: async (id, sendAt, error) => void (await markHeld.execute({ id, owner, sendAt, error })),
    markFailed: async (id, now, error) => void (await markFailed.execute({ id, owner, now, error })),
  };
}

const value = sql.placeholder;
const ours = eq(mails.leaseOwner, value("owner"));
/** Not sent, given up or leased by another process since. */
const waiting = and(isNotNull(mails.sendAt), or(isNull(mails.leaseOwner), ours));
/**
 * The release before knew no leases: it moved the due time ahead instead, and would send a mail that is due. So does this one, too, as long
 * as both may run. That one also leaves our leases in mails that it takes over or puts off: so a mail is due by its due time alone, however
 * long its lease has ended.
 */
const hiddenFromBefore = {
  sendAt: sql`greatest(${mails.sendAt}, ${value("now")}::timestamptz + make_interval(secs => ${mailLeaseSeconds}))`,
};

function prepareClaim(db: Database) {
  return leaseRows(db, queue, {
    owner: sql`${value("owner")}`,
    due: isDueAt(queue, sql`${value("now")}`),
    order: [mails.sendAt, mails.id],
    most: value("limit"),
    countsAttempt: false,
    set: hiddenFromBefore,
  })
    .returning({
      id: mails.id,
      recipient: mails.recipient,
      subject: mails.subject,
      text: mails.text,
      html: mails.html,
      attachment: mails.attachment,
      createdAt: mails.createdAt,
      attempts: mails.attempts,
      traceparent: mails.traceparent,
    })
    .prepare("mails_claim");
}

function prepareRenew(db: Database) {
  return db
    .update(mails)
    .set({ leaseUntil: leaseFor(mailLeaseSeconds), ...hiddenFromBefore })
    .where(and(sql`${mails.id} = any(${value("ids")}::uuid[])`, isNotNull(mails.sendAt), ours))
    .prepare("mails_renew");
}

function prepareMarkSent(db: Database) {
  return db
    .update(mails)
    .set({
      sentAt: sql`${value("now")}::timestamptz`,
      sendAt: null,
      ...noLease,
      failedAt: null,
      lastError: null,
      text: sql`case when ${value("keepBody")}::boolean then ${mails.text} else '' end`,
      html: sql`case when ${value("keepBody")}::boolean then ${mails.html} else '' end`,
      attachment: sql`case when ${value("keepBody")}::boolean then ${mails.attachment} end`,
    })
    .where(and(eq(mails.id, value("id")), isNull(mails.sentAt)))
    .prepare("mails_sent");
}

function prepareMarkRetry(db: Database, counted: 0 | 1) {
  return db
    .update(mails)
    .set({
      sendAt: sql`${value("sendAt")}::timestamptz`,
      ...noLease,
      attempts: sql`${mails.attempts} + ${sql.raw(String(counted))}`,
      lastError: sql`${value("error")}::text`,
    })
    .where(and(eq(mails.id, value("id")), waiting))
    .prepare(counted ? "mails_retry" : "mails_held");
}

function prepareMarkFailed(db: Database) {
  return db
    .update(mails)
    .set({
      failedAt: sql`${value("now")}::timestamptz`,
      sendAt: null,
      ...noLease,
      attempts: sql`${mails.attempts} + 1`,
      lastError: sql`${value("error")}::text`,
    })
    .where(and(eq(mails.id, value("id")), waiting))
    .prepare("mails_failed");
}

/** Mails that are due, or wait for the mail server without a try of theirs: how many, and the seconds since the first was written. */
export async function waitingMails(connection: Connection, now: Date): Promise<{ waiting: number; seconds: number }> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const [row] = await connection
    .select({ waiting: count(), seconds: sql<number>`coalesce(extract(epoch from ${at} - min(${mails.createdAt})), 0)::float8` })
    .from(mails)
    .where(and(isNotNull(mails.sendAt), or(lte(mails.sendAt, now), and(eq(mails.attempts, 0), isNotNull(mails.lastError)))));
  return row!;
}

/** Sent mails, newest first. */
export function listSentMails(connection: Connection, limit: number) {
  return connection
    .select({ id: mails.id, recipient: mails.recipient, subject: mails.subject, text: mails.text, html: mails.html, sentAt: mails.sentAt })
    .from(mails)
    .where(isNotNull(mails.sentAt))
    .orderBy(desc(mails.sentAt), desc(mails.id))
    .limit(limit);
}
