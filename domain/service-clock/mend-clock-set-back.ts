/**
 * What a clock that was set back would hold up. Queues say "not before this moment": after two hours back, a mail that was due at once
 * is due in two hours, and the lease of a worker that died ends in two hours. Nobody ever waits or holds for that long, so what lies
 * further ahead than the longest pause was written by another clock, and is due now.
 */
import { sql, type SQL } from "drizzle-orm";
import type { Connection } from "#platform/database.ts";
import { after, hourMs, minuteMs, secondMs } from "#platform/clock.ts";

interface Queue {
  table: string;
  due: string;
  /** Longer than its longest pause. */
  mostMs: number;
  /** Before its first try nothing waits: no longer than a lease. */
  firstTry?: boolean;
  /** By the database's clock. */
  lease?: { until: string; mostMs: number };
}

const firstTryMs = minuteMs;
/** As long as the leases of workspaces, backups and exports are given for. */
const lease = { until: "lease_until", mostMs: 15 * secondMs };

/** Timers of subscriptions are missing on purpose: they are moments in a customer's life, months ahead. */
const queues: readonly Queue[] = [
  // The longest pause is that of an install that failed: 10 minutes.
  { table: "workspaces", due: "reconcile_at", mostMs: 15 * minuteMs, lease },
  { table: "backups", due: "due_at", mostMs: 10 * minuteMs, lease },
  { table: "exports", due: "due_at", mostMs: 10 * minuteMs, lease },
  // A mail server that refuses is asked again after two hours, a provider's event after six.
  { table: "mails", due: "send_at", mostMs: 3 * hourMs, firstTry: true },
  { table: "provider_events", due: "run_at", mostMs: 7 * hourMs, firstTry: true },
];

/** Makes due what only a clock set back can have moved so far ahead, and shortens such leases to what they may be; says how many rows. */
export async function mendClockSetBack(db: Connection, now: Date): Promise<number> {
  let mended = 0;
  for (const queue of queues) mended += (await db.execute(mend(queue, now))).rowCount ?? 0;
  mended += (await db.execute(mendSessions(now))).rowCount ?? 0;
  return mended;
}

const moment = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`;

/**
 * A session that was opened or used later than now would end that much too late: its life, or its silence, begins now. One that
 * somebody ends at this moment is left alone.
 */
function mendSessions(now: Date): SQL {
  const nearly = moment(after(now, minuteMs));
  const at = moment(now);
  return sql`
    update sessions set created_at = least(created_at, ${at}), last_seen_at = least(last_seen_at, ${at}), expires_at = case when created_at > ${at} then ${at} + (expires_at - created_at) else expires_at end
    where id in (select id from sessions where created_at > ${nearly} or last_seen_at > ${nearly} for update skip locked)`;
}

function mend({ table, due, mostMs, firstTry, lease: held }: Queue, now: Date): SQL {
  const [name, dueAt] = [sql.identifier(table), sql.identifier(due)];
  const tooFar = sql`(${dueAt} > ${moment(after(now, mostMs))}${firstTry ? sql` or attempts = 0 and ${dueAt} > ${moment(after(now, firstTryMs))}` : sql``})`;
  if (!held) return sql`update ${name} set ${dueAt} = ${moment(now)} where ${tooFar}`;
  const until = sql.identifier(held.until);
  const longest = sql`clock_timestamp() + make_interval(secs => ${held.mostMs / secondMs})`;
  // A worker that lives renews a shortened lease within its time; one that died does not. The second is between two readings of the clock.
  return sql`
    update ${name} set ${dueAt} = case when ${tooFar} then ${moment(now)} else ${dueAt} end, ${until} = case when ${until} > ${longest} then ${longest} else ${until} end
    where ${tooFar} or ${until} > ${longest} + interval '1 second'`;
}
