/** The SQL of invitations. */
import { and, asc, count, eq, gt, inArray, isNotNull, isNull, lt, lte, or, sql, type SQL } from "drizzle-orm";
import { invitations, mails } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";

export type InvitationRow = typeof invitations.$inferSelect;

/** An invitation as its owner sees it; `undeliverable` if the newest mail was given up. */
export interface ListedInvitation extends InvitationRow {
  undeliverable: boolean;
}

/** All people invited and not revoked, oldest first. */
export async function listInvitations(db: Connection, accountId: string): Promise<ListedInvitation[]> {
  const rows = await db
    .select({ row: invitations, failedAt: mails.failedAt })
    .from(invitations)
    .leftJoin(mails, eq(mails.id, invitations.mailId))
    .where(and(eq(invitations.accountId, accountId), isNull(invitations.revokedAt)))
    .orderBy(asc(invitations.id));
  return rows.map(({ row, failedAt }) => ({ ...row, undeliverable: failedAt !== null }));
}

/** How many people were invited since `since`, including revoked ones. */
export async function countAskedSince(db: Connection, accountId: string, since: Date): Promise<number> {
  const [row] = await db
    .select({ asked: count() })
    .from(invitations)
    .where(and(eq(invitations.accountId, accountId), gt(invitations.askedAt, since)));
  return row!.asked;
}

/** Which of these addresses were invited and revoked before. */
export async function listRevokedAmong(db: Connection, accountId: string, emails: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ email: invitations.email })
    .from(invitations)
    .where(and(eq(invitations.accountId, accountId), inArray(invitations.email, [...emails]), isNotNull(invitations.revokedAt)))
    .orderBy(asc(invitations.email));
  return rows.map(({ email }) => email);
}

/** Stores these addresses to be invited; a revoked one starts over, any other existing one stays unchanged. */
export async function saveInvitations(db: Connection, accountId: string, emails: readonly string[], now: Date): Promise<void> {
  const fresh = {
    state: "waiting",
    memberId: null,
    mailId: null,
    reason: null,
    attempts: 0,
    dueAt: now,
    askedAt: now,
    sentAt: null,
    acceptedAt: null,
    revokedAt: null,
  } as const;
  await db
    .insert(invitations)
    // A millisecond apart, so that they sort in the given order.
    .values(emails.map((email, index) => ({ id: newId(now.getTime() + index), accountId, email, ...fresh })))
    .onConflictDoUpdate({ target: [invitations.accountId, invitations.email], set: fresh, setWhere: isNotNull(invitations.revokedAt) });
}

/** Deletes revoked people after a day, once the workspace knows. */
export async function forgetRevoked(db: Connection, accountId: string, before: Date): Promise<void> {
  await db
    .delete(invitations)
    .where(and(eq(invitations.accountId, accountId), lt(invitations.revokedAt, before), isNull(invitations.dueAt)));
}

/** The invitation, locked until the transaction ends; null if it belongs to another account, is revoked, or does not exist. */
export async function lockInvitation(db: Connection, accountId: string, id: string): Promise<InvitationRow | null> {
  const found = await db
    .select()
    .from(invitations)
    // As text: an id that is no UUID is not found, instead of causing an error.
    .where(and(sql`${invitations.id}::text = ${id}`, eq(invitations.accountId, accountId), isNull(invitations.revokedAt)))
    .for("update");
  return found[0] ?? null;
}

/** Resends the invitation as if it were new. */
export async function askAgain(db: Connection, id: string, now: Date): Promise<void> {
  await db.update(invitations).set({ state: "waiting", reason: null, attempts: 0, dueAt: now, askedAt: now }).where(eq(invitations.id, id));
}

/** Revokes the invitation; `dueAt` if the workspace must be told, null if it never knew. */
export async function revoke(db: Connection, id: string, now: Date, dueAt: Date | null): Promise<void> {
  await db.update(invitations).set({ revokedAt: now, dueAt, attempts: 0, reason: null }).where(eq(invitations.id, id));
}

/**
 * Revokes all invitations, even accepted ones, because the workspace is being removed. With `askedUntil`, those requested later stay: they
 * are for the next workspace.
 */
export async function revokeAll(db: Connection, accountId: string, now: Date, askedUntil?: Date): Promise<void> {
  await db
    .update(invitations)
    .set({ revokedAt: now, dueAt: null, reason: null })
    .where(and(eq(invitations.accountId, accountId), isNull(invitations.revokedAt), askedUntil && lte(invitations.askedAt, askedUntil)));
}

/** Invitations for an online workspace to work on: due, or sent and not revoked. */
export async function listOpenInvitations(db: Connection, accountId: string): Promise<InvitationRow[]> {
  const open = or(isNotNull(invitations.dueAt), and(isNull(invitations.revokedAt), inArray(invitations.state, ["sent", "accepted"])));
  return db
    .select()
    .from(invitations)
    .where(and(eq(invitations.accountId, accountId), open))
    .orderBy(asc(invitations.id));
}

/** Records the outcome of an invitation, unless its owner has changed it since `seen` was read; then false. */
export async function recordOutcome(db: Connection, seen: InvitationRow, outcome: Partial<InvitationRow>): Promise<boolean> {
  const same: SQL[] = [
    eq(invitations.id, seen.id),
    eq(invitations.state, seen.state),
    seen.dueAt ? eq(invitations.dueAt, seen.dueAt) : isNull(invitations.dueAt),
    seen.revokedAt ? eq(invitations.revokedAt, seen.revokedAt) : isNull(invitations.revokedAt),
  ];
  const written = await db
    .update(invitations)
    .set(outcome)
    .where(and(...same))
    .returning({ id: invitations.id });
  return written.length > 0;
}
