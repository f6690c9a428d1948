/** The SQL of fleet updates: plans, their workspaces, and what is counted of them. */
import { and, asc, count, desc, eq, gte, inArray, isNotNull, isNull, ne, or, sql, type SQL } from "drizzle-orm";
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import { accounts, fleetUpdates, fleetUpdateWorkspaces, workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";

export type FleetUpdate = typeof fleetUpdates.$inferSelect;
export type PlannedWorkspace = typeof fleetUpdateWorkspaces.$inferSelect;
export type PlannedState = PlannedWorkspace["state"];

/** Why a workspace is not updated, or not rolled back, without a failure of the version. docs/runbooks/update-the-fleet.md explains each. */
export const leftOutReasons = [
  "excluded",
  "suspended",
  "stopped",
  "failed-before",
  "newer",
  "not-possible",
  "offline",
  "starting",
  "busy",
  "changed",
  "no-backup",
  "rolled-back-first",
  "ended-first",
  "ended-meanwhile",
] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

/** What decides about a workspace's place in a plan. */
export interface FleetWorkspace {
  id: string;
  life: number;
  accountName: string;
  desiredState: "running" | "stopped" | "deleted";
  isSuspended: boolean;
  desiredVersion: string;
  isOnline: boolean;
  isAsleep: boolean;
}

const isOnline = sql<boolean>`(${workspaces.observedState} = 'online' and ${workspaces.unhealthySince} is null)`;

/** Every workspace of the engine that is not deleted, by account name. */
export async function listFleet(db: Connection, engine: EngineName): Promise<FleetWorkspace[]> {
  return db
    .select({
      id: workspaces.id,
      life: workspaces.life,
      accountName: accounts.name,
      desiredState: workspaces.desiredState,
      isSuspended: sql<boolean>`${workspaces.resumesAs} is not null`,
      desiredVersion: workspaces.desiredVersion,
      isOnline,
      isAsleep: sql<boolean>`${workspaces.asleepSince} is not null`,
    })
    .from(workspaces)
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .where(
      and(
        eq(workspaces.engine, engine),
        ne(workspaces.desiredState, "deleted"),
        // A suspended one that was to be deleted has another desired state for now.
        or(isNull(workspaces.resumesAs), ne(workspaces.resumesAs, "deleted")),
      ),
    )
    .orderBy(asc(accounts.name));
}

export type NewFleetUpdate = Pick<
  FleetUpdate,
  "engine" | "toVersion" | "waves" | "soakSeconds" | "atOnce" | "mostFailures" | "mostFailedPercent" | "operator" | "reason"
>;
export type NewPlannedWorkspace = Pick<PlannedWorkspace, "workspaceId" | "life" | "wave" | "state" | "reason" | "fromVersion">;

const databaseNow = sql`clock_timestamp()`;

/** PostgreSQL takes 65,535 values in one statement. */
const rowsAtOnce = 1_000;

/** Stores a plan, which begins to run. Null while another one of this engine is unfinished. */
export async function insertFleetUpdate(
  tx: Connection,
  update: NewFleetUpdate,
  planned: readonly NewPlannedWorkspace[],
  now: Date,
): Promise<FleetUpdate | null> {
  const [row] = await tx
    .insert(fleetUpdates)
    .values({ ...update, id: newId(now.getTime()), steppedAt: databaseNow, startedAt: now })
    .onConflictDoNothing({ target: fleetUpdates.engine, where: sql`${fleetUpdates.finishedAt} is null` })
    .returning();
  if (!row) return null;
  for (let first = 0; first < planned.length; first += rowsAtOnce)
    await tx
      .insert(fleetUpdateWorkspaces)
      .values(planned.slice(first, first + rowsAtOnce).map((each) => ({ ...each, fleetUpdateId: row.id })));
  return row;
}

/** The unfinished fleet update of the engine; null if there is none. */
export async function findOpenFleetUpdate(db: Connection, engine: EngineName): Promise<FleetUpdate | null> {
  const [row] = await db
    .select()
    .from(fleetUpdates)
    .where(and(eq(fleetUpdates.engine, engine), isNull(fleetUpdates.finishedAt)));
  return row ?? null;
}

/**
 * The unfinished one, locked until the transaction ends: one worker or operator changes it at a time. Also notes this look, and returns the
 * milliseconds since the one before; negative if the database's clock was set back.
 */
export async function lookAtOpenFleetUpdate(tx: Connection, engine: EngineName): Promise<{ update: FleetUpdate; sinceMs: number } | null> {
  const sinceMs = sql<number>`(extract(epoch from clock_timestamp() - ${fleetUpdates.steppedAt}) * 1000)::float8`;
  const [row] = await tx
    .select({ update: fleetUpdates, sinceMs })
    .from(fleetUpdates)
    .where(and(eq(fleetUpdates.engine, engine), isNull(fleetUpdates.finishedAt)))
    .for("update");
  if (!row) return null;
  await tx.update(fleetUpdates).set({ steppedAt: databaseNow }).where(eq(fleetUpdates.id, row.update.id));
  return row;
}

export async function lockFleetUpdate(tx: Connection, id: string): Promise<FleetUpdate | null> {
  const [row] = await tx.select().from(fleetUpdates).where(eq(fleetUpdates.id, id)).for("update");
  return row ?? null;
}

/** The newest fleet updates of the engine, the last one first. */
export async function listFleetUpdates(db: Connection, engine: EngineName, most: number): Promise<FleetUpdate[]> {
  return db.select().from(fleetUpdates).where(eq(fleetUpdates.engine, engine)).orderBy(desc(fleetUpdates.id)).limit(most);
}

/** An update takes minutes: one that takes longer hangs, and a workspace that is not ready for longer is left out. */
export const longestWaitMs = 15 * minuteMs;

/** Rollbacks of fleets in which that of a workspace hangs, with the names of these accounts. Of every engine. */
export async function listHangingRollBacks(db: Connection): Promise<{ toVersion: string; accountNames: string[] }[]> {
  const { state, waitedMs, fleetUpdateId, workspaceId } = fleetUpdateWorkspaces;
  return db
    .select({ toVersion: fleetUpdates.toVersion, accountNames: sql<string[]>`array_agg(${accounts.name} order by ${accounts.name})` })
    .from(fleetUpdates)
    .innerJoin(fleetUpdateWorkspaces, eq(fleetUpdateId, fleetUpdates.id))
    .innerJoin(workspaces, eq(workspaces.id, workspaceId))
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .where(
      and(isNull(fleetUpdates.finishedAt), eq(fleetUpdates.state, "rolling-back"), eq(state, "rolling-back"), gte(waitedMs, longestWaitMs)),
    )
    .groupBy(fleetUpdates.id);
}

/** Those that a gate has stopped, of every engine. */
export async function listStoppedByGate(db: Connection): Promise<Pick<FleetUpdate, "toVersion" | "stopReason">[]> {
  return db
    .select({ toVersion: fleetUpdates.toVersion, stopReason: fleetUpdates.stopReason })
    .from(fleetUpdates)
    .where(and(eq(fleetUpdates.state, "stopped"), isNull(fleetUpdates.stoppedBy), isNull(fleetUpdates.finishedAt)));
}

/** Changes a locked one. */
export async function changeFleetUpdate(
  tx: Connection,
  id: string,
  change: Partial<Pick<FleetUpdate, "state" | "stopReason" | "stoppedAt" | "stoppedBy" | "wave" | "soakedMs" | "finishedAt">>,
): Promise<void> {
  await tx.update(fleetUpdates).set(change).where(eq(fleetUpdates.id, id));
}

const inState = (id: string, states: readonly PlannedState[]): SQL =>
  and(eq(fleetUpdateWorkspaces.fleetUpdateId, id), inArray(fleetUpdateWorkspaces.state, [...states]))!;

/** Changes the workspaces of a plan that are in one of these states, or the one workspace. Returns how many there were. */
export async function changePlanned(
  tx: Connection,
  { id, states, workspaceId }: { id: string; states: readonly PlannedState[]; workspaceId?: string },
  change: Partial<PlannedWorkspace>,
): Promise<number> {
  const changed = await tx
    .update(fleetUpdateWorkspaces)
    .set(change)
    .where(and(inState(id, states), workspaceId === undefined ? undefined : eq(fleetUpdateWorkspaces.workspaceId, workspaceId)))
    .returning({ id: fleetUpdateWorkspaces.workspaceId });
  return changed.length;
}

/** The operator knows of every failure and trouble so far: none of them stops the fleet update again. */
export async function acceptTroubles(tx: Connection, id: string): Promise<void> {
  const { state, trouble } = fleetUpdateWorkspaces;
  await tx
    .update(fleetUpdateWorkspaces)
    .set({ isAccepted: true })
    .where(and(eq(fleetUpdateWorkspaces.fleetUpdateId, id), or(eq(state, "failed"), isNotNull(trouble))));
}

/** A workspace of a plan, and whether its change of version can begin now. */
export interface Candidate extends PlannedWorkspace {
  accountId: string;
  accountName: string;
  /** Null: it has no place. */
  host: string | null;
  /** Null: it is of a later life than the plan. */
  desiredState: FleetWorkspace["desiredState"] | null;
  desiredVersion: string;
  isOnline: boolean;
  isStarting: boolean;
  isBusy: boolean;
}

const isBusy = sql<boolean>`(exists (select from workspace_updates u where u.workspace_id = ${workspaces.id} and u.finished_at is null)
  or exists (select from restores r where r.workspace_id = ${workspaces.id} and r.finished_at is null))`;

/** The workspaces of a plan in these states: of one wave, or of all. */
export async function listPlanned(
  db: Connection,
  { id, states, wave }: { id: string; states: readonly PlannedState[]; wave?: number },
): Promise<Candidate[]> {
  const rows = await db
    .select({
      planned: fleetUpdateWorkspaces,
      accountId: workspaces.accountId,
      accountName: accounts.name,
      host: workspaces.host,
      life: workspaces.life,
      desiredState: workspaces.desiredState,
      desiredVersion: workspaces.desiredVersion,
      isOnline,
      isStarting: sql<boolean>`${workspaces.observedState} in ('none', 'starting')`,
      isBusy,
    })
    .from(fleetUpdateWorkspaces)
    .innerJoin(workspaces, eq(workspaces.id, fleetUpdateWorkspaces.workspaceId))
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .where(and(inState(id, states), wave === undefined ? undefined : eq(fleetUpdateWorkspaces.wave, wave)))
    .orderBy(asc(fleetUpdateWorkspaces.wave), asc(workspaces.id));
  return rows.map(({ planned, life, desiredState, ...facts }) => ({
    ...planned,
    ...facts,
    desiredState: life === planned.life ? desiredState : null,
  }));
}

/** How many workspaces of the plan are in each wave and state. */
export async function countPlanned(
  db: Connection,
  id: string,
): Promise<{ wave: number; state: PlannedState; reason: string | null; times: number }[]> {
  const { wave, state, reason } = fleetUpdateWorkspaces;
  const shown = sql<string | null>`case when ${state} in ('left-out', 'kept') then ${reason} end`;
  return db
    .select({ wave, state, reason: shown, times: count() })
    .from(fleetUpdateWorkspaces)
    .where(eq(fleetUpdateWorkspaces.fleetUpdateId, id))
    .groupBy(wave, state, shown)
    .orderBy(wave, state, shown);
}

/** Adds to the time that these workspaces have waited. */
export async function addWaited(tx: Connection, id: string, workspaceIds: readonly string[], ms: number): Promise<void> {
  if (workspaceIds.length === 0 || ms === 0) return;
  await tx
    .update(fleetUpdateWorkspaces)
    .set({ waitedMs: sql`least(${fleetUpdateWorkspaces.waitedMs}::bigint + ${ms}, 2000000000)::integer` })
    .where(and(eq(fleetUpdateWorkspaces.fleetUpdateId, id), inArray(fleetUpdateWorkspaces.workspaceId, [...workspaceIds])));
}
