/** How many changes of version may be under way on a host at a time, for every flow that begins them without an owner. */
import { sql } from "drizzle-orm";
import { after, minuteMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { countOpenUpdates } from "./update-store.ts";

/** Each takes a core for half a minute: more at a time would slow down all workspaces of the host. A cluster counts as one host. */
export const updatesAtOnce = 3;
/** By then an update is over, or it hangs and no longer loads the machine, so the next may begin. */
const busyForMs = 4 * minuteMs;

/** An arbitrary number that must never change: workers of different releases share it. */
const lockKey = 7_236_494;

/** Whether fewer than `most` are under way on this host now. */
export const mayHaveRoom = async (db: Connection, host: string | null, now: Date, most = updatesAtOnce): Promise<boolean> =>
  (await countOpenUpdates(db, host, after(now, -busyForMs))) < most;

/** Whether another one may begin on this host in this transaction, which is then the only one that begins one. */
export async function hasRoom(tx: Connection, host: string | null, now: Date, most = updatesAtOnce): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(${lockKey})`);
  return mayHaveRoom(tx, host, now, most);
}
