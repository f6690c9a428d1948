/** The SQL of sessions. The look-up that every request makes lives with the current-user journey. */
import { and, count, desc, eq, gt, inArray, lt, lte, ne, or, sql } from "drizzle-orm";
import { sessions } from "#database/tables.ts";
import { after, dayMs, hourMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { hashToken, newToken } from "./token.ts";

export type SessionOpening = (typeof sessions.openedBy.enumValues)[number];

/**
 * Thirty days from signing in, then the password is asked again. What a workspace vouches for lasts an hour: enough
 * to look at a bill, too little to live on. An operator's look lasts as long.
 */
export const sessionLivesMs = {
  password: 30 * dayMs,
  "magic-link": 30 * dayMs,
  workspace: hourMs,
  operator: hourMs,
} as const satisfies Record<SessionOpening, number>;

/** A session unused for this long has ended: longer than a holiday, shorter than a forgotten browser (decision 0006). */
export const silenceMs = 14 * dayMs;

/** So often is written down at most that a session is used: a thousandth of what its end is measured by is near enough. */
export const seenEveryMs = hourMs;

export interface NewSession {
  userId: string;
  openedBy: SessionOpening;
  /** In our own words: describe-device.ts. */
  device: string | null;
}

/** Opens a session and returns its bearer token, which is stored nowhere. */
export async function openSession(db: Connection, { userId, openedBy, device }: NewSession, now: Date): Promise<string> {
  const token = newToken();
  const typedAt = openedBy === "password" ? now : null;
  const expiresAt = after(now, sessionLivesMs[openedBy]);
  await db
    .insert(sessions)
    .values({ tokenHash: hashToken(token), id: newId(), userId, openedBy, device, typedAt, createdAt: now, lastSeenAt: now, expiresAt });
  return token;
}

/** The person has typed their password in this session. */
export async function markPasswordTyped(db: Connection, token: string, now: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ openedBy: "password", typedAt: now })
    .where(eq(sessions.tokenHash, hashToken(token)));
}

/** Gives the session a new token in place of this one, and says until when it is good; null where there is none. */
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
 * Writes down that these sessions are used, where that was last said an hour ago. One that somebody else has locked is left
 * out: whoever ends it must not wait for this, nor this for them.
 */
export async function markSeen(db: Connection, tokenHashes: readonly string[], now: Date): Promise<void> {
  const due = db
    .select({ tokenHash: sessions.tokenHash })
    .from(sessions)
    .where(and(inArray(sessions.tokenHash, [...tokenHashes]), lte(sessions.lastSeenAt, after(now, -seenEveryMs))))
    .for("update", { skipLocked: true });
  await db.update(sessions).set({ lastSeenAt: now }).where(inArray(sessions.tokenHash, due));
}

/** What is still good: its time has not run out, and it was used. */
const isLive = (now: Date) => and(gt(sessions.expiresAt, now), gt(sessions.lastSeenAt, after(now, -silenceMs)));

export type ListedSession = Pick<typeof sessions.$inferSelect, "id" | "openedBy" | "device" | "createdAt" | "lastSeenAt">;

/** The person's live sessions, that of `currentId` first, then the one last used; `most` of them, and how many there are. */
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

/** Ends the session of this token and tells whose it was; an unknown token is fine and ends nothing. */
export async function closeSession(db: Connection, token: string): Promise<{ userId: string; openedBy: SessionOpening } | null> {
  const closed = await db
    .delete(sessions)
    .where(eq(sessions.tokenHash, hashToken(token)))
    .returning({ userId: sessions.userId, openedBy: sessions.openedBy });
  return closed[0] ?? null;
}

/** Ends this session of the person and tells what it was; null where they have no such. */
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

/** Ends the person's sessions, all or all but the one of `keptId`; tells how many. */
export async function closeSessions(db: Connection, userId: string, keptId?: string): Promise<number> {
  const others = keptId === undefined ? undefined : ne(sessions.id, keptId);
  const closed = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), others))
    .returning({ id: sessions.id });
  return closed.length;
}

/** Takes away the rows of sessions that have ended by themselves. */
export async function deleteEndedSessions(db: Connection, now: Date): Promise<void> {
  await db.delete(sessions).where(or(lt(sessions.expiresAt, now), lt(sessions.lastSeenAt, after(now, -silenceMs))));
}

/** Lets every session live `ms` longer: a tester who moves the clock stays signed in. */
export async function prolongSessions(db: Connection, ms: number): Promise<void> {
  const later = sql`${ms} * interval '1 millisecond'`;
  await db.update(sessions).set({ expiresAt: sql`${sessions.expiresAt} + ${later}`, lastSeenAt: sql`${sessions.lastSeenAt} + ${later}` });
}
