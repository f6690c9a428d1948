/**
 * A queue in a table: rows with a due time, a count of attempts and a lease. A worker leases due rows, renews the leases while it works, and
 * ends each with an outcome or gives it back. Leases are by the database's clock, which all processes share: two whose clocks differ never
 * work on one row. The due time is by the service's clock, which tests and the sandbox move.
 */
import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable, PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Connection } from "../database.ts";
import { claimRows, isFreeNow, leaseFor, type DueRows } from "./claim-rows.ts";

type QueueTable = PgTable & { attempts: PgColumn; leaseOwner: PgColumn; leaseUntil: PgColumn };

export interface Queue<Table extends QueueTable = QueueTable> {
  table: Table;
  /** Identifies a row. */
  key: PgColumn;
  /** Null: nothing is to be done with the row. */
  dueAt: PgColumn;
  /** After so many seconds without a renewal another worker takes the row. */
  leaseSeconds: number;
}

export interface Leasing<Table extends PgTable> extends Omit<DueRows, "key" | "due"> {
  owner: SQL | string;
  /** Which rows: use `isDueAt`, or name them otherwise. Rows under a lease are never among them. */
  due: SQL | undefined;
  /** False if only a failure counts as an attempt. */
  countsAttempt?: boolean;
  set?: PgUpdateSetSource<Table>;
}

/** Due at `now`, as a Date or a placeholder in SQL. */
export const isDueAt = ({ dueAt }: Queue, now: Date | SQL): SQL =>
  sql`${dueAt} <= ${now instanceof Date ? now.toISOString() : now}::timestamptz`;

/** The statement that leases rows for a worker. Add `returning` for what it needs of them. */
export function leaseRows<Table extends QueueTable>(
  db: Connection,
  queue: Queue<Table>,
  { owner, due, countsAttempt = true, set, ...rows }: Leasing<Table>,
) {
  const { table, key, leaseSeconds } = queue;
  const leased = {
    leaseOwner: sql`${owner}::uuid`,
    leaseUntil: leaseFor(leaseSeconds),
    ...(countsAttempt && { attempts: sql`${table.attempts} + 1` }),
  };
  return claimRows(db, table, {
    ...rows,
    key,
    due: and(due, isFreeNow(table.leaseUntil, leaseSeconds)),
    set: { ...leased, ...set } as PgUpdateSetSource<Table>,
  });
}

/** Extends the leases that `owner` still has. */
export async function renewLeases(
  db: Connection,
  { table, key, leaseSeconds }: Queue,
  owner: string,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  const renewed = { leaseUntil: leaseFor(leaseSeconds) } as PgUpdateSetSource<QueueTable>;
  await db
    .update(table)
    .set(renewed)
    .where(and(inArray(key, [...keys]), eq(table.leaseOwner, owner)));
}

/**
 * Ends the lease and writes `set` with it: an outcome, or when the row is due again. False if `owner` has lost the lease, and then nothing is
 * written: another worker has the row.
 */
export async function endLease<Table extends QueueTable>(
  db: Connection,
  { table, key }: Queue<Table>,
  { owner, of }: { owner: string; of: string },
  set: PgUpdateSetSource<Table>,
): Promise<boolean> {
  const ended = await db
    .update(table)
    .set({ ...noLease, ...set } as PgUpdateSetSource<Table>)
    .where(and(eq(key, of), eq(table.leaseOwner, owner)))
    .returning({ key });
  return ended.length > 0;
}

/** For an update: no worker has the row. */
export const noLease = { leaseOwner: null, leaseUntil: null };

/** The pause after so many failed attempts: `firstMs`, then twice as long each time, up to `mostMs`. */
export const backoffMs = (attempts: number, { firstMs, mostMs }: { firstMs: number; mostMs: number }): number =>
  Math.min(firstMs * 2 ** Math.max(0, Math.min(attempts - 1, 40)), mostMs);
