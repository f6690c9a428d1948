/** The SQL of mailed links: created, read, used. */
import { and, desc, eq, gt, inArray, isNull } from "drizzle-orm";
import { linkTokens } from "#database/tables.ts";
import { after, dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { hashToken } from "../token.ts";

export type LinkPurpose = (typeof linkTokens.purpose.enumValues)[number];

/**
 * How long each link works: long enough for a slow mailbox, short enough not to stay in one for long. People who register on a Sunday
 * evening confirm on Monday. A sign-in link is valid for ten minutes (ASVS 6.5.5), or until the mailbox gets another one (mail-link.ts); an
 * operator uses one immediately.
 */
export const linkLifeMs = {
  "confirm-email": dayMs,
  "reset-password": hourMs,
  "change-email": hourMs,
  "magic-link": 10 * minuteMs,
  "operator-code": minuteMs,
} as const satisfies Partial<Record<LinkPurpose, number>>;

/** Keeps the hash of a new link's secret. Older links of the same purpose stay valid until they expire: emails may arrive out of order. */
export async function insertLinkToken(
  db: Connection,
  link: { token: string; userId: string; email: string; purpose: keyof typeof linkLifeMs; worksUntil?: Date | null },
  now: Date,
): Promise<void> {
  const usual = after(now, linkLifeMs[link.purpose]);
  await db.insert(linkTokens).values({
    tokenHash: hashToken(link.token),
    purpose: link.purpose,
    userId: link.userId,
    email: link.email,
    createdAt: now,
    expiresAt: link.worksUntil && link.worksUntil > usual ? link.worksUntil : usual,
  });
}

interface FoundLink {
  userId: string;
  /** Where the link was sent. */
  email: string;
  expiresAt: Date;
}

/**
 * The link with this secret and one of these purposes, expired or not, or null. By the time a transaction relies on it, it may have been
 * used: see lock-person.ts.
 */
export async function findLink(db: Connection, token: string, purposes: readonly LinkPurpose[]): Promise<FoundLink | null> {
  const found = await db
    .select({ userId: linkTokens.userId, email: linkTokens.email, expiresAt: linkTokens.expiresAt })
    .from(linkTokens)
    .where(and(eq(linkTokens.tokenHash, hashToken(token)), inArray(linkTokens.purpose, [...purposes])));
  return found[0] ?? null;
}

/** Like the above for a link that is currently valid, to prepare something before the link is taken. */
export async function peekLink(db: Connection, token: string, purpose: LinkPurpose, now: Date): Promise<FoundLink | null> {
  const found = await findLink(db, token, [purpose]);
  return found && found.expiresAt > now ? found : null;
}

/** The newest link of this purpose that is valid now, or null. Only for display; to rely on it, lock the user first. */
export async function newestLink(
  db: Connection,
  userId: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<{ email: string; createdAt: Date; expiresAt: Date } | null> {
  const found = await db
    .select({ email: linkTokens.email, createdAt: linkTokens.createdAt, expiresAt: linkTokens.expiresAt })
    .from(linkTokens)
    .where(and(eq(linkTokens.userId, userId), eq(linkTokens.purpose, purpose), gt(linkTokens.expiresAt, now)))
    .orderBy(desc(linkTokens.createdAt))
    .limit(1);
  return found[0] ?? null;
}

/** Takes a link out, so that it works once; null if there is none of these purposes, or it has expired. */
export async function takeLink(
  db: Connection,
  token: string,
  purposes: readonly LinkPurpose[],
  now: Date,
): Promise<{ userId: string; email: string; purpose: LinkPurpose } | null> {
  const taken = await db
    .delete(linkTokens)
    .where(and(eq(linkTokens.tokenHash, hashToken(token)), inArray(linkTokens.purpose, [...purposes])))
    .returning({ userId: linkTokens.userId, email: linkTokens.email, purpose: linkTokens.purpose, expiresAt: linkTokens.expiresAt });
  const link = taken[0];
  return link && link.expiresAt > now ? { userId: link.userId, email: link.email, purpose: link.purpose } : null;
}

/** Records a code that was made elsewhere as used, until it would have expired; false if it was already used. */
export async function markCodeUsed(
  db: Connection,
  code: { id: string; userId: string; email: string; expiresAt: Date },
  now: Date,
): Promise<boolean> {
  const { id, ...row } = code;
  const kept = await db
    .insert(linkTokens)
    .values({ ...row, tokenHash: hashToken(id), purpose: "workspace-code", createdAt: now, usedAt: now })
    .onConflictDoNothing({ target: linkTokens.tokenHash })
    .returning({ purpose: linkTokens.purpose });
  return kept.length > 0;
}

/** Records the first use. */
export async function markLinkUsed(db: Connection, token: string, now: Date): Promise<void> {
  await db
    .update(linkTokens)
    .set({ usedAt: now })
    .where(and(eq(linkTokens.tokenHash, hashToken(token)), isNull(linkTokens.usedAt)));
}

/** When the user's newest link of this purpose was made, or null. */
export async function lastLinkAt(db: Connection, userId: string, purpose: LinkPurpose): Promise<Date | null> {
  const newest = await db
    .select({ createdAt: linkTokens.createdAt })
    .from(linkTokens)
    .where(and(eq(linkTokens.userId, userId), eq(linkTokens.purpose, purpose)))
    .orderBy(desc(linkTokens.createdAt))
    .limit(1);
  return newest[0]?.createdAt ?? null;
}
