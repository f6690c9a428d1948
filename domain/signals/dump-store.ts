/** When the control plane's own database was last dumped: a dump leaves no other trace in it. */
import { eq, sql } from "drizzle-orm";
import { serviceState } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

const key = "dumped at";

/** Records that a dump was made and checked. */
export async function noteDump(db: Connection, now: Date): Promise<void> {
  const value = sql`to_jsonb(${now.toISOString()}::text)`;
  await db.insert(serviceState).values({ key, value }).onConflictDoUpdate({ target: serviceState.key, set: { value } });
}

/** Null: none was recorded. */
export async function readDumpedAt(db: Connection): Promise<Date | null> {
  const [row] = await db.select({ value: serviceState.value }).from(serviceState).where(eq(serviceState.key, key)).limit(1);
  return row ? new Date(row.value as string) : null;
}
