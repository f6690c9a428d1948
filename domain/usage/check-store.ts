/** The SQL of what gateways counted, and how it compares with what workspaces report. */
import { and, desc, eq, gte, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { accounts, gatewayCounts, usageChecks, workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { untouched, type DayCheck } from "./settle-day.ts";

/** The count of one gateway process for a workspace on a day. */
interface SeenCount {
  workspaceId: string;
  /** YYYY-MM-DD. */
  date: string;
  executions: number;
}

/** Writes the totals of one gateway process; repeating it changes nothing. Removed workspaces are skipped. */
export async function saveGatewayCounts(db: Connection, run: string, counts: readonly SeenCount[]): Promise<void> {
  const column = <Value>(value: (count: SeenCount) => Value) => sql.param(counts.map(value));
  // In a fixed order, so that two gateways never deadlock.
  await db.execute(sql`
    insert into ${gatewayCounts} (workspace_id, date, run, executions)
    select seen.workspace_id, seen.date, ${run}::uuid, seen.executions
    from unnest(${column(({ workspaceId }) => workspaceId)}::uuid[], ${column(({ date }) => date)}::text[], ${column(({ executions }) => executions)}::integer[]) as seen (workspace_id, date, executions)
    join ${workspaces} on ${workspaces.id} = seen.workspace_id
    order by seen.workspace_id, seen.date
    on conflict (workspace_id, date, run) do update set executions = greatest(${gatewayCounts.executions}, excluded.executions)`);
}

/** The sum of all gateways for the workspace, by day. */
export async function readGatewayCounts(db: Connection, workspaceId: string): Promise<Map<string, number>> {
  const rows = await db
    .select({ date: gatewayCounts.date, executions: sql<string>`sum(${gatewayCounts.executions})` })
    .from(gatewayCounts)
    .where(eq(gatewayCounts.workspaceId, workspaceId))
    .groupBy(gatewayCounts.date);
  return new Map(rows.map(({ date, executions }) => [date, Number(executions)]));
}

/** Includes what was reported and seen at the newest check, for operators. */
export type CheckRow = DayCheck & { date: string; limitedAt: Date | null; reported: number; gateway: number };

/** The comparison of the workspace's days from `since` (YYYY-MM-DD) on; days that never differed may have no row. */
export async function readChecks(db: Connection, workspaceId: string, since: string): Promise<Map<string, CheckRow>> {
  const rows = await db
    .select()
    .from(usageChecks)
    .where(and(eq(usageChecks.workspaceId, workspaceId), gte(usageChecks.date, since)));
  return new Map(
    rows.map(({ date, added, excused, succeeded, limitedAt, differsSince, toldAt, reported, gateway, ...row }) => {
      const { statisticsLife: life, statisticsFirst: first, statisticsUnfinished: unfinished, statisticsBefore: before } = row;
      const followed = life === null ? null : { life, first, unfinished, before };
      return [date, { date, added, excused, succeeded, followed, limitedAt, differsSince, toldAt, reported, gateway }];
    }),
  );
}

export const newCheck = (date: string): CheckRow => ({ ...untouched, date, limitedAt: null, reported: 0, gateway: 0 });

/** Replaces the comparison of these days. */
export async function saveChecks(tx: Connection, workspaceId: string, checks: readonly CheckRow[]): Promise<void> {
  for (const { date, followed, added, excused, succeeded, limitedAt, differsSince, toldAt, reported, gateway } of checks) {
    const statistics = {
      statisticsLife: followed?.life ?? null,
      statisticsFirst: followed?.first ?? 0,
      statisticsUnfinished: followed?.unfinished ?? 0,
      statisticsBefore: followed?.before ?? 0,
    };
    const set = { added, excused, succeeded, limitedAt, differsSince, toldAt, reported, gateway, ...statistics };
    await tx
      .insert(usageChecks)
      .values({ workspaceId, date, ...set })
      .onConflictDoUpdate({ target: [usageChecks.workspaceId, usageChecks.date], set });
  }
}

/** Deletes days before `until` (YYYY-MM-DD), which are settled; days reported to operators stay as long as the workspace. */
export async function forgetChecks(tx: Connection, workspaceId: string, until: string): Promise<void> {
  await tx.delete(gatewayCounts).where(and(eq(gatewayCounts.workspaceId, workspaceId), lt(gatewayCounts.date, until)));
  await tx
    .delete(usageChecks)
    .where(and(eq(usageChecks.workspaceId, workspaceId), lt(usageChecks.date, until), isNull(usageChecks.toldAt)));
}

export interface Difference {
  workspaceId: string;
  accountName: string;
  date: string;
  reported: number;
  /** Executions whose start the gateway saw. */
  gateway: number;
  /** Executions that count in addition to those that the workspace reported. */
  added: number;
  /** Executions that the tool's own statistics confirm. */
  succeeded: number;
  toldAt: Date;
}

/** Name of the account that owns the workspace. */
export async function findAccountName(db: Connection, workspaceId: string): Promise<string> {
  const found = await db
    .select({ name: accounts.name })
    .from(workspaces)
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .where(eq(workspaces.id, workspaceId));
  return found[0]?.name ?? "";
}

/** The days for which operators were told that a workspace reports too little, newest first. */
export async function listDifferences(db: Connection, most: number): Promise<Difference[]> {
  const { workspaceId, date, reported, gateway, added, succeeded, toldAt } = usageChecks;
  const rows = await db
    .select({ workspaceId, date, reported, gateway, added, succeeded, toldAt, accountName: accounts.name })
    .from(usageChecks)
    .innerJoin(workspaces, eq(workspaces.id, workspaceId))
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .where(isNotNull(toldAt))
    .orderBy(desc(date), desc(added))
    .limit(most);
  return rows.map((row) => ({ ...row, toldAt: row.toldAt! }));
}
