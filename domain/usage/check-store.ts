/** The SQL of what gateways saw, and of how it compares with what workspaces report. */
import { and, desc, eq, gte, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { accounts, gatewayCounts, usageChecks, workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { untouched, type DayCheck } from "./settle-day.ts";

/** All that one gateway process saw of a workspace on a day. */
export interface SeenCount {
  workspaceId: string;
  /** YYYY-MM-DD. */
  date: string;
  executions: number;
}

/** Writes the whole figures of one gateway process; writing them again changes nothing. Workspaces that are gone are left out. */
export async function saveGatewayCounts(db: Connection, run: string, counts: readonly SeenCount[]): Promise<void> {
  const column = <Value>(value: (count: SeenCount) => Value) => sql.param(counts.map(value));
  // In one order, so that two gateways never wait for each other.
  await db.execute(sql`
    insert into ${gatewayCounts} (workspace_id, date, run, executions)
    select seen.workspace_id, seen.date, ${run}::uuid, seen.executions
    from unnest(${column(({ workspaceId }) => workspaceId)}::uuid[], ${column(({ date }) => date)}::text[], ${column(({ executions }) => executions)}::integer[]) as seen (workspace_id, date, executions)
    join ${workspaces} on ${workspaces.id} = seen.workspace_id
    order by seen.workspace_id, seen.date
    on conflict (workspace_id, date, run) do update set executions = greatest(${gatewayCounts.executions}, excluded.executions)`);
}

/** What all gateways saw of the workspace, by day. */
export async function readGatewayCounts(db: Connection, workspaceId: string): Promise<Map<string, number>> {
  const rows = await db
    .select({ date: gatewayCounts.date, executions: sql<string>`sum(${gatewayCounts.executions})` })
    .from(gatewayCounts)
    .where(eq(gatewayCounts.workspaceId, workspaceId))
    .groupBy(gatewayCounts.date);
  return new Map(rows.map(({ date, executions }) => [date, Number(executions)]));
}

/** With what was reported and seen by the newest look, for operators. */
export type CheckRow = DayCheck & { date: string; limitedAt: Date | null; reported: number; gateway: number };

/** How the workspace's days from `since` (YYYY-MM-DD) on compare; days that never differed may have no row. */
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

/** Replaces how these days compare. */
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

/** What lies before `until` (YYYY-MM-DD) is settled; days of which operators were told stay as long as the workspace. */
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
  /** Executions that the gateway saw begin. */
  gateway: number;
  /** Executions that count beside those that the workspace reported. */
  added: number;
  /** Executions that the tool's own statistics are sure of. */
  succeeded: number;
  toldAt: Date;
}

/** The name of the account that has the workspace. */
export async function findAccountName(db: Connection, workspaceId: string): Promise<string> {
  const found = await db
    .select({ name: accounts.name })
    .from(workspaces)
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .where(eq(workspaces.id, workspaceId));
  return found[0]?.name ?? "";
}

/** The days of which operators were told that a workspace reports too little, newest first. */
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
