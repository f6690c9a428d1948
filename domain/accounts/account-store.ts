/** The SQL of accounts and their users. */
import { and, eq, isNull } from "drizzle-orm";
import type { Language } from "#contract/accounts/language.ts";
import { accounts, users } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";

interface NewAccount {
  accountName: string;
  fullName: string;
  email: string;
  passwordHash: string;
  /** The visitor's language; null: English, or unknown. */
  language: Language | null;
  templateId: string | undefined;
  /** The version of the terms that the registration accepted; null: there are none. */
  termsVersion: string | null;
}

export type AccountConflict = "account_name_taken" | "email_taken";

/** Whether an account has this name. */
export async function isNameInUse(db: Connection, accountName: string): Promise<boolean> {
  const found = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.name, accountName)).limit(1);
  return found.length > 0;
}

/** Which of the two names are in use. For early feedback only: the insert itself decides. */
export async function findConflicts(db: Connection, accountName: string, email: string): Promise<AccountConflict[]> {
  const isNameTaken = await isNameInUse(db, accountName);
  const emails = await db.select({ id: users.id }).from(users).where(eq(users.email, email)).limit(1);
  return [...(isNameTaken ? (["account_name_taken"] as const) : []), ...(emails.length > 0 ? (["email_taken"] as const) : [])];
}

/** Inserts the account and its owner. Returns the conflict if the name or address has just been taken. */
export async function insertAccount(
  db: Connection,
  account: NewAccount,
  now: Date,
): Promise<{ accountId: string; userId: string } | AccountConflict> {
  const accountId = newId(now.getTime());
  const userId = newId(now.getTime());
  const named = await db
    .insert(accounts)
    .values({ id: accountId, name: account.accountName, templateId: account.templateId ?? null, createdAt: now })
    .onConflictDoNothing({ target: accounts.name })
    .returning({ id: accounts.id });
  if (named.length === 0) return "account_name_taken";
  const owner = await db
    .insert(users)
    .values({
      id: userId,
      accountId,
      email: account.email,
      fullName: account.fullName,
      passwordHash: account.passwordHash,
      language: account.language,
      termsVersion: account.termsVersion,
      termsAcceptedAt: account.termsVersion === null ? null : now,
      createdAt: now,
    })
    .onConflictDoNothing({ target: users.email })
    .returning({ id: users.id });
  return owner.length === 0 ? "email_taken" : { accountId, userId };
}

interface LoginCandidate {
  userId: string;
  accountName: string;
  email: string;
  /** Null: the account has no usable password. */
  passwordHash: string | null;
}

/** The user who signs in with this account name or email address, both lowercase. */
export async function findByLogin(db: Connection, login: string): Promise<LoginCandidate | null> {
  const found = await db
    .select({ userId: users.id, accountName: accounts.name, email: users.email, passwordHash: users.passwordHash })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    // Never both in one query: no index can answer "or" across two tables, and each sign-in would read all of them.
    .where(login.includes("@") ? eq(users.email, login) : eq(accounts.name, login))
    .limit(1);
  return found[0] ?? null;
}

/** The account with this name, or of the user with this email address, both lowercase. */
export async function findAccountId(db: Connection, login: string): Promise<string | null> {
  const found = login.includes("@")
    ? await db.select({ id: users.accountId }).from(users).where(eq(users.email, login)).limit(1)
    : await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.name, login)).limit(1);
  return found[0]?.id ?? null;
}

/**
 * Makes other callers for this account wait until the transaction ends, so that what was counted before is still true when it is
 * relied on. Inserting rows that refer to the account does not wait: their writers may hold locks that this transaction needs next.
 */
export async function lockAccount(db: Connection, accountId: string): Promise<void> {
  await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for("no key update");
}

/** Records that the user has proved to read mail at their address. */
export async function confirmUser(db: Connection, userId: string, now: Date): Promise<void> {
  await db.update(users).set({ confirmedAt: now }).where(eq(users.id, userId));
}

/** Records that the owner finished the setup page; false if that was recorded before. */
export async function markSetUp(db: Connection, accountId: string, now: Date): Promise<boolean> {
  const marked = await db
    .update(accounts)
    .set({ setUpAt: now })
    .where(and(eq(accounts.id, accountId), isNull(accounts.setUpAt)))
    .returning({ id: accounts.id });
  return marked.length > 0;
}

/** The ids of the account's people. */
export async function listPeople(db: Connection, accountId: string): Promise<string[]> {
  const found = await db.select({ id: users.id }).from(users).where(eq(users.accountId, accountId)).orderBy(users.id);
  return found.map(({ id }) => id);
}
