/** The SQL of the memory that workspaces used. */
import { and, eq, gte, lt, sql } from "drizzle-orm";
import { workspaceMemory } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

export interface MemorySample {
  at: Date;
  memoryMb: number;
}

/** Keeps one sample of each of these workspaces. Those that were deleted meanwhile are left out. */
export async function saveSamples(db: Connection, samples: ReadonlyMap<string, number>, at: Date): Promise<void> {
  if (samples.size === 0) return;
  const rows = JSON.stringify(Array.from(samples, ([id, memory]) => ({ id, memory })));
  await db.execute(sql`
    insert into workspace_memory (workspace_id, at, memory_mb)
    select given.id, ${at.toISOString()}::timestamptz, given.memory
    from jsonb_to_recordset(${rows}::jsonb) as given(id uuid, memory int) join workspaces on workspaces.id = given.id
    on conflict do nothing`);
}

/** The highest sample of every span of `spanMinutes` since a moment, oldest first: a peak is what matters, and is never averaged away. */
export async function readPeaks(db: Connection, workspaceId: string, since: Date, spanMinutes: number): Promise<MemorySample[]> {
  const span = sql<string>`date_bin(make_interval(mins => ${sql.raw(String(spanMinutes))}), ${workspaceMemory.at}, timestamptz '2000-01-01')`;
  const rows = await db
    .select({ at: span.mapWith(workspaceMemory.at).as("span"), memoryMb: sql<number>`max(${workspaceMemory.memoryMb})`.as("peak") })
    .from(workspaceMemory)
    .where(and(eq(workspaceMemory.workspaceId, workspaceId), gte(workspaceMemory.at, since)))
    .groupBy(sql`span`)
    .orderBy(sql`span`);
  return rows.map(({ at, memoryMb }) => ({ at: new Date(at), memoryMb }));
}

/** Takes away what is older than `before`. */
export async function deleteOldSamples(db: Connection, before: Date): Promise<void> {
  await db.delete(workspaceMemory).where(lt(workspaceMemory.at, before));
}
