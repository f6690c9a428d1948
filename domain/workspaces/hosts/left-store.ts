/** The SQL for what a host still has of workspaces that were deleted elsewhere. */
import { and, eq, inArray, type SQL } from "drizzle-orm";
import { workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { isFree, leaseFor } from "#platform/postgres/claim-rows.ts";
import { leaseSeconds } from "../observed/claim-workspaces.ts";

/** Deleted completely, and not requested again. */
const isGone = (): SQL | undefined => and(eq(workspaces.desiredState, "deleted"), eq(workspaces.observedState, "deleted"));

/** Those of these ids whose workspaces were deleted completely. An id that this database does not know is not among them. */
export async function listGone(db: Connection, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const found = await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(inArray(workspaces.id, [...ids]), isGone()));
  return found.map(({ id }) => id);
}

/**
 * Claims a workspace that was deleted completely, so that it starts nowhere while its remains are removed. False if it was requested again,
 * or another worker holds it.
 */
export async function claimGone(db: Connection, id: string, worker: string): Promise<boolean> {
  const claimed = await db
    .update(workspaces)
    .set({ leaseOwner: worker, leaseUntil: leaseFor(leaseSeconds) })
    .where(and(eq(workspaces.id, id), isGone(), isFree(workspaces.leaseUntil)))
    .returning({ id: workspaces.id });
  return claimed.length > 0;
}
