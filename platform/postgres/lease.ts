/** Leases for work that only one process may do at a time, where there is no row to claim. */
import { sql } from "drizzle-orm";
import { leases } from "#database/tables.ts";
import type { Connection } from "../database.ts";
import { leaseFor } from "./claim-rows.ts";

/**
 * Takes the lease, or renews it, for so many seconds; false while another process holds it. It uses the database's clock. A lease that
 * would end later than one taken now was written before that clock was set back, and counts as expired.
 */
export async function takeLease(db: Connection, name: string, holder: string, seconds: number): Promise<boolean> {
  const taken = await db
    .insert(leases)
    .values({ name, holder, until: leaseFor(seconds) })
    .onConflictDoUpdate({
      target: leases.name,
      set: { holder, until: leaseFor(seconds) },
      setWhere: sql`${leases.holder} = ${holder} or ${leases.until} not between clock_timestamp() and ${leaseFor(seconds)}`,
    })
    .returning({ name: leases.name });
  return taken.length > 0;
}

/** Frees the lease for the next process, if this one holds it. */
export async function leaveLease(db: Connection, name: string, holder: string): Promise<void> {
  await db.delete(leases).where(sql`${leases.name} = ${name} and ${leases.holder} = ${holder}`);
}
