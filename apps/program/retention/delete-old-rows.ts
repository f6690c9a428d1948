/** The job that keeps the promises of ./how-long.ts: every hour, in batches, so that no statement holds many rows or takes long. */
import { getTableName, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { after, hourMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { retention, type AgeRule, type MostRule } from "./how-long.ts";

/** Rows of one statement: a few milliseconds each, with their indexes. */
const batch = 1_000;
/** Rows added since the last hour's round, or the one before if it failed. */
const recentMs = 2 * hourMs + hourMs / 2;

interface Log {
  warn(fields: object, message: string): void;
}

/** Deletes what is older than it is kept. A table that fails does not stop the others; the job tries again in an hour. */
export async function deleteOldRows(db: Database, now: Date, log?: Log): Promise<void> {
  const failures: unknown[] = [];
  for (const [name, rule] of Object.entries(retention)) {
    if (!("deleted" in rule)) continue;
    try {
      for (const each of rule.deleted) await deleteOlder(db, each, now);
      if (rule.most) await deleteBeyond(db, rule.most, now);
    } catch (err) {
      failures.push(err);
      log?.warn({ err, table: name }, "old rows of a table could not be deleted");
    }
  }
  if (failures.length > 0 && !log) throw failures[0];
}

const name = (column: AnyPgColumn) => sql.identifier(column.name);
const tableOf = (column: AnyPgColumn) => sql.identifier(getTableName(column.table));

async function deleteOlder(db: Database, { since, keptMs, where, isDatabaseTime }: AgeRule, now: Date): Promise<void> {
  const table = tableOf(since);
  const before = isDatabaseTime ? sql`now() - make_interval(secs => ${keptMs / 1000})` : sql`${after(now, -keptMs)}::timestamptz`;
  const old = sql`select ctid from ${table} where ${name(since)} < ${before}${where ? sql` and ${where}` : sql``} limit ${batch}`;
  await inBatches(() => db.execute(sql`delete from ${table} where ctid = any(array(${old}))`));
}

/** Counts only where rows were added lately: the others had no more than they may have then. */
async function deleteBeyond(db: Database, { of, most, newest, addedAt }: MostRule, now: Date): Promise<void> {
  const table = tableOf(of);
  const [owner, order] = [name(of), name(newest)];
  const lately = sql`select distinct ${owner} as owner from ${table} where ${name(addedAt)} > ${after(now, -recentMs)}::timestamptz`;
  const { rows } = await db.execute<{ owner: string; last: string }>(sql`
    select lately.owner, cut.last::text from (${lately}) lately
    cross join lateral (
      select ${order} as last from ${table} where ${owner} = lately.owner order by ${order} desc offset ${most} limit 1
    ) cut`);
  for (const { owner: id, last } of rows) {
    const beyond = sql`select ctid from ${table} where ${owner} = ${id} and ${order} <= ${last} limit ${batch}`;
    await inBatches(() => db.execute(sql`delete from ${table} where ctid = any(array(${beyond}))`));
  }
}

async function inBatches(deleteSome: () => Promise<{ rowCount: number | null }>): Promise<void> {
  while (((await deleteSome()).rowCount ?? 0) >= batch);
}
