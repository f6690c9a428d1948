/** The SQL of workers' leases: which workspaces are due, and who holds them. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { workKind, workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { claimRows, isDue, isFree, leaseFor } from "#platform/postgres/claim-rows.ts";
import { mainHost } from "../hosts/host-names.ts";
import type { HeldWorkspace } from "./observation-store.ts";

/** 15 s: three missed renewals. A killed worker's workspaces become free within that time. */
export const leaseSeconds = 15;

/**
 * What a due workspace waits for, judging by its row: `stop` (and deletion), `wake` (a caller waits), `start` (a first try: launch,
 * restart, new version), `retry` after a failure or a silence, and `look` at one that should be healthy. The index workspaces_due_kind uses
 * the same expression.
 */
export const workKinds = ["stop", "wake", "start", "retry", "look"] as const;
export type WorkKind = (typeof workKinds)[number];

interface Claimed {
  id: string;
  kind: WorkKind;
}

const queue = { id: workspaces.id, dueAt: workspaces.reconcileAt, leaseUntil: workspaces.leaseUntil };
const uuids = (ids: readonly string[]): SQL => sql`${`{${ids.join(",")}}`}::uuid[]`;

/**
 * Claims due workspaces of `host` for `worker`, at most `room[kind]` of each kind, the longest due first; skips those that another worker
 * holds, and those that the worker has `inHand`.
 */
export async function claimDue(
  db: Connection,
  worker: string,
  now: Date,
  room: Readonly<Record<WorkKind, number>>,
  inHand: readonly string[] = [],
  host: string = mainHost,
): Promise<Claimed[]> {
  const kinds = workKinds.filter((kind) => room[kind] > 0);
  if (kinds.length === 0) return [];
  // Not by `claimRows`, because one query takes a number of each kind.
  const wanted = sql.join(
    kinds.map((kind) => sql`(${kind}::text, ${room[kind]}::int)`),
    sql`, `,
  );
  const claimed = await db.execute<{ id: string; kind: WorkKind }>(sql`
    update workspaces set lease_owner = ${worker}, lease_until = ${leaseFor(leaseSeconds)}
    from (
      select due.id, wanted.kind from (values ${wanted}) wanted (kind, most) cross join lateral (
        select id from workspaces where host = ${host} and ${workKind} = wanted.kind and ${isDue(queue, now, inHand)}
        order by reconcile_at limit wanted.most for no key update skip locked) due
    ) taken
    where workspaces.id = taken.id
    returning workspaces.id, taken.kind`);
  return claimed.rows;
}

/** Like `claimDue`, but only for these workspaces, whatever they wait for. */
export async function claimDueAmong(
  db: Connection,
  worker: string,
  now: Date,
  ids: readonly string[],
  most: number,
  inHand: readonly string[],
  host: string = mainHost,
): Promise<string[]> {
  const { id } = workspaces;
  const claimed = await claimRows(db, workspaces, {
    key: id,
    due: and(sql`${id} = any(${uuids(ids)})`, eq(workspaces.host, host), isDue(queue, now, inHand)),
    order: [queue.dueAt],
    most,
    set: { leaseOwner: worker, leaseUntil: leaseFor(leaseSeconds) },
  }).returning({ id });
  return claimed.map((row) => row.id);
}

/**
 * Renews the leases of `worker` on these workspaces, in the order in which uses and visits are recorded, and without waiting for rows that
 * only refer to workspaces, such as samples of memory; returns those it still holds.
 */
export async function renewLeases(db: Connection, worker: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const renewed = await db.execute<{ id: string }>(sql`
    update workspaces set lease_until = ${leaseFor(leaseSeconds)}
    where id in (
      select id from workspaces where id = any(${uuids(ids)}) and lease_owner = ${worker} order by id for no key update)
    returning id`);
  return renewed.rows.map((row) => row.id);
}

/** Claims one workspace of `host` for `worker`, due or not; false if another worker holds it, or it is on another host. */
export async function claimWorkspace(db: Connection, id: string, worker: string, host: string = mainHost): Promise<boolean> {
  const claimed = await db.execute(sql`
    update workspaces set lease_owner = ${worker}, lease_until = ${leaseFor(leaseSeconds)}
    where id = ${id} and host = ${host} and ${isFree(workspaces.leaseUntil)} returning id`);
  return claimed.rows.length > 0;
}

/** Releases it unchanged: if it was due, it stays due. */
export async function giveBackWorkspace(db: Connection, id: string, worker: string): Promise<void> {
  await db
    .update(workspaces)
    .set({ leaseOwner: null, leaseUntil: null })
    .where(and(eq(workspaces.id, id), eq(workspaces.leaseOwner, worker)));
}

/**
 * Releases the workspace, to be checked again at `next` (null: only after a change). If what is desired changed since `held` was read, or
 * it was made due because its process ended, it is due immediately. Two changes may happen in the same millisecond, and the clock may be
 * set back: the generation distinguishes them. `endedTrace` is cleared, because the work it followed is finished.
 */
export async function release(
  db: Connection,
  held: Pick<HeldWorkspace, "id" | "generation" | "updatedAt" | "reconcileAt"> & { endedTrace?: string | null },
  worker: string,
  next: Date | null,
  now: Date,
): Promise<void> {
  await db
    .update(workspaces)
    .set({
      leaseOwner: null,
      leaseUntil: null,
      ...(held.endedTrace && { traceparent: sql`nullif(${workspaces.traceparent}, ${held.endedTrace})` }),
      reconcileAt: sql`case when ${workspaces.generation} = ${held.generation} and date_trunc('milliseconds', ${workspaces.updatedAt}) = ${held.updatedAt.toISOString()}::timestamptz
        and date_trunc('milliseconds', ${workspaces.reconcileAt}) is not distinct from ${held.reconcileAt?.toISOString() ?? null}::timestamptz then ${next?.toISOString() ?? null}::timestamptz else ${now.toISOString()}::timestamptz end`,
    })
    .where(and(eq(workspaces.id, held.id), eq(workspaces.leaseOwner, worker)));
}
