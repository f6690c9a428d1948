/**
 * The SQL of sleep. A use and the decision to sleep are writes to the same row, so that one of them always sees the other: a used workspace
 * does not fall asleep, and using a sleeping one wakes it. Notifications only make this fast. docs/decisions/0105-sleep.md
 */
import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, or, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { accounts, invitations, workspaceJournal, workspaces } from "#database/tables.ts";
import { after, dayMs, hourMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { currentTraceparent } from "#platform/tracing/current-work.ts";
import { mainHost } from "../hosts/host-names.ts";
import { lockedInOrder } from "../in-order.ts";
import { workspaceChanged } from "../workspace-store.ts";
import type { HeldWorkspace } from "./observation-store.ts";

/**
 * Records that these workspaces are used now, and requests that sleeping ones be woken. Returns the ids of those asleep. Call it before a
 * request is passed on, and at least once a minute while one is open.
 */
export async function recordUse(db: Connection, ids: readonly string[], now: Date): Promise<string[]> {
  if (ids.length === 0) return [];
  const at = sql`${now.toISOString()}::timestamptz`;
  // A time in the future was written before the clock was set back; the look it requests would come that much too late.
  const isNew = sql`asleep_since is not null and (wake_asked_at is null or wake_asked_at > ${at})`;
  const traceparent = currentTraceparent();
  const used = await db
    .update(workspaces)
    .set({
      usedAt: sql`clock_timestamp()`,
      wakeAskedAt: sql`case when ${isNew} then ${at} else wake_asked_at end`,
      reconcileAt: sql`case when ${isNew} then ${at} else reconcile_at end`,
      ...(traceparent && { traceparent: sql`case when ${isNew} or traceparent is null then ${traceparent} else traceparent end` }),
    })
    .where(inArray(workspaces.id, lockedInOrder(db, and(inArray(workspaces.id, [...ids]), eq(workspaces.desiredState, "running")))))
    .returning({
      id: workspaces.id,
      isAsleep: sql<boolean>`${workspaces.asleepSince} is not null`,
      // Only the first request to wake it sends a notification: the one whose time was just written.
      told: sql`case when ${workspaces.wakeAskedAt} = ${at} then pg_notify(${workspaceChanged},
        ${workspaces.id} || ' ' || (select name from ${accounts} where ${accounts.id} = ${workspaces.accountId})) end`,
    });
  return used.filter(({ isAsleep }) => isAsleep).map(({ id }) => id);
}

/** Whether it is asleep, about to fall asleep, or still being started after it slept. */
export async function isAsleep(db: Connection, id: string): Promise<boolean> {
  const found = await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(eq(workspaces.id, id), or(isNotNull(workspaces.asleepSince), isNotNull(workspaces.coldSince))));
  return found.length > 0;
}

/** Whether a sleeping workspace should be woken or looked at now: it was used, its desired state changed, or it is due. */
export async function isSleeperDue(db: Connection, id: string, now: Date): Promise<boolean> {
  const found = await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(eq(workspaces.id, id), isNotNull(workspaces.asleepSince), lte(workspaces.reconcileAt, now)));
  return found.length > 0;
}

/** A later use was recorded before the clock was set back: it would keep a workspace awake until then. */
export const mostAheadMs = hourMs;

const believed = (at: PgColumn): SQL =>
  sql`case when ${at} <= clock_timestamp() + make_interval(secs => ${mostAheadMs / 1000}) then ${at} end`;

/**
 * Whether it has not been used for `idleMs`, its desired state is as it was read, and it has no pending invitation. Reliable only in the
 * transaction that has written `asleepSince`.
 */
export async function isAtRest(
  tx: Connection,
  { id, generation, updatedAt }: Pick<HeldWorkspace, "id" | "generation" | "updatedAt">,
  idleMs: number,
): Promise<boolean> {
  const found = await tx
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(
      and(
        eq(workspaces.id, id),
        eq(workspaces.desiredState, "running"),
        eq(workspaces.generation, generation),
        sql`date_trunc('milliseconds', ${workspaces.updatedAt}) = ${updatedAt.toISOString()}::timestamptz`,
        sql`greatest(${believed(workspaces.usedAt)}, ${believed(workspaces.startedAt)}, '-infinity') <= clock_timestamp() - make_interval(secs => ${idleMs / 1000})`,
        sql`not exists (select from ${invitations} where ${invitations.accountId} = ${workspaces.accountId} and ${invitations.dueAt} is not null)`,
      ),
    );
  return found.length > 0;
}

/** Makes every sleeping workspace of this host due to be woken, because sleep was turned off. */
export async function wakeAll(db: Connection, now: Date, host: string = mainHost): Promise<void> {
  const asleep = lockedInOrder(db, and(eq(workspaces.host, host), isNotNull(workspaces.asleepSince)));
  await db.update(workspaces).set({ wakeAskedAt: now, reconcileAt: now }).where(inArray(workspaces.id, asleep));
}

/**
 * Makes up to `most` of these workspaces due to be stopped, starting with those frozen for longest. Those that must be awake within
 * `soonMs` are left out. Returns their ids.
 */
export async function makeLongestFrozenDue(
  db: Connection,
  ids: readonly string[],
  { most, soonMs }: { most: number; soonMs: number },
  now: Date,
): Promise<string[]> {
  const longest = await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(
      and(
        isNotNull(workspaces.asleepSince),
        isNull(workspaces.coldSince),
        isNull(workspaces.wakeAskedAt),
        sql`coalesce(${workspaces.sleepUntil}, 'infinity') > clock_timestamp() + make_interval(secs => ${soonMs / 1000})`,
        sql`${workspaces.id} = any(${`{${ids.join(",")}}`}::uuid[])`,
      ),
    )
    .orderBy(asc(workspaces.asleepSince))
    .limit(most);
  for (const { id } of longest)
    await db
      .update(workspaces)
      .set({ reconcileAt: now })
      .where(and(eq(workspaces.id, id), isNull(workspaces.coldSince)));
  return longest.map(({ id }) => id);
}

/**
 * Records the sleeping ones among these workspaces as stopped until their next use. Call it before their processes are ended: if this
 * process dies in between, the next pass ends what is left of them, and none counts as crashed.
 */
export async function leaveStopped(db: Connection, ids: readonly string[]): Promise<void> {
  const asleep = and(isNotNull(workspaces.asleepSince), sql`${workspaces.id} = any(${`{${ids.join(",")}}`}::uuid[])`);
  await db
    .update(workspaces)
    .set({
      address: null,
      gatewayOpen: false,
      coldSince: sql`coalesce(cold_since, asleep_since)`,
      reconcileAt: sql`${workspaces.updatedAt}`,
    })
    .where(inArray(workspaces.id, lockedInOrder(db, asleep)));
}

/** A workspace that is called once an hour adds 48 lines a day to its journal; the lines about sleep are kept this long. */
const sleepLinesKeptMs = 2 * dayMs;

/** Deletes this workspace's old lines about sleep. */
export async function dropOldSleepLines(db: Connection, id: string, now: Date): Promise<void> {
  await db
    .delete(workspaceJournal)
    .where(
      and(
        eq(workspaceJournal.workspaceId, id),
        inArray(workspaceJournal.event, ["asleep", "woken"]),
        lt(workspaceJournal.at, after(now, -sleepLinesKeptMs)),
      ),
    );
}
