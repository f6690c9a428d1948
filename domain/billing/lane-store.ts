/** The SQL of lanes: one process at a time handles an account's events. A lane that nobody leaves is free again after a while. */
import { eq, gt, lte, or } from "drizzle-orm";
import { billingLanes } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { after } from "#platform/clock.ts";

/** Takes the account's lane for so long; false while somebody else has it. One taken by a clock that was ahead counts as free. */
export async function takeLane(db: Connection, accountId: string, now: Date, forMs: number): Promise<boolean> {
  const takenUntil = after(now, forMs);
  const taken = await db
    .insert(billingLanes)
    .values({ accountId, takenUntil })
    .onConflictDoUpdate({ target: billingLanes.accountId, set: { takenUntil }, setWhere: or(lte(billingLanes.takenUntil, now), gt(billingLanes.takenUntil, takenUntil)) })
    .returning({ accountId: billingLanes.accountId });
  return taken.length > 0;
}

export async function leaveLane(db: Connection, accountId: string): Promise<void> {
  await db.delete(billingLanes).where(eq(billingLanes.accountId, accountId));
}
