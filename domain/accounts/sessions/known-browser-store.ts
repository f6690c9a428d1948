/**
 * The SQL of known browsers: those in which a user has signed in. A request from one is counted apart from strangers', who can then neither
 * lock its user out nor use up their mails (decision 0175). It opens nothing by itself.
 */
import { and, asc, desc, eq, gt, inArray, lte, notInArray } from "drizzle-orm";
import { knownBrowsers } from "#database/tables.ts";
import { after, dayMs, minuteMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { knownBrowserDays } from "#platform/http/browser-cookie.ts";
import { newId } from "#platform/ids.ts";
import { hashToken, newToken } from "../token.ts";

export const knownBrowserMs = knownBrowserDays * dayMs;

/** More browsers than a person has; each is another five guesses for whoever holds all of them. */
const mostBrowsers = 20;

/** Signed in there within half a year. A time ahead comes from a clock that was set back since, and proves nothing. */
const isRemembered = (now: Date) =>
  and(gt(knownBrowsers.signedInAt, after(now, -knownBrowserMs)), lte(knownBrowsers.signedInAt, after(now, minuteMs)));

/** Those who have signed in with this token's browser. Until the transaction ends, nothing ends or replaces what was found. */
export function lockKnownBrowser(tx: Connection, token: string, now: Date): Promise<{ id: string; userId: string }[]> {
  return tx
    .select({ id: knownBrowsers.id, userId: knownBrowsers.userId })
    .from(knownBrowsers)
    .where(and(eq(knownBrowsers.tokenHash, hashToken(token)), isRemembered(now)))
    .orderBy(asc(knownBrowsers.id))
    .for("key share");
}

/** The same, as of now: only for counting calls and for their order, since it may be forgotten meanwhile. */
export function findKnownUsers(db: Connection, token: string, now: Date): Promise<{ id: string; userId: string }[]> {
  return db
    .select({ id: knownBrowsers.id, userId: knownBrowsers.userId })
    .from(knownBrowsers)
    .where(and(eq(knownBrowsers.tokenHash, hashToken(token)), isRemembered(now)))
    .orderBy(asc(knownBrowsers.id));
}

/**
 * The locked user has signed in with the browser that showed `shown`: returns its new token. The old one no longer works, also for others
 * who use the browser.
 */
export async function rememberBrowser(tx: Connection, userId: string, shown: string | null, now: Date): Promise<string> {
  const token = newToken();
  const tokenHash = hashToken(token);
  if (shown !== null) {
    const rows = await tx
      .select({ id: knownBrowsers.id })
      .from(knownBrowsers)
      .where(eq(knownBrowsers.tokenHash, hashToken(shown)))
      .orderBy(asc(knownBrowsers.id))
      .for("update");
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await tx.update(knownBrowsers).set({ tokenHash }).where(inArray(knownBrowsers.id, ids));
  }
  await tx
    .insert(knownBrowsers)
    .values({ id: newId(now.getTime()), tokenHash, userId, signedInAt: now })
    .onConflictDoUpdate({ target: [knownBrowsers.tokenHash, knownBrowsers.userId], set: { signedInAt: now } });
  const newest = tx
    .select({ id: knownBrowsers.id })
    .from(knownBrowsers)
    .where(eq(knownBrowsers.userId, userId))
    .orderBy(desc(knownBrowsers.signedInAt), desc(knownBrowsers.id))
    .limit(mostBrowsers);
  await tx.delete(knownBrowsers).where(and(eq(knownBrowsers.userId, userId), notInArray(knownBrowsers.id, newest)));
  return token;
}

/** Makes every browser of the locked user a stranger's. */
export async function forgetBrowsers(tx: Connection, userId: string): Promise<void> {
  await tx.delete(knownBrowsers).where(eq(knownBrowsers.userId, userId));
}
