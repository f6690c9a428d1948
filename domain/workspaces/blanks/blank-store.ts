/** The SQL of blanks: workspaces started without an owner, until a customer launches one. */
import { randomUUID } from "node:crypto";
import { and, asc, count, eq, gt, or, sql, type SQL } from "drizzle-orm";
import { blanks, workKind, workspaces } from "#database/tables.ts";
import type { Connection, Database } from "#platform/database.ts";
import { isFree, leaseFor } from "#platform/postgres/claim-rows.ts";
import { mainHost } from "../hosts/host-names.ts";
import { isHostOpen } from "../hosts/host-store.ts";

export type BlankRow = typeof blanks.$inferSelect;

/** The properties by which a launch chooses a blank; the worker compares the rest as a hash. */
export type BlankShape = Pick<BlankRow, "engine" | "version" | "memoryMb">;

/** As long as a workspace's lease: a killed worker's blanks are deleted by another within that time. */
const blankLeaseSeconds = 15;

/** All of this host: there are few. Oldest first. */
export const listBlanks = (db: Connection, host: string = mainHost): Promise<BlankRow[]> =>
  db.select().from(blanks).where(eq(blanks.host, host)).orderBy(asc(blanks.createdAt), asc(blanks.id));

/** How many there are in each state. */
export async function countBlanks(db: Connection): Promise<Record<BlankRow["state"], number>> {
  const rows = await db.select({ state: blanks.state, times: count() }).from(blanks).groupBy(blanks.state);
  return { making: 0, ready: 0, leaving: 0, ...Object.fromEntries(rows.map(({ state, times }) => [state, times])) };
}

/**
 * Records a blank that `worker` is about to start on `host`. Null if the host already has `most` of this shape, no matter which workers
 * keep them and how many ask at the same time; each release is counted separately. Its id does not reveal when it was made.
 */
export async function addBlank(
  db: Database,
  shape: BlankShape & Pick<BlankRow, "secrets">,
  { most, worker, now, host = mainHost }: { most: number; worker: string; now: Date; host?: string },
): Promise<BlankRow | null> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('slipway blanks'))`);
    const { engine, version, memoryMb } = shape;
    const same = and(eq(blanks.host, host), eq(blanks.engine, engine), eq(blanks.version, version), eq(blanks.memoryMb, memoryMb));
    const [there] = await tx.select({ number: count() }).from(blanks).where(same);
    if (there!.number >= most) return null;
    const [row] = await tx
      .insert(blanks)
      .values({
        ...shape,
        host,
        id: randomUUID(),
        number: sql`nextval(pg_get_serial_sequence('workspaces', 'number'))`,
        state: "making",
        leaseOwner: worker,
        leaseUntil: leaseFor(blankLeaseSeconds),
        createdAt: now,
      })
      .returning();
    return row!;
  });
}

/** False if `worker` no longer holds it. */
export async function renewBlank(db: Connection, worker: string, id: string): Promise<boolean> {
  const renewed = await db
    .update(blanks)
    .set({ leaseUntil: leaseFor(blankLeaseSeconds) })
    .where(held(id, worker))
    .returning({ id: blanks.id });
  return renewed.length > 0;
}

/** From now on it may be taken; `worker` keeps it until that happens. False if `worker` no longer holds it. */
export async function offerBlank(db: Connection, worker: string, id: string, specHash: string): Promise<boolean> {
  const offered = await db
    .update(blanks)
    .set({ state: "ready", specHash, leaseUntil: leaseFor(blankLeaseSeconds) })
    .where(and(held(id, worker), eq(blanks.state, "making")))
    .returning({ id: blanks.id });
  return offered.length > 0;
}

/**
 * Assigns it to `worker`: another worker, with other settings or of another release, neither counts nor deletes it as its own. False if
 * another live worker keeps it, or if it was taken.
 */
export async function keepBlank(db: Connection, worker: string, id: string): Promise<boolean> {
  const kept = await db
    .update(blanks)
    .set({ leaseOwner: worker, leaseUntil: leaseFor(blankLeaseSeconds) })
    .where(and(eq(blanks.id, id), freeFor(worker)))
    .returning({ id: blanks.id });
  return kept.length > 0;
}

/** Renews the leases of all that `worker` keeps ready. */
export async function renewKept(db: Connection, worker: string): Promise<void> {
  await db
    .update(blanks)
    .set({ leaseUntil: leaseFor(blankLeaseSeconds) })
    .where(and(eq(blanks.leaseOwner, worker), eq(blanks.state, "ready")));
}

/** The worker is stopping: the next one may keep its ready blanks. */
export async function releaseKept(db: Connection, worker: string): Promise<void> {
  await db
    .update(blanks)
    .set({ leaseOwner: null, leaseUntil: null })
    .where(and(eq(blanks.leaseOwner, worker), eq(blanks.state, "ready")));
}

/** Withdraws it, for `worker` to delete. False if it was taken, or another worker holds it; then it must not be touched. */
export async function withdrawBlank(db: Connection, worker: string, id: string): Promise<boolean> {
  const withdrawn = await db
    .update(blanks)
    .set({ state: "leaving", leaseOwner: worker, leaseUntil: leaseFor(blankLeaseSeconds) })
    .where(and(eq(blanks.id, id), freeFor(worker)))
    .returning({ id: blanks.id });
  return withdrawn.length > 0;
}

/** None of the blanks that exist now may be taken any more; the next check of a pool deletes them. */
export async function withdrawAllBlanks(db: Connection): Promise<void> {
  await db.update(blanks).set({ state: "leaving" }).where(eq(blanks.state, "ready"));
}

/** Call when nothing of it is left on its host. */
export async function forgetBlank(db: Connection, worker: string, id: string): Promise<void> {
  await db.delete(blanks).where(and(held(id, worker), eq(blanks.state, "leaving")));
}

/**
 * Makes the oldest ready blank this workspace, which this same transaction inserted: it gets the blank's id, number and secrets. Two
 * simultaneous launches each get a different blank, or none. It runs on the blank's host, which must be alive and have room; the host with
 * the most free memory comes first. Returns the workspace's id from now on; null: no blank fits.
 */
export async function takeBlank(tx: Connection, workspaceId: string, { engine, version, memoryMb }: BlankShape): Promise<string | null> {
  const taken = await tx.execute<{ id: string }>(sql`
    with taken as (
      delete from blanks where id = (
        select blanks.id from blanks left join hosts on hosts.name = blanks.host
        where state = 'ready' and engine = ${engine} and version = ${version} and memory_mb = ${memoryMb}
          and (${isHostOpen} or hosts.lost_at is null and not exists (select from hosts other where other.name <> blanks.host))
        order by hosts.free_mb desc nulls last, blanks.created_at limit 1 for no key update of blanks skip locked)
      returning id, host, number, secrets, spec_hash)
    update workspaces set id = taken.id, host = taken.host, number = taken.number, secrets = taken.secrets, blank = taken.spec_hash
    from taken where workspaces.id = ${workspaceId} returning workspaces.id`);
  return taken.rows[0]?.id ?? null;
}

/** How many workspaces were launched since then. */
export async function countLaunches(db: Connection, since: Date): Promise<number> {
  const [row] = await db.select({ number: count() }).from(workspaces).where(gt(workspaces.createdAt, since));
  return row!.number;
}

/** Twice what a start takes on a busy host: one that takes longer hangs, perhaps on purpose. */
const mostStartSeconds = 60;

/**
 * Whether a customer waits for a workspace of this host to start, restart or wake. One that is not ready after a minute, because its
 * process hangs or its files are being copied, does not count: else one tenant could keep everyone's pool empty.
 */
export async function isSomebodyWaiting(db: Connection, now: Date, host: string = mainHost): Promise<boolean> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const hangs = sql`observed_state = 'starting' and asleep_since is null and coalesce(started_at, updated_at) < ${at} - make_interval(secs => ${mostStartSeconds})`;
  const waits = (kind: string): SQL =>
    sql`exists (select from workspaces where host = ${host} and ${workKind} = ${kind} and reconcile_at <= ${at} and (${hangs}) is not true)`;
  const found = await db.execute<{ waiting: boolean }>(sql`select ${waits("start")} or ${waits("wake")} as waiting`);
  return found.rows[0]!.waiting;
}

const freeFor = (worker: string): SQL | undefined => or(isFree(blanks.leaseUntil), eq(blanks.leaseOwner, worker));

const held = (id: string, worker: string): SQL | undefined => and(eq(blanks.id, id), eq(blanks.leaseOwner, worker));
