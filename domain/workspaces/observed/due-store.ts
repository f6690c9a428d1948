/** The SQL that makes workspaces due: they are looked at before their minute is over. */
import { and, eq, gt, isNotNull, ne, sql } from "drizzle-orm";
import { workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

/** Makes a workspace due now because its process ended; false for one without an address: we ended it, and it keeps its pause. */
export async function makeDue(db: Connection, id: string, now: Date): Promise<boolean> {
  const changed = await db
    .update(workspaces)
    .set({ reconcileAt: now })
    .where(and(eq(workspaces.id, id), isNotNull(workspaces.address)))
    .returning({ id: workspaces.id });
  return changed.length > 0;
}

/** Makes the account's workspace due, if there is one: what it should know of its account changed. */
export async function makeAccountDue(db: Connection, accountId: string, now: Date): Promise<void> {
  await db
    .update(workspaces)
    .set({ reconcileAt: now, updatedAt: now })
    .where(and(eq(workspaces.accountId, accountId), eq(workspaces.desiredState, "running")));
}

/** A workspace checked less than 5 s ago (its next check is a minute after the last) is skipped. */
const lookSoonWithinSeconds = 55;

/** Makes the account's online workspace due before its minute is over, at most every 5 s, without a change to it. */
export async function lookSoon(db: Connection, accountId: string, now: Date): Promise<void> {
  const at = now.toISOString();
  await db
    .update(workspaces)
    .set({ reconcileAt: now })
    .where(
      and(
        eq(workspaces.accountId, accountId),
        eq(workspaces.desiredState, "running"),
        eq(workspaces.observedState, "online"),
        sql`${workspaces.reconcileAt} between ${at}::timestamptz and ${at}::timestamptz + make_interval(secs => ${lookSoonWithinSeconds})`,
      ),
    );
}

/** Makes failing workspaces that wait for their next try due now. */
export async function retryFailing(db: Connection, now: Date): Promise<void> {
  await db
    .update(workspaces)
    .set({ reconcileAt: now })
    .where(
      and(
        eq(workspaces.desiredState, "running"),
        gt(workspaces.failures, 0),
        gt(workspaces.reconcileAt, now),
        ne(workspaces.observedState, "online"),
      ),
    );
}
