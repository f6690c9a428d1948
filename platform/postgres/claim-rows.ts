/** Rows as a queue that several workers share: each worker takes rows that no other is taking, and a killed one blocks nothing. */
import { and, lt, isNull, notInArray, or, sql, type Placeholder, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable, PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Connection } from "../database.ts";

export interface DueRows<Key extends PgColumn | SQL = PgColumn | SQL> {
  /** Identifies a row among the due ones: `ctid`, the row's place, where no single column does. */
  key: Key;
  /** Which rows are due. */
  due: SQL | undefined;
  /** Which of them come first. */
  order?: readonly (PgColumn | SQL)[];
  /** At most so many. */
  most?: number | Placeholder;
}

/** The keys of due rows, each row locked until the transaction ends; rows that another transaction has locked are skipped. */
export async function lockRows<Key extends PgColumn>(tx: Connection, table: PgTable, rows: DueRows<Key>): Promise<Key["_"]["data"][]> {
  return (await dueRows(tx, table, rows)).map(({ key }) => key);
}

function dueRows(db: Connection, table: PgTable, { key, due, order = [], most }: DueRows) {
  const found = db
    .select({ key })
    .from(table)
    .where(due)
    .orderBy(...order)
    .$dynamic();
  return (most === undefined ? found : found.limit(most)).for("no key update", { skipLocked: true });
}

/**
 * The statement that claims due rows for a worker: `set` hides them from other workers, with a lease or a later due date. Add `returning`
 * for what the worker needs of them. Their order in the result is not that of `order`.
 */
export function claimRows<Table extends PgTable>(
  db: Connection,
  table: Table,
  { set, ...rows }: DueRows & { set: PgUpdateSetSource<Table> },
) {
  // With an array, the rows are chosen exactly once; a planner may run a plain sub-select again and lock more than `most`.
  return db
    .update(table)
    .set(set)
    .where(and(sql`${rows.key} = any(array(${dueRows(db, table, rows)}))`, rows.due));
}

/**
 * Not under a living worker's lease: it has none, or that has expired. Leases use the database's clock, which all workers share and which
 * the service never moves.
 */
export const isFree = (leaseUntil: PgColumn): SQL => or(isNull(leaseUntil), lt(leaseUntil, sql`clock_timestamp()`))!;

/**
 * The same for leases of `seconds`: one that ends later than any that begins now was taken before the database's clock was set back, and is
 * free, too.
 */
export const isFreeNow = (leaseUntil: PgColumn, seconds: number): SQL<boolean> =>
  sql<boolean>`(${isFree(leaseUntil)} or ${leaseUntil} > ${leaseFor(seconds)} + interval '1 second')`;

/**
 * Due at `now`, and free. The database's clock may jump ahead when the host's clock does: rows that the worker has `inHand` are not claimed
 * again, even if their lease has expired.
 */
export function isDue(columns: { id: PgColumn; dueAt: PgColumn; leaseUntil: PgColumn }, now: Date, inHand: readonly string[]): SQL {
  const { id, dueAt, leaseUntil } = columns;
  return and(sql`${dueAt} <= ${now.toISOString()}::timestamptz`, isFree(leaseUntil), notInArray(id, [...inHand]))!;
}

/** The end of a lease that begins now, by the database's clock. */
export const leaseFor = (seconds: number): SQL => sql`clock_timestamp() + make_interval(secs => ${seconds})`;
