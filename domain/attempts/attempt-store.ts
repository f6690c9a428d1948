/** The SQL of attempts. One statement decides and counts, so that a hundred simultaneous guesses count as a hundred. */
import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { eq, inArray, sql } from "drizzle-orm";
import { attempts } from "#database/tables.ts";
import { after, secondMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { attemptPolicies, type AttemptKind } from "./attempt-policy.ts";

/** A counted attempt, for `takeBackAttempt`. */
export interface Attempt {
  key: string;
  blockedUntil: Date | null;
}

/** Counts an attempt before it is made. Returns it, or the seconds to wait during a pause; a refused attempt is not counted. */
export async function countAttempt(
  db: Connection,
  kind: AttemptKind,
  subject: string,
  now: Date,
): Promise<Attempt | { waitSeconds: number }> {
  const { free, firstPauseMs, longestPauseMs, forgetMs } = attemptPolicies[kind];
  const key = keyOf(kind, subject);
  const count = sql`(case when ${attempts.lastAt} < ${after(now, -forgetMs)} then 1 else ${attempts.count} + 1 end)`;
  const pauseSeconds = (made: ReturnType<typeof sql>) =>
    sql`least(${firstPauseMs / secondMs}::float8 * power(2, least(${made} - ${free}, 20)), ${longestPauseMs / secondMs}::float8)`;
  const counted = await db
    .insert(attempts)
    .values({ key, count: 1, lastAt: now, blockedUntil: free <= 1 ? after(now, firstPauseMs) : null })
    .onConflictDoUpdate({
      target: attempts.key,
      set: {
        count,
        lastAt: now,
        blockedUntil: sql`case when ${count} >= ${free} then ${now}::timestamptz + make_interval(secs => ${pauseSeconds(count)}) end`,
      },
      setWhere: sql`${attempts.blockedUntil} is null or ${attempts.blockedUntil} <= ${now}`,
    })
    .returning({ blockedUntil: attempts.blockedUntil });
  if (counted[0]) return { key, blockedUntil: counted[0].blockedUntil };
  const [resting] = await db.select({ until: attempts.blockedUntil }).from(attempts).where(eq(attempts.key, key)).limit(1);
  return { waitSeconds: Math.max(1, Math.ceil(((resting?.until?.getTime() ?? 0) - now.getTime()) / secondMs)) };
}

/** Uncounts a successful attempt. A pause started by another attempt stays. */
export async function takeBackAttempt(db: Connection, attempt: Attempt): Promise<void> {
  const { blockedUntil } = attempt;
  const isOurs = blockedUntil ? sql`${attempts.blockedUntil} = ${blockedUntil}` : sql`false`;
  await db
    .update(attempts)
    .set({
      count: sql`greatest(${attempts.count} - 1, 0)`,
      blockedUntil: sql`case when ${isOurs} then null else ${attempts.blockedUntil} end`,
    })
    .where(eq(attempts.key, attempt.key));
}

/** Resets the counts of these subjects. */
export async function forgetAttempts(db: Connection, kind: AttemptKind, subjects: readonly string[]): Promise<void> {
  await db.delete(attempts).where(
    inArray(
      attempts.key,
      subjects.map((subject) => keyOf(kind, subject)),
    ),
  );
}

/** The subject for one household or office: an IPv4 address, or the first 64 bits of an IPv6 address, since its user can vary the rest. */
export function addressSubject(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const bare = address.split("%")[0]!;
  if (!isIPv6(bare)) return bare;
  const [head = "", tail] = bare.toLowerCase().split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail ? tail.split(":") : [];
  const middle = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => "0");
  return [...front, ...middle, ...back]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}

/** Hashed, because people type passwords into the account name field, and the table must not reveal them. */
const keyOf = (kind: AttemptKind, subject: string): string => createHash("sha256").update(`${kind}\0${subject}`).digest("hex");
