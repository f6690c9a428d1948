/**
 * A queue in a table: rows with a due time, a count of attempts and a lease. A worker leases due rows here; each store renews its leases and
 * ends them with an outcome. Leases are by the database's clock, which all processes share: two whose clocks differ never
 * work on one row. The due time is by the service's clock, which tests and the sandbox move.
 */
import { and, sql, type SQL } from "drizzle-orm";
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

/** For an update: no worker has the row. */
export const noLease = { leaseOwner: null, leaseUntil: null };
