/** Workspaces that are kept as they are until a person decides about them: found-store.ts. No worker claims one, because of its lease. */
import { sql, type SQL } from "drizzle-orm";
import { workspaces } from "#database/tables.ts";

/** Holds the lease. No worker has this id, and leases of workers are seconds long. */
const keeper = "ffffffff-ffff-4fff-bfff-ffffffffffff";

export const keptLease = { leaseOwner: keeper, leaseUntil: sql`'9999-01-01T00:00:00Z'::timestamptz` } as const;

/** A condition on `workspaces`. */
export const isKept: SQL = sql`(${workspaces.leaseOwner} is not distinct from ${keeper}::uuid)`;
