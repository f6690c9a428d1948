/** The order in which statements lock several workspaces. */
import type { SQL } from "drizzle-orm";
import { workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

/**
 * Locks these workspaces by id and selects their ids, for `inArray` in an update of many: two such statements can never deadlock. It does
 * not wait for rows that only refer to workspaces, such as samples of memory.
 */
export function lockedInOrder(db: Connection, which: SQL | undefined) {
  return db.select({ id: workspaces.id }).from(workspaces).where(which).orderBy(workspaces.id).for("no key update");
}
