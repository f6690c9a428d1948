/** When the control plane's own database was last dumped: a dump leaves no other trace in it. */
import { readState, writeState } from "#platform/postgres/service-state.ts";
import type { Connection } from "#platform/database.ts";

const key = "dumped at";

/** Records that a dump was made and checked. */
export const noteDump = (db: Connection, now: Date): Promise<void> => writeState(db, key, now.toISOString());

/** Null: none was recorded. */
export async function readDumpedAt(db: Connection): Promise<Date | null> {
  const value = await readState(db, key);
  return value === undefined ? null : new Date(value as string);
}
