/** The SQL of blanks: workspaces that were started before they have an owner, until somebody launches one. */
import { randomUUID } from "node:crypto";
import { and, asc, count, eq, gt, isNull, lt, or, sql, type SQL } from "drizzle-orm";
import { blanks, workKind, workspaces } from "#database/tables.ts";
import type { Connection, Database } from "#platform/database.ts";
import { leaseFor } from "#platform/postgres/claim-rows.ts";

export type BlankRow = typeof blanks.$inferSelect;

/** What a launch can choose a blank by; the rest is compared by the worker, as a hash. */
export type BlankShape = Pick<BlankRow, "engine" | "version" | "memoryMb">;

/** As long as a workspace's: a killed worker's blanks are deleted by another within that time. */
export const blankLeaseSeconds = 15;

/** All of them: there are few. Oldest first. */
export const listBlanks = (db: Connection): Promise<BlankRow[]> => db.select().from(blanks).orderBy(asc(blanks.createdAt), asc(blanks.id));

/**
 * Writes down a blank that `worker` is about to start; null if there are `most` already, however many workers ask at once. Its id does not
 * tell when it was made.
 */
export async function addBlank(
  db: Database,
  shape: BlankShape & Pick<BlankRow, "secrets">,
  { most, worker, now }: { most: number; worker: string; now: Date },
): Promise<BlankRow | null> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('slipway blanks'))`);
    const [there] = await tx.select({ number: count() }).from(blanks);
    if (there!.number >= most) return null;
    const [row] = await tx
      .insert(blanks)
      .values({
        ...shape,
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

/** From now on it may be taken. False if `worker` no longer holds it. */
export async function offerBlank(db: Connection, worker: string, id: string, specHash: string): Promise<boolean> {
  const offered = await db
    .update(blanks)
    .set({ state: "ready", specHash, leaseOwner: null, leaseUntil: null })
    .where(and(held(id, worker), eq(blanks.state, "making")))
    .returning({ id: blanks.id });
  return offered.length > 0;
}

/** Withdraws it, for `worker` to delete. False if somebody has taken it, or another worker holds it: then it must not be touched. */
export async function withdrawBlank(db: Connection, worker: string, id: string): Promise<boolean> {
  const withdrawn = await db
    .update(blanks)
    .set({ state: "leaving", leaseOwner: worker, leaseUntil: leaseFor(blankLeaseSeconds) })
    .where(
      and(eq(blanks.id, id), or(isNull(blanks.leaseUntil), eq(blanks.leaseOwner, worker), lt(blanks.leaseUntil, sql`clock_timestamp()`))),
    )
    .returning({ id: blanks.id });
  return withdrawn.length > 0;
}

/** Nobody may take any of those that wait now; the next look of a pool deletes them. */
export async function withdrawAllBlanks(db: Connection): Promise<void> {
  await db.update(blanks).set({ state: "leaving" }).where(eq(blanks.state, "ready"));
}

/** Nothing of it is left on its host. */
export async function forgetBlank(db: Connection, worker: string, id: string): Promise<void> {
  await db.delete(blanks).where(and(held(id, worker), eq(blanks.state, "leaving")));
}

/**
 * Makes the oldest ready blank this workspace, which was inserted by this very transaction: it gets the blank's id, number and secrets. Of
 * two launches at the same moment each gets another blank, or none. Returns the workspace's id from now on; null: no blank fits.
 */
export async function takeBlank(tx: Connection, workspaceId: string, { engine, version, memoryMb }: BlankShape): Promise<string | null> {
  const taken = await tx.execute<{ id: string }>(sql`
    with taken as (
      delete from blanks where id = (
        select id from blanks
        where state = 'ready' and engine = ${engine} and version = ${version} and memory_mb = ${memoryMb}
        order by created_at limit 1 for update skip locked)
      returning id, number, secrets, spec_hash)
    update workspaces set id = taken.id, number = taken.number, secrets = taken.secrets, blank = taken.spec_hash
    from taken where workspaces.id = ${workspaceId} returning workspaces.id`);
  return taken.rows[0]?.id ?? null;
}

/** How many workspaces were launched since then. */
export async function countLaunches(db: Connection, since: Date): Promise<number> {
  const [row] = await db.select({ number: count() }).from(workspaces).where(gt(workspaces.createdAt, since));
  return row!.number;
}

/** Whether somebody waits for a workspace to start, restart or wake. */
export async function isSomebodyWaiting(db: Connection, now: Date): Promise<boolean> {
  const waits = (kind: string): SQL =>
    sql`exists (select from workspaces where ${workKind} = ${kind} and reconcile_at <= ${now.toISOString()}::timestamptz)`;
  const found = await db.execute<{ waiting: boolean }>(sql`select ${waits("start")} or ${waits("wake")} as waiting`);
  return found.rows[0]!.waiting;
}

const held = (id: string, worker: string): SQL | undefined => and(eq(blanks.id, id), eq(blanks.leaseOwner, worker));
