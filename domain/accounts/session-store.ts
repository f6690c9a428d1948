/** The SQL of sessions. The look-up that every request makes lives with the current-user journey. */
import { eq } from "drizzle-orm";
import { sessions } from "#database/tables.ts";
import { after, dayMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { hashToken, newToken } from "./token.ts";

/** Thirty days from signing in, then the password is asked again. */
export const sessionLifeMs = 30 * dayMs;

/** Opens a session and returns its bearer token, which is stored nowhere. */
export async function openSession(db: Connection, userId: string, now: Date): Promise<string> {
  const token = newToken();
  await db.insert(sessions).values({ tokenHash: hashToken(token), userId, createdAt: now, expiresAt: after(now, sessionLifeMs) });
  return token;
}

/** Ends the session of this token; an unknown token is fine. */
export async function closeSession(db: Connection, token: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.tokenHash, hashToken(token)));
}
