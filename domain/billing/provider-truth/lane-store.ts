/** The SQL of lanes: one process at a time handles an account's events. An abandoned lane becomes free after a while. */
import { and, eq, gt, lte, or } from "drizzle-orm";
import { billingLanes } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { after } from "#platform/clock.ts";

/**
 * Takes the account's lane and returns until when; null while another process has it. A lane taken by a clock
 * that was ahead counts as free.
 */
export async function takeLane(db: Connection, accountId: string, now: Date, forMs: number): Promise<Date | null> {
  const takenUntil = after(now, forMs);
  const taken = await db
    .insert(billingLanes)
    .values({ accountId, takenUntil })
    .onConflictDoUpdate({
      target: billingLanes.accountId,
      set: { takenUntil },
      setWhere: or(lte(billingLanes.takenUntil, now), gt(billingLanes.takenUntil, takenUntil)),
    })
    .returning({ accountId: billingLanes.accountId });
  return taken.length > 0 ? takenUntil : null;
}

const ours = (accountId: string, takenUntil: Date) => and(eq(billingLanes.accountId, accountId), eq(billingLanes.takenUntil, takenUntil));

/** Extends a lane taken until `takenUntil`; null if another process has taken it since. */
export async function keepLane(db: Connection, accountId: string, takenUntil: Date, now: Date, forMs: number): Promise<Date | null> {
  const next = after(now, forMs);
  const kept = await db
    .update(billingLanes)
    .set({ takenUntil: next })
    .where(ours(accountId, takenUntil))
    .returning({ accountId: billingLanes.accountId });
  return kept.length > 0 ? next : null;
}

/** Releases the lane unless another process has taken it since. */
export async function leaveLane(db: Connection, accountId: string, takenUntil: Date): Promise<void> {
  await db.delete(billingLanes).where(ours(accountId, takenUntil));
}
