/** How far this machine's clock and the database's are apart: what a wrong clock would delete is not deleted. */
import { sql } from "drizzle-orm";
import type { Clock } from "../clock.ts";
import type { Connection } from "../database.ts";

/** In milliseconds; positive if this machine's clock is ahead. As exact as the query is fast. */
export async function readClockApart(db: Connection, machineClock: Clock): Promise<number> {
  const { rows } = await db.execute<{ ms: number }>(sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`);
  return machineClock.now().getTime() - rows[0]!.ms;
}
