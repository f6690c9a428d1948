/** The SQL of sessions. The look-up that every request makes lives with the current-user journey. */
import { eq, sql } from "drizzle-orm";
import { sessions } from "#database/tables.ts";
import { after, dayMs, hourMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { hashToken, newToken } from "./token.ts";

export type SessionOpening = (typeof sessions.openedBy.enumValues)[number];

/**
 * Thirty days from signing in, then the password is asked again. What a workspace vouches for lasts an hour: enough
 * to look at a bill, too little to live on. An operator's look lasts as long.
 */
export const sessionLivesMs = { password: 30 * dayMs, "magic-link": 30 * dayMs, workspace: hourMs, operator: hourMs } as const satisfies Record<SessionOpening, number>;

/** Opens a session and returns its bearer token, which is stored nowhere. */
export async function openSession(db: Connection, userId: string, now: Date, openedBy: SessionOpening = "password"): Promise<string> {
  const token = newToken();
  await db.insert(sessions).values({ tokenHash: hashToken(token), userId, openedBy, createdAt: now, expiresAt: after(now, sessionLivesMs[openedBy]) });
  return token;
}

/** The person has typed their password in this session. */
export async function markPasswordTyped(db: Connection, token: string): Promise<void> {
  await db.update(sessions).set({ openedBy: "password" }).where(eq(sessions.tokenHash, hashToken(token)));
}

/** Gives the session a new token in place of this one, and says until when it is good; null where there is none. */
export async function renewToken(db: Connection, token: string): Promise<{ token: string; expiresAt: Date } | null> {
  const renewed = newToken();
  const [row] = await db.update(sessions).set({ tokenHash: hashToken(renewed) }).where(eq(sessions.tokenHash, hashToken(token))).returning({ expiresAt: sessions.expiresAt });
  return row ? { token: renewed, expiresAt: row.expiresAt } : null;
}

/** Ends the session of this token and tells whose it was; an unknown token is fine, and nobody's. */
export async function closeSession(db: Connection, token: string): Promise<{ userId: string; openedBy: SessionOpening } | null> {
  const closed = await db.delete(sessions).where(eq(sessions.tokenHash, hashToken(token))).returning({ userId: sessions.userId, openedBy: sessions.openedBy });
  return closed[0] ?? null;
}

/** Lets every session live `ms` longer: a tester who moves the clock stays signed in. */
export async function prolongSessions(db: Connection, ms: number): Promise<void> {
  await db.update(sessions).set({ expiresAt: sql`${sessions.expiresAt} + ${ms} * interval '1 millisecond'` });
}
