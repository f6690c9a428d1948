/** The SQL of lanes: one process at a time handles an account's events. An abandoned lane becomes free after a while. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { billingLanes } from "#database/tables.ts";
import { secondMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { isFreeNow, leaseFor } from "#platform/postgres/claim-rows.ts";

/** A lane that this process has. */
export interface Lane {
  token: string;
  /**
   * What this process wrote last, in full precision. A release that knows no tokens, and may run beside this one, leaves ours when it takes
   * an abandoned lane.
   */
  until: string;
}

const returned = { until: sql<string>`${billingLanes.takenUntil}::text` };

/** Of lanes that are taken for `forMs`. */
export const isFreeLane = (forMs: number): SQL<boolean> => isFreeNow(billingLanes.takenUntil, forMs / secondMs);

/**
 * Takes the account's lane for `forMs`, by the database's clock; null while another process has it. A lane that was taken by a clock that
 * was ahead counts as free.
 */
export async function takeLane(db: Connection, accountId: string, forMs: number): Promise<Lane | null> {
  const token = newId();
  const takenUntil = leaseFor(forMs / secondMs);
  const [taken] = await db
    .insert(billingLanes)
    .values({ accountId, takenUntil, leaseOwner: token })
    .onConflictDoUpdate({
      target: billingLanes.accountId,
      set: { takenUntil, leaseOwner: token },
      setWhere: isFreeLane(forMs),
    })
    .returning(returned);
  return taken ? { token, ...taken } : null;
}

const ours = (accountId: string, { token, until }: Lane) =>
  and(eq(billingLanes.accountId, accountId), eq(billingLanes.leaseOwner, token), sql`${billingLanes.takenUntil} = ${until}::timestamptz`);

/** Extends the lane and returns it; null if another process has taken it since. */
export async function keepLane(db: Connection, accountId: string, lane: Lane, forMs: number): Promise<Lane | null> {
  const [kept] = await db
    .update(billingLanes)
    .set({ takenUntil: leaseFor(forMs / secondMs) })
    .where(ours(accountId, lane))
    .returning(returned);
  return kept ? { ...lane, ...kept } : null;
}

/** Releases the lane unless another process has taken it since. */
export async function leaveLane(db: Connection, accountId: string, lane: Lane): Promise<void> {
  await db.delete(billingLanes).where(ours(accountId, lane));
}
