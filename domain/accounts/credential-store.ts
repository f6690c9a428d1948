/** The SQL of credentials: passwords, addresses, and the links that end when one of them changes. */
import { and, eq, inArray, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Language } from "#contract/accounts/language.ts";
import type { OptionalMail } from "#contract/accounts/account-values.ts";
import type { ProfileChange } from "#contract/accounts/profile.ts";
import { accounts, linkTokens, users, workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import type { LinkPurpose } from "./links/link-token-store.ts";

const personColumns = {
  userId: users.id,
  accountId: users.accountId,
  accountName: accounts.name,
  email: users.email,
  fullName: users.fullName,
  language: users.language,
  kind: users.kind,
  passwordHash: users.passwordHash,
  confirmedAt: users.confirmedAt,
};

export interface Person {
  userId: string;
  accountId: string;
  accountName: string;
  email: string;
  fullName: string;
  /** Null: the user has not chosen one. */
  language: Language | null;
  kind: "member" | "publisher";
  /** Null: the user has no usable password. */
  passwordHash: string | null;
  confirmedAt: Date | null;
}

/** The user with this address (lowercase), if any. */
export async function findPersonByEmail(db: Connection, email: string): Promise<Person | null> {
  const found = await db
    .select(personColumns)
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(eq(users.email, email))
    .limit(1);
  return found[0] ?? null;
}

/** The user with this id; `lock` makes others who change them wait. */
export async function findPerson(db: Connection, userId: string, { lock = false } = {}): Promise<Person | null> {
  const query = db
    .select(personColumns)
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(eq(users.id, userId))
    .limit(1);
  const found = await (lock ? query.for("update", { of: users }) : query);
  return found[0] ?? null;
}

export interface Owner extends Person {
  /** The timezone chosen for the panel, otherwise the workspace's; null: the account has had no workspace. */
  timezone: string | null;
}

/** The owner of an account: its first user. */
export async function findOwner(db: Connection, accountId: string): Promise<Owner | null> {
  const found = await db
    .select({ ...personColumns, timezone: sql<string | null>`coalesce(${users.displayTimezone}, ${workspaces.timezone})` })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .leftJoin(workspaces, eq(workspaces.accountId, accounts.id))
    .where(eq(users.accountId, accountId))
    .orderBy(users.createdAt, users.id)
    .limit(1);
  return found[0] ?? null;
}

/** Replaces the password; null: no password works any more. */
export async function setPassword(db: Connection, userId: string, passwordHash: string | null): Promise<void> {
  await db.update(users).set({ passwordHash }).where(eq(users.id, userId));
}

/** A user's choices, locked against concurrent changes. */
export async function lockProfile(db: Connection, userId: string) {
  const found = await db
    .select({ fullName: users.fullName, language: users.language, timezone: users.displayTimezone, mutedMails: users.mutedMails })
    .from(users)
    .where(eq(users.id, userId))
    .for("no key update");
  return found[0] ?? null;
}

/** Replaces the choices that are given. */
export async function setProfile(
  db: Connection,
  userId: string,
  { fullName, language, timezone, mutedMails }: ProfileChange,
): Promise<void> {
  await db.update(users).set({ fullName, language, displayTimezone: timezone, mutedMails }).where(eq(users.id, userId));
}

/** Whether the owner of an account has turned this mail off. Read in the transaction that would queue it. */
export async function isMailMuted(tx: Connection, accountId: string, kind: OptionalMail): Promise<boolean> {
  const found = await tx
    .select({ mutedMails: users.mutedMails })
    .from(users)
    .where(eq(users.accountId, accountId))
    .orderBy(users.createdAt, users.id)
    .limit(1);
  return found[0]?.mutedMails.includes(kind) ?? false;
}

/** Makes the user a member or a publisher. */
export async function setKind(db: Connection, userId: string, kind: Person["kind"]): Promise<void> {
  await db.update(users).set({ kind }).where(eq(users.id, userId));
}

/** Replaces the address, with the time at which it was confirmed (null: not yet); false if another user has it. */
export async function setEmail(db: Connection, userId: string, email: string, confirmedAt: Date | null): Promise<boolean> {
  const other = alias(users, "other");
  const changed = await db
    .update(users)
    .set({ email, confirmedAt })
    .where(
      and(
        eq(users.id, userId),
        notExists(
          db
            .select({ one: sql`1` })
            .from(other)
            .where(eq(other.email, email)),
        ),
      ),
    )
    .returning({ id: users.id });
  return changed.length > 0;
}

/** Voids all links of the user. */
export async function deleteAllLinks(db: Connection, userId: string): Promise<void> {
  await db.delete(linkTokens).where(eq(linkTokens.userId, userId));
}

/** Voids the user's links of these purposes. */
export async function deleteLinks(db: Connection, userId: string, purposes: readonly LinkPurpose[]): Promise<void> {
  await db.delete(linkTokens).where(and(eq(linkTokens.userId, userId), inArray(linkTokens.purpose, [...purposes])));
}
