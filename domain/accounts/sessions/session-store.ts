/** The SQL of sessions. The look-up that every request makes is in domain/journeys/signed-in/current-user-query.ts. */
import { sessionDays } from "#contract/accounts/session.ts";
import { and, count, desc, eq, gt, inArray, lte, ne, sql } from "drizzle-orm";
import { sessions } from "#database/tables.ts";
import { after, dayMs, hourMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { claimRows } from "#platform/postgres/claim-rows.ts";
import { newId } from "#platform/ids.ts";
import { hashToken, newToken } from "../token.ts";

export type SessionOpening = (typeof sessions.openedBy.enumValues)[number];

/**
 * Thirty days after signing in, the password is needed again. A session opened by a workspace lasts an hour: enough
 * to look at a bill, too short for lasting access. An operator's session lasts as long.
 */
export const sessionLivesMs = {
  password: sessionDays.longest * dayMs,
  "magic-link": sessionDays.longest * dayMs,
  workspace: hourMs,
  operator: hourMs,
} as const satisfies Record<SessionOpening, number>;

/** A session unused for this long has ended: longer than a holiday, shorter than a forgotten browser is kept (decision 0006). */
export const silenceMs = sessionDays.unused * dayMs;

/** Use of a session is recorded at most this often: precise enough for an idle limit of 14 days. */
export const seenEveryMs = hourMs;

interface NewSession {
  userId: string;
  openedBy: SessionOpening;
  /** In the product's words: describe-device.ts. */
  device: string | null;
  /** The IP address that signed in. */
  address: string;
}

/** Opens a session and returns its bearer token, which is never stored. */
export async function openSession(db: Connection, { userId, openedBy, device, address }: NewSession, now: Date): Promise<string> {
  const token = newToken();
  const typedAt = openedBy === "password" ? now : null;
  const expiresAt = after(now, sessionLivesMs[openedBy]);
  await db.insert(sessions).values({
    tokenHash: hashToken(token),
    id: newId(),
    userId,
    openedBy,
    device,
    address,
    typedAt,
    createdAt: now,
    lastSeenAt: now,
    expiresAt,
  });
  return token;
}

/** The user has typed their password in this session. */
export async function markPasswordTyped(db: Connection, token: string, now: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ openedBy: "password", typedAt: now })
    .where(eq(sessions.tokenHash, hashToken(token)));
}

/** Replaces the session's token and returns the new one with its end; null if there is no such session. */
export async function renewToken(db: Connection, token: string): Promise<{ token: string; expiresAt: Date } | null> {
  const renewed = newToken();
  const [row] = await db
    .update(sessions)
    .set({ tokenHash: hashToken(renewed) })
    .where(eq(sessions.tokenHash, hashToken(token)))
    .returning({ expiresAt: sessions.expiresAt });
  return row ? { token: renewed, expiresAt: row.expiresAt } : null;
}

/**
 * Records use of these sessions where the last record is an hour old. A session that is locked is skipped:
 * the transaction that ends it must not wait for this, nor this for it.
 */
export async function markSeen(db: Connection, tokenHashes: readonly string[], now: Date): Promise<void> {
  const isOld = lte(sessions.lastSeenAt, after(now, -seenEveryMs));
  await claimRows(db, sessions, {
    key: sessions.tokenHash,
    due: and(inArray(sessions.tokenHash, [...tokenHashes]), isOld),
    set: { lastSeenAt: now },
  });
}

/** Neither expired nor idle for too long. */
const isLive = (now: Date) => and(gt(sessions.expiresAt, now), gt(sessions.lastSeenAt, after(now, -silenceMs)));

export type ListedSession = Pick<typeof sessions.$inferSelect, "id" | "openedBy" | "device" | "address" | "createdAt" | "lastSeenAt">;

/** The user's live sessions, `currentId` first, then the most recently used; at most `most` of them, with the total. */
export async function listSessions(
  db: Connection,
  userId: string,
  { currentId, most }: { currentId: string; most: number },
  now: Date,
): Promise<{ sessions: ListedSession[]; total: number }> {
  const live = and(eq(sessions.userId, userId), isLive(now));
  const rows = await db
    .select({
      id: sessions.id,
      openedBy: sessions.openedBy,
      device: sessions.device,
      address: sessions.address,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .where(live)
    .orderBy(desc(eq(sessions.id, currentId)), desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(most);
  const total = rows.length < most ? rows.length : (await db.select({ total: count() }).from(sessions).where(live))[0]!.total;
  return { sessions: rows, total };
}

/** Whether this session has not been ended. */
export async function isSessionOpen(db: Connection, id: string): Promise<boolean> {
  const found = await db.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, id)).limit(1);
  return found.length > 0;
}

/** Ends the session of this token and returns whose it was; an unknown token ends nothing. */
export async function closeSession(db: Connection, token: string): Promise<{ userId: string; openedBy: SessionOpening } | null> {
  const closed = await db
    .delete(sessions)
    .where(eq(sessions.tokenHash, hashToken(token)))
    .returning({ userId: sessions.userId, openedBy: sessions.openedBy });
  return closed[0] ?? null;
}

/** Ends this session of the user and returns it; null if they have no such session. */
export async function closeSessionOf(
  db: Connection,
  userId: string,
  id: string,
): Promise<Pick<ListedSession, "openedBy" | "device" | "createdAt"> | null> {
  const what = { openedBy: sessions.openedBy, device: sessions.device, createdAt: sessions.createdAt };
  const closed = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.id, id)))
    .returning(what);
  return closed[0] ?? null;
}

/** Ends the user's sessions, except `keptId` if given; returns how many. */
export async function closeSessions(db: Connection, userId: string, keptId?: string): Promise<number> {
  const others = keptId === undefined ? undefined : ne(sessions.id, keptId);
  const closed = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), others))
    .returning({ id: sessions.id });
  return closed.length;
}

/** Extends every session by `ms`: a tester who moves the clock stays signed in. */
export async function prolongSessions(db: Connection, ms: number): Promise<void> {
  const later = sql`${ms} * interval '1 millisecond'`;
  await db.update(sessions).set({ expiresAt: sql`${sessions.expiresAt} + ${later}`, lastSeenAt: sql`${sessions.lastSeenAt} + ${later}` });
}
