/** How far the service's clock is ahead of the machine's: one value, shared by all processes and kept across restarts. */
import { serviceState } from "#database/tables.ts";
import { readState } from "#platform/postgres/service-state.ts";
import type { Connection } from "#platform/database.ts";
import { sql } from "drizzle-orm";

/** The channel that announces a moved clock. */
export const clockMovedChannel = "service_clock";

const key = "clock ahead ms";

/** In milliseconds; 0 if the clock was never moved. */
export async function readClockAhead(db: Connection): Promise<number> {
  const value = await readState(db, key);
  return typeof value === "number" ? value : 0;
}

/** Moves the clock `ms` further ahead and tells every process once the transaction commits. Resolves with the new total in ms. */
export async function moveClockAhead(tx: Connection, ms: number): Promise<number> {
  const rows = await tx
    .insert(serviceState)
    .values({ key, value: ms })
    .onConflictDoUpdate({
      target: serviceState.key,
      set: { value: sql`to_jsonb((${serviceState.value} #>> '{}')::bigint + ${ms}::bigint)` },
    })
    .returning({ value: serviceState.value });
  await tx.execute(sql`select pg_notify(${clockMovedChannel}, '')`);
  return rows[0]!.value as number;
}
