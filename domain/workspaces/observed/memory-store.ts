/** The SQL of workspaces' memory usage. */
import { and, desc, eq, gte, lt, sql } from "drizzle-orm";
import { workspaceMemory, workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

export interface MemorySample {
  at: Date;
  memoryMb: number;
}

/** Stores one sample for each of these workspaces. Workspaces deleted meanwhile are skipped. */
export async function saveSamples(db: Connection, samples: ReadonlyMap<string, number>, at: Date): Promise<void> {
  if (samples.size === 0) return;
  const rows = JSON.stringify(Array.from(samples, ([id, memory]) => ({ id, memory })));
  await db.execute(sql`
    insert into workspace_memory (workspace_id, at, memory_mb)
    select given.id, ${at.toISOString()}::timestamptz, given.memory
    from jsonb_to_recordset(${rows}::jsonb) as given(id uuid, memory int) join workspaces on workspaces.id = given.id
    on conflict do nothing`);
}

/**
 * The highest sample of every span of `spanMinutes` since a moment, each with its time, and then the newest one, oldest first: peaks matter
 * and are never averaged away. Excludes samples from before the workspace's data was last deleted.
 */
export async function readPeaks(db: Connection, workspaceId: string, since: Date, spanMinutes: number): Promise<MemorySample[]> {
  const span = sql`date_bin(make_interval(mins => ${sql.raw(String(spanMinutes))}), ${workspaceMemory.at}, timestamptz '2000-01-01')`;
  const begun = sql`coalesce((select ${workspaces.renewedAt} from ${workspaces} where ${workspaces.id} = ${workspaceId}), '-infinity')`;
  const own = and(eq(workspaceMemory.workspaceId, workspaceId), gte(workspaceMemory.at, since), gte(workspaceMemory.at, begun));
  const peaks = await db
    .selectDistinctOn([span], { at: workspaceMemory.at, memoryMb: workspaceMemory.memoryMb })
    .from(workspaceMemory)
    .where(own)
    .orderBy(span, desc(workspaceMemory.memoryMb), workspaceMemory.at);
  const [newest] = await db
    .select({ at: workspaceMemory.at, memoryMb: workspaceMemory.memoryMb })
    .from(workspaceMemory)
    .where(own)
    .orderBy(desc(workspaceMemory.at))
    .limit(1);
  return newest && newest.at > peaks.at(-1)!.at ? [...peaks, newest] : peaks;
}

/** Deletes samples older than `before`. */
export async function deleteOldSamples(db: Connection, before: Date): Promise<void> {
  await db.delete(workspaceMemory).where(lt(workspaceMemory.at, before));
}
