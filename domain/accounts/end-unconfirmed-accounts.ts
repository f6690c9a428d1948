/** Anyone can register any free name with anyone's address: an account whose address is never confirmed ends, and frees both. */
import { and, asc, eq, inArray, isNotNull, isNull, lte, ne, notExists, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { accounts, cards, checkouts, invoices, payments, subscriptions, surveyAnswers, users, workspaces } from "#database/tables.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { isGapOpen } from "#domain/memory-gap/memory-gap-store.ts";
import { after, dayMs } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";

/** Ended in one round, in a transaction each. */
const mostAtOnce = 500;

/**
 * Ends accounts that were registered `days` ago and of which nothing came: no confirmed address, no trial, no payment nor an attempt at one,
 * no workspace, also no deleted one. Each is claimed and checked in the transaction that ends it, so that one that is confirmed or launched
 * at that moment stays.
 */
export async function endUnconfirmedAccounts(db: Database, now: Date, days: number): Promise<void> {
  const registeredBefore = after(now, -days * dayMs);
  const candidates = await db
    .select({ accountId: accounts.id })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(and(isNull(users.confirmedAt), lte(users.createdAt, registeredBefore), isUnused(db, registeredBefore)))
    .orderBy(asc(users.createdAt))
    .limit(mostAtOnce);
  for (const { accountId } of candidates) await db.transaction((tx) => endAccount(tx, accountId, { registeredBefore, now }));
}

/** Of an account: it is old enough, none of its people has confirmed an address, and nothing was tried, bought or launched. */
function isUnused(db: Connection, registeredBefore: Date) {
  const other = alias(users, "other");
  const isOf = { one: sql`1` };
  const proved = db
    .select(isOf)
    .from(other)
    .where(and(eq(other.accountId, accounts.id), or(isNotNull(other.confirmedAt), ne(other.kind, "member"))));
  const traces = [subscriptions, workspaces, invoices, payments, checkouts, cards].map((table) =>
    notExists(db.select(isOf).from(table).where(eq(table.accountId, accounts.id))),
  );
  return and(lte(accounts.createdAt, registeredBefore), notExists(proved), ...traces);
}

async function endAccount(
  tx: Connection,
  accountId: string,
  { registeredBefore, now }: { registeredBefore: Date; now: Date },
): Promise<void> {
  // Whoever holds one of these, or refers to one, is about to confirm or to launch: the next round decides. They are deleted, so `for update`.
  const people = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(users.accountId, accountId))
    .orderBy(asc(users.id))
    .for("update", { skipLocked: true });
  const ids = people.map(({ id }) => id);
  const claimed = await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for("update", { skipLocked: true });
  if (claimed.length === 0 || ids.length === 0 || (await isGapOpen(tx))) return;
  // A new statement sees what was committed before the locks.
  const [unused] = await tx
    .select({ name: accounts.name })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isUnused(tx, registeredBefore)));
  const everyone = await tx.select({ id: users.id }).from(users).where(eq(users.accountId, accountId));
  if (!unused || everyone.length !== ids.length) return;
  await tx.delete(users).where(inArray(users.id, ids));
  await tx.delete(surveyAnswers).where(eq(surveyAnswers.accountId, accountId));
  await tx.delete(accounts).where(eq(accounts.id, accountId));
  await writeAudit(tx, { accountId, userId: null, action: "account.ended", before: { accountName: unused.name } }, now);
}
