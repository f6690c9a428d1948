/** The SQL of lanes: one process at a time handles an account's events. An abandoned lane becomes free after a while. */
import { and, eq, or, sql } from "drizzle-orm";
import { billingLanes } from "#database/tables.ts";
import { secondMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { isFree, leaseFor } from "#platform/postgres/claim-rows.ts";

/**
 * Takes the account's lane for `forMs`, by the database's clock, and returns its token; null while another process has it. A lane that was
 * taken by a clock that was ahead counts as free.
 */
export async function takeLane(db: Connection, accountId: string, forMs: number): Promise<string | null> {
  const leaseOwner = newId();
  const takenUntil = leaseFor(forMs / secondMs);
  const taken = await db
    .insert(billingLanes)
    .values({ accountId, takenUntil, leaseOwner })
    .onConflictDoUpdate({
      target: billingLanes.accountId,
      set: { takenUntil, leaseOwner },
      setWhere: or(isFree(billingLanes.takenUntil), sql`${billingLanes.takenUntil} > ${takenUntil} + interval '1 second'`),
    })
    .returning({ accountId: billingLanes.accountId });
  return taken.length > 0 ? leaseOwner : null;
}

const ours = (accountId: string, lane: string) => and(eq(billingLanes.accountId, accountId), eq(billingLanes.leaseOwner, lane));

/** Extends the lane with this token and returns it; null if another process has taken it since. */
export async function keepLane(db: Connection, accountId: string, lane: string, forMs: number): Promise<string | null> {
  const kept = await db
    .update(billingLanes)
    .set({ takenUntil: leaseFor(forMs / secondMs) })
    .where(ours(accountId, lane))
    .returning({ accountId: billingLanes.accountId });
  return kept.length > 0 ? lane : null;
}

/** Releases the lane unless another process has taken it since. */
export async function leaveLane(db: Connection, accountId: string, lane: string): Promise<void> {
  await db.delete(billingLanes).where(ours(accountId, lane));
}
