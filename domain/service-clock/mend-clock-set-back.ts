/**
 * Repairs queues after the clock was set back. Queues store due times: two hours back, a mail that was due immediately is due in two
 * hours, and the lease of a dead worker ends in two hours. A due time further ahead than the queue's longest pause can only come from
 * another clock, so the row is made due now.
 */
import { sql, type SQL } from "drizzle-orm";
import { workKind } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { after, hourMs, minuteMs, secondMs } from "#platform/clock.ts";

interface Queue {
  table: string;
  due: string;
  /** Longer than the queue's longest pause. */
  mostMs: number;
  /** Rows with a longer pause than the others, in a form that an index can use, and the others in the same form. */
  patient?: { is: SQL; not: SQL; mostMs: number };
  /** Rows without a try are due immediately, so a minute ahead is already too far. */
  firstTry?: boolean;
  /** In the time of the database's clock. */
  lease?: { until: string; mostMs: number };
}

const firstTryMs = minuteMs;
/** The length of the leases of workspaces, backups and exports. */
const lease = { until: "lease_until", mostMs: 15 * secondMs };

/** No worker's lease: that of a workspace which is kept until a person decides (domain/workspaces/hosts/found-store.ts). */
const keptForGood = sql`timestamptz '9000-01-01'`;

/** Subscription timers are not included, because they may be months ahead. */
const queues: readonly Queue[] = [
  // The longest pause, after a failed install, is 10 minutes; a quiet or sleeping workspace is checked every 6 hours.
  {
    table: "workspaces",
    due: "reconcile_at",
    mostMs: 15 * minuteMs,
    patient: { is: sql`${workKind} = 'look'`, not: sql`${workKind} in ('start', 'stop', 'retry', 'wake')`, mostMs: 7 * hourMs },
    lease,
  },
  { table: "backups", due: "due_at", mostMs: 10 * minuteMs, lease },
  { table: "exports", due: "due_at", mostMs: 10 * minuteMs, lease },
  // The longest pause is two hours for mails and six for provider events.
  { table: "mails", due: "send_at", mostMs: 3 * hourMs, firstTry: true },
  { table: "provider_events", due: "run_at", mostMs: 7 * hourMs, firstTry: true },
];

/** Makes due the rows that only a clock set back can have moved so far ahead, and shortens their leases. Returns the number of rows. */
export async function mendClockSetBack(db: Connection, now: Date): Promise<number> {
  let mended = 0;
  for (const queue of queues) mended += (await db.execute(mend(queue, now))).rowCount ?? 0;
  for (const update of [mendSessions(now), mendAttempts(now)]) mended += (await db.execute(update)).rowCount ?? 0;
  return mended;
}

const moment = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`;

/**
 * A session opened or last used in the future would end too late, so its lifetime or idle time starts now. A session being ended at
 * this moment is skipped.
 */
function mendSessions(now: Date): SQL {
  const nearly = moment(after(now, minuteMs));
  const at = moment(now);
  return sql`
    update sessions set created_at = least(created_at, ${at}), last_seen_at = least(last_seen_at, ${at}), expires_at = case when created_at > ${at} then ${at} + (expires_at - created_at) else expires_at end
    where id in (select id from sessions where created_at > ${nearly} or last_seen_at > ${nearly} for no key update skip locked)`;
}

/** A pause of sign-ins and the like that began in the future would last too long, so it begins now. Takes a part at a time, by the index. */
function mendAttempts(now: Date): SQL {
  const at = moment(now);
  const future = sql`select key from attempts where last_at > ${moment(after(now, minuteMs))} order by last_at desc limit 1000`;
  return sql`
    update attempts set last_at = ${at}, blocked_until = ${at} + (blocked_until - last_at)
    where key = any(array(${future} for no key update skip locked))`;
}

function mend({ table, due, mostMs, patient, firstTry, lease: held }: Queue, now: Date): SQL {
  const [name, dueAt] = [sql.identifier(table), sql.identifier(due)];
  const isPast = (ms: number): SQL => sql`${dueAt} > ${moment(after(now, ms))}`;
  const most = patient ? sql`${patient.not} and ${isPast(mostMs)} or ${patient.is} and ${isPast(patient.mostMs)}` : isPast(mostMs);
  const tooFar = sql`(${most}${firstTry ? sql` or attempts = 0 and ${isPast(firstTryMs)}` : sql``})`;
  if (!held) return sql`update ${name} set ${dueAt} = ${moment(now)} where ${tooFar}`;
  const until = sql.identifier(held.until);
  const longest = sql`clock_timestamp() + make_interval(secs => ${held.mostMs / secondMs})`;
  // A live worker renews a shortened lease in time; a dead one does not. The second allows for two readings of the clock. In the order in
  // which uses are recorded and leases renewed, so that they never deadlock; as an array, because the planner expects few of it and takes
  // the index.
  return sql`
    update ${name} set ${dueAt} = case when ${tooFar} then ${moment(now)} else ${dueAt} end, ${until} = case when ${until} > ${longest} and ${until} < ${keptForGood} then ${longest} else ${until} end
    where id = any(array(
      select id from ${name} where ${tooFar} or ${until} > ${longest} + interval '1 second' and ${until} < ${keptForGood}
      order by id for no key update))`;
}
