/** The SQL of accounts' usage. */
import { and, asc, eq, gt, gte, isNull, lt, or, sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { z } from "zod";
import { usageCounters, usageDays, usagePeriods, workspaces } from "#database/tables.ts";
import { keepSaid, readLook } from "#domain/workspaces/observed/look-store.ts";
import type { Connection } from "#platform/database.ts";

export type CounterRow = typeof usageCounters.$inferSelect;
type PeriodRow = typeof usagePeriods.$inferSelect;

/** Keeps what a lying workspace adds below the column's maximum. */
const mostEver = 2_000_000_000;
const bounded = (count: number): number => Math.min(count, mostEver);
const sum = (kept: AnyPgColumn, added: SQL): SQL => sql`least(${kept}::bigint + ${added}, ${sql.raw(String(mostEver))})::integer`;

/** One reader of a workspace's counters at a time, until the transaction ends. */
export async function lockCounters(tx: Connection, workspaceId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`usage ${workspaceId}`}, 0))`);
}

/** The last value of each counter whose day is `since` (YYYY-MM-DD) or later. */
export function readCounters(db: Connection, workspaceId: string, since: string): Promise<CounterRow[]> {
  return db
    .select()
    .from(usageCounters)
    .where(and(eq(usageCounters.workspaceId, workspaceId), gte(usageCounters.date, since)));
}

/** Deletes counters before `until` (YYYY-MM-DD), which are added up already and never reported again. */
export async function forgetCounters(tx: Connection, workspaceId: string, until: string): Promise<void> {
  await tx.delete(usageCounters).where(and(eq(usageCounters.workspaceId, workspaceId), lt(usageCounters.date, until)));
}

/** Replaces the last values of these counters. */
export async function saveCounters(tx: Connection, rows: readonly CounterRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insert(usageCounters)
    .values([...rows])
    .onConflictDoUpdate({
      target: [usageCounters.workspaceId, usageCounters.epoch, usageCounters.saidPeriod, usageCounters.date],
      set: { executions: sql`excluded.executions`, failed: sql`excluded.failed` },
    });
}

/** Adds to the account's usage in the period; adding nothing still creates the row. */
export async function addToPeriod(tx: Connection, accountId: string, startsAt: Date, executions: number): Promise<void> {
  await tx
    .insert(usagePeriods)
    .values({ accountId, startsAt, executions: bounded(executions) })
    .onConflictDoUpdate({
      target: [usagePeriods.accountId, usagePeriods.startsAt],
      set: { executions: sum(usagePeriods.executions, sql`excluded.executions`) },
    });
}

/** Adds to the account's usage on the day. */
export async function addToDay(tx: Connection, accountId: string, date: string, executions: number, failed: number): Promise<void> {
  await tx
    .insert(usageDays)
    .values({ accountId, date, executions: bounded(executions), failed: bounded(failed) })
    .onConflictDoUpdate({
      target: [usageDays.accountId, usageDays.date],
      set: { executions: sum(usageDays.executions, sql`excluded.executions`), failed: sum(usageDays.failed, sql`excluded.failed`) },
    });
}

/** Records when the workspace was called, its current figures, and whether there were new executions. */
export async function saveReading(
  tx: Connection,
  workspaceId: string,
  { activeWorkflows, workflows, hasGrown }: { activeWorkflows: number; workflows: number | null; hasGrown: boolean },
  now: Date,
): Promise<void> {
  await tx
    .update(workspaces)
    .set({ usageReadAt: now, activeWorkflows, workflows, ...(hasGrown && { activeAt: now }) })
    .where(eq(workspaces.id, workspaceId));
}

const busiest = z.object({
  periodStartsAt: z.string(),
  workflows: z.array(z.object({ id: z.string(), name: z.string(), executions: z.number(), failed: z.number() })),
});
type Busiest = z.infer<typeof busiest>["workflows"];

/** Stores which workflows the workspace says it executed most. It is not added up and not used for billing. */
export function saveBusiest(
  tx: Connection,
  workspaceId: string,
  { periodStart, workflows }: { periodStart: Date; workflows: Readonly<Busiest> },
  now: Date,
): Promise<void> {
  const said: z.infer<typeof busiest> = { periodStartsAt: periodStart.toISOString(), workflows: [...workflows] };
  return keepSaid(tx, workspaceId, "workflows", said, now);
}

/** The workflows that the workspace says it executed most in the period that starts then, the busiest first; null: not reported. */
export async function readBusiest(db: Connection, workspaceId: string, startsAt: Date): Promise<Busiest | null> {
  const { data } = busiest.safeParse((await readLook(db, workspaceId, "workflows"))?.answer);
  return data?.periodStartsAt === startsAt.toISOString() ? data.workflows : null;
}

/** When the workspace last reported its usage; null before the first time. */
export async function readHeardAt(tx: Connection, workspaceId: string): Promise<Date | null> {
  const found = await tx.select({ usageReadAt: workspaces.usageReadAt }).from(workspaces).where(eq(workspaces.id, workspaceId));
  return found[0]?.usageReadAt ?? null;
}

/** The last figures of the account's workspace, and when; null without a workspace. */
export async function readReading(
  db: Connection,
  accountId: string,
): Promise<{ usageReadAt: Date | null; activeWorkflows: number; workflows: number | null } | null> {
  const found = await db
    .select({ usageReadAt: workspaces.usageReadAt, activeWorkflows: workspaces.activeWorkflows, workflows: workspaces.workflows })
    .from(workspaces)
    .where(eq(workspaces.accountId, accountId))
    .limit(1);
  return found[0] ?? null;
}

/** Whether the account ever used an execution. */
export async function hasRunAnything(db: Connection, accountId: string): Promise<boolean> {
  const found = await db
    .select({ accountId: usagePeriods.accountId })
    .from(usagePeriods)
    .where(and(eq(usagePeriods.accountId, accountId), gt(usagePeriods.executions, 0)))
    .limit(1);
  return found.length > 0;
}

/** The account's usage in the period that starts then; undefined if nothing was recorded in it yet. */
export async function readPeriod(db: Connection, accountId: string, startsAt: Date): Promise<PeriodRow | undefined> {
  const found = await db
    .select()
    .from(usagePeriods)
    .where(and(eq(usagePeriods.accountId, accountId), eq(usagePeriods.startsAt, startsAt)))
    .limit(1);
  return found[0];
}

/** How much of the period each epoch of the workspace's counters has, as far as reported since. */
export async function readEpochs(db: Connection, workspaceId: string, startsAt: Date): Promise<Record<string, number>> {
  const rows = await db
    .select({ epoch: usageCounters.epoch, executions: sql<number>`sum(${usageCounters.executions})::integer` })
    .from(usageCounters)
    .where(and(eq(usageCounters.workspaceId, workspaceId), eq(usageCounters.periodStartsAt, startsAt)))
    .groupBy(usageCounters.epoch);
  return Object.fromEntries(rows.map(({ epoch, executions }) => [epoch, executions]));
}

/** Starts of the account's periods with records, oldest first. */
export async function readPeriodStarts(db: Connection, accountId: string): Promise<Date[]> {
  const rows = await db
    .select({ startsAt: usagePeriods.startsAt })
    .from(usagePeriods)
    .where(eq(usagePeriods.accountId, accountId))
    .orderBy(asc(usagePeriods.startsAt));
  return rows.map(({ startsAt }) => startsAt);
}

/** The account's days from `since` (YYYY-MM-DD) on, oldest first; days without executions have no row. */
export function readDays(
  db: Connection,
  accountId: string,
  since: string,
): Promise<{ date: string; executions: number; failed: number }[]> {
  return db
    .select({ date: usageDays.date, executions: usageDays.executions, failed: usageDays.failed })
    .from(usageDays)
    .where(and(eq(usageDays.accountId, accountId), gte(usageDays.date, since)))
    .orderBy(asc(usageDays.date));
}

/** Claims the warning that this share of `limit` was used: true for one caller only, in each period and for each limit. */
export async function claimAlert(
  tx: Connection,
  period: Pick<PeriodRow, "accountId" | "startsAt">,
  kind: "warned" | "reached",
  limit: number,
): Promise<boolean> {
  const column = kind === "warned" ? usagePeriods.warnedOf : usagePeriods.reachedOf;
  const claimed = await tx
    .update(usagePeriods)
    .set(kind === "warned" ? { warnedOf: limit } : { warnedOf: limit, reachedOf: limit })
    .where(
      and(eq(usagePeriods.accountId, period.accountId), eq(usagePeriods.startsAt, period.startsAt), or(isNull(column), lt(column, limit))),
    )
    .returning({ startsAt: usagePeriods.startsAt });
  return claimed.length > 0;
}
