/** The SQL of what running workspaces use of their host: memory, processor time and disk. */
import { and, asc, desc, eq, gte, lt, lte, sql, type SQL } from "drizzle-orm";
import { workspaceHours, workspaceMemory, workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

/** What one workspace uses; null: the host cannot tell. */
export interface LoadSample {
  memoryMb: number;
  /** In percent of one processor: two busy ones are 200. */
  cpuPercent: number | null;
  diskMb: number | null;
}

interface TimedLoad extends LoadSample {
  at: Date;
}

/** Stores one sample for each of these workspaces, and raises the maximum of its hour. Deleted workspaces are skipped. */
export async function saveSamples(db: Connection, samples: ReadonlyMap<string, LoadSample>, at: Date): Promise<void> {
  if (samples.size === 0) return;
  const rows = JSON.stringify(
    Array.from(samples, ([id, { memoryMb, cpuPercent, diskMb }]) => ({ id, memory: memoryMb, cpu: cpuPercent, disk: diskMb })),
  );
  await db.execute(sql`
    with known as (
      select given.id, ${at.toISOString()}::timestamptz as at, given.memory, given.cpu, given.disk
      from jsonb_to_recordset(${rows}::jsonb) as given(id uuid, memory int, cpu int, disk int)
      join workspaces on workspaces.id = given.id order by given.id),
    raised as (
      insert into workspace_hours as kept (workspace_id, hour, memory_mb, cpu_percent, disk_mb)
      select id, date_bin('1 hour', at, timestamptz '2000-01-01 00:00:00Z'), memory, cpu, disk from known
      on conflict (workspace_id, hour) do update set
        memory_mb = greatest(kept.memory_mb, excluded.memory_mb),
        cpu_percent = greatest(kept.cpu_percent, excluded.cpu_percent),
        disk_mb = greatest(kept.disk_mb, excluded.disk_mb)
      where kept.memory_mb < excluded.memory_mb
        or coalesce(kept.cpu_percent, -1) < excluded.cpu_percent
        or coalesce(kept.disk_mb, -1) < excluded.disk_mb)
    insert into workspace_memory (workspace_id, at, memory_mb, cpu_percent, disk_mb) select id, at, memory, cpu, disk from known
    on conflict do nothing`);
}

/**
 * An upper limit for what is read: after a clock was set back, there are samples from after `to`, which say nothing about the time shown.
 */
interface LoadTimes {
  from: Date;
  to: Date;
}

/**
 * The highest values of every span of `spanMinutes` between two moments, at the time of its most memory, and then the newest sample as it
 * is, oldest first: peaks matter and are never averaged away. Excludes samples from before the workspace's data was last deleted.
 */
export async function readPeaks(db: Connection, workspaceId: string, { from, to }: LoadTimes, spanMinutes: number): Promise<TimedLoad[]> {
  const { at, memoryMb, cpuPercent, diskMb } = workspaceMemory;
  const span = sql`date_bin(make_interval(mins => ${sql.raw(String(spanMinutes))}), ${at}, timestamptz '2000-01-01')`;
  const newest = await readNewest(db, workspaceId, { from, to });
  if (!newest) return [];
  const peaks = await db
    .select({
      at: sql`(array_agg(${at} order by ${memoryMb} desc, ${at}))[1]`.mapWith(at),
      memoryMb: sql`max(${memoryMb})`.mapWith(memoryMb),
      cpuPercent: sql<number | null>`max(${cpuPercent})`,
      diskMb: sql<number | null>`max(${diskMb})`,
    })
    .from(workspaceMemory)
    // The newest sample shows the current load, which the peak of its minutes would hide.
    .where(and(ownBetween(workspaceId, { from, to }), lt(at, newest.at)))
    .groupBy(span)
    .orderBy(span);
  return [...peaks, newest];
}

/** The newest sample between two moments; reads one row. Excludes samples from before the workspace's data was last deleted. */
async function readNewest(db: Connection, workspaceId: string, times: LoadTimes): Promise<TimedLoad | undefined> {
  const { at, memoryMb, cpuPercent, diskMb } = workspaceMemory;
  const own = ownBetween(workspaceId, times);
  const [newest] = await db.select({ at, memoryMb, cpuPercent, diskMb }).from(workspaceMemory).where(own).orderBy(desc(at)).limit(1);
  return newest;
}

function ownBetween(workspaceId: string, { from, to }: LoadTimes): SQL | undefined {
  const { at } = workspaceMemory;
  const begun = sql`coalesce((select ${workspaces.renewedAt} from ${workspaces} where ${workspaces.id} = ${workspaceId}), '-infinity')`;
  return and(eq(workspaceMemory.workspaceId, workspaceId), gte(at, from), lte(at, to), gte(at, begun));
}

/**
 * The maximum of each hour that began between two moments, oldest first, at the hour's beginning. Excludes what was before the data was
 * last deleted.
 */
export async function readHours(db: Connection, workspaceId: string, { from, to }: LoadTimes): Promise<TimedLoad[]> {
  const { hour, memoryMb, cpuPercent, diskMb } = workspaceHours;
  const begun = sql`coalesce((select ${workspaces.renewedAt} from ${workspaces} where ${workspaces.id} = ${workspaceId}), '-infinity')`;
  return db
    .select({ at: hour, memoryMb, cpuPercent, diskMb })
    .from(workspaceHours)
    .where(and(eq(workspaceHours.workspaceId, workspaceId), gte(hour, from), lte(hour, to), gte(hour, begun)))
    .orderBy(asc(hour));
}
