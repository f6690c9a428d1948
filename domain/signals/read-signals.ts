/**
 * Reads how well each promise is kept. One statement for each, over rows that exist anyway: a failure that is a row survives any process.
 * They read the workspaces, and of everything that grows with time only what is open or recent, by an index.
 */
import { sql, type SQL } from "drizzle-orm";
import { failureReasons, type BackupFailureCode } from "#domain/backups/backup-failure.ts";
import { mostAttempts } from "#domain/mail/sending/deliver-mail.ts";
import { readMemoryGap } from "#domain/memory-gap/memory-gap-store.ts";
import { longestWaitMs } from "#domain/updates/fleet/fleet-update-store.ts";
import { hourMs, sinceMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { readDown } from "./down-store.ts";
import { readDumpedAt } from "./dump-store.ts";
import type { PromiseName, Signal } from "./signal.ts";

/** A night's backup is made anyhow after 30 hours (domain/backups/nightly-schedule.ts); six more are for those that wait before it. */
export const backupOverdueHours = 36;
/** A mail that was given up, a failed restore and a failed export need a person within a day; after that, they are history. */
const freshHours = 24;
/** Installs are retried every ten minutes at most. An older failure belongs to a host that is gone. */
const installHours = 1;
/** Whoever asked has left the page by then. */
const lookHours = 1;

interface Row extends Record<string, unknown> {
  /** Null: nothing is open for this reason, the row carries only the last success. */
  cause: string | null;
  open: number;
  seconds: number | null;
  success: number | null;
}

/** How well each promise is kept at `now`. One statement after the other, so that it takes one database connection. */
export async function readSignals(db: Connection, now: Date): Promise<Signal[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const ago = (time: SQL) => sql`extract(epoch from ${at} - ${time})::float8`;
  const recent = (time: SQL, hours: number) => sql`${time} > ${at} - make_interval(hours => ${hours})`;
  const read = async (promise: PromiseName, open: SQL, success: SQL): Promise<Signal> => {
    const { rows } = await db.execute<Row>(sql`
      select cause, count(*)::int as open, max(${ago(sql`since`)}) as seconds, null::float8 as success from (${open}) as open group by cause
      union all select null, 0, null, ${ago(sql`(${success})`)}`);
    return toSignal(promise, rows);
  };
  const journal = (event: string) =>
    sql`select at from workspace_journal where event = ${event} and ${recent(sql`at`, freshHours)} order by at desc limit 1`;

  return [
    await onlineSignal(db, now),
    await read(
      "launch",
      sql`select coalesce(renewed_at, created_at) as since, coalesce(reason_code, 'under way') as cause
        from workspaces where desired_state = 'running' and owner_set_up_at is null`,
      sql`select max(owner_set_up_at) from workspaces`,
    ),
    await read(
      "wake",
      sql`select wake_asked_at as since, coalesce(reason_code, 'under way') as cause
        from workspaces where desired_state = 'running' and wake_asked_at is not null`,
      journal("woken"),
    ),
    await read(
      "reconcile",
      sql`select coalesce(unhealthy_since, updated_at) as since, coalesce(reason_code, 'unknown') as cause
        from workspaces where failures > 0 and not (desired_state = 'deleted' and observed_state = 'deleted')`,
      sql`select max(updated_at) from workspaces where observed_generation = generation and failures = 0`,
    ),
    await read("backup", overdueBackups(at), sql`select max(finished_at) from backups where state in ('successful', 'removed')`),
    await read(
      "restore",
      sql`select created_at as since, case when attempts > 1 then 'retried' else 'under way' end as cause from restores where finished_at is null
        union all select finished_at, 'failed' from restores where state = 'failed' and ${recent(sql`finished_at`, freshHours)}`,
      sql`select max(finished_at) from restores where state = 'successful'`,
    ),
    await read(
      "export",
      sql`select created_at as since, case when attempts > 1 then 'retried' else 'under way' end as cause
        from exports where state in ('waiting', 'running')
        union all select finished_at, 'failed' from exports where state = 'failed' and ${recent(sql`finished_at`, freshHours)}`,
      sql`select max(finished_at) from exports where state = 'ready'`,
    ),
    await read(
      "mail",
      sql`select created_at as since, case when attempts > 0 or last_error is not null then 'retried' else 'under way' end as cause
        from mails where send_at is not null
        union all select failed_at, case when attempts >= ${mostAttempts} then 'given-up' else 'refused' end
        from mails where failed_at is not null and sent_at is null and ${recent(sql`failed_at`, freshHours)}`,
      sql`select sent_at from mails where sent_at is not null order by sent_at desc limit 1`,
    ),
    // One that was put off, which counts no attempt, has an error.
    await read(
      "billing_event",
      sql`select received_at as since,
        case when run_at is null then 'given-up' when attempts > 0 or last_error is not null then 'retried' else 'under way' end as cause
        from provider_events where handled_at is null`,
      sql`select max(handled_at) from provider_events`,
    ),
    // One that was put off is due later, and has not failed.
    await read(
      "timer",
      sql`select due_at as since, 'retried' as cause from timers where attempts > 0
        union all select run_at, 'under way' from timers where attempts = 0 and run_at <= ${at}`,
      sql`null::timestamptz`,
    ),
    await comparisonSignal(db, now),
    await read(
      "install",
      sql`select updated_at as since, case when state = 'failed' then split_part(reason, ':', 1) else 'under way' end as cause
        from engine_installs where state <> 'installed' and ${recent(sql`updated_at`, installHours)}`,
      sql`select max(updated_at) from engine_installs where state = 'installed'`,
    ),
    await read(
      "fleet_update",
      sql`select coalesce(stopped_at, started_at) as since, case when state = 'stopped' then 'stopped'
            when state = 'rolling-back' and exists (select from fleet_update_workspaces p
              where p.fleet_update_id = fleet_updates.id and p.state = 'rolling-back' and p.waited_ms >= ${longestWaitMs}) then 'hangs'
            else 'under way' end as cause
        from fleet_updates where finished_at is null`,
      sql`select max(finished_at) from fleet_updates where state = 'done'`,
    ),
    await read(
      "look",
      sql`select asked_at as since, 'under way' as cause from workspace_looks where asked_at is not null and ${recent(sql`asked_at`, lookHours)}`,
      sql`null::timestamptz`,
    ),
    await read(
      "audit",
      sql`select (select at from audit_log where id = audit_id) as since, 'not written' as cause from audit_outbox`,
      // Those before the oldest that is not written are.
      sql`select at from audit_log
        where id < coalesce((select min(audit_id) from audit_outbox), ${String(2n ** 63n - 1n)}::bigint) order by id desc limit 1`,
    ),
    await dumpSignal(db, now),
    // Waiting is no failure, and seen by how long it lasts.
    await read(
      "erasure",
      sql`select erase_at as since, case when erasure_attempts > 0 then 'retried' else 'under way' end as cause
        from accounts where erase_at is not null and erased_at is null and erase_at <= ${at}`,
      sql`select erased_at from accounts where erased_at is not null order by erased_at desc limit 1`,
    ),
  ];
}

/**
 * Workspaces whose newest backup is too old, counted from when it ended, or from their first day without one. Of those that should have one
 * each night: online, awake or asleep. By the cause of the newest failure.
 */
const overdueBackups = (at: SQL): SQL => sql`
  select coalesce(made.at, w.renewed_at, w.owner_set_up_at) as since,
    case when failed.at > coalesce(made.at, '-infinity') then coalesce(failed.reason, 'failed') else 'late' end as cause
  from workspaces w
  left join lateral (select max(finished_at) as at from backups b where b.workspace_id = w.id and b.state = 'successful') made on true
  left join lateral (select finished_at as at, reason from backups b where b.workspace_id = w.id and b.state = 'failed'
    order by created_at desc limit 1) failed on true
  where w.desired_state = 'running' and w.observed_state = 'online' and w.owner_set_up_at is not null
    and (greatest(made.at, w.renewed_at, w.owner_set_up_at) < ${at} - make_interval(hours => ${backupOverdueHours}))`;

/** A backup's reason is a sentence for its owner: its code is the cause. */
const codeOfReason = new Map<string, BackupFailureCode>(
  Object.entries(failureReasons).map(([code, sentence]) => [sentence, code as BackupFailureCode]),
);
/** `under way` is open, but nothing failed. */
const isFailure = (cause: string): boolean => cause !== "under way";
const mostCauseLetters = 40;

function toSignal(promise: PromiseName, rows: readonly Row[]): Signal {
  const failures: Record<string, number> = {};
  for (const { cause, open } of rows) {
    if (cause === null || !isFailure(cause)) continue;
    const name =
      promise === "backup" ? (codeOfReason.get(cause) ?? (cause === "late" ? cause : "failed")) : cause.slice(0, mostCauseLetters);
    failures[name] = (failures[name] ?? 0) + open;
  }
  const success = rows.find((row) => row.success !== null)?.success ?? null;
  return {
    promise,
    openSeconds: Math.max(0, ...rows.map(({ seconds }) => seconds ?? 0)),
    failures,
    successSeconds: success === null ? null : Math.max(0, success),
  };
}

async function onlineSignal(db: Connection, now: Date): Promise<Signal> {
  const { down, oldestSeconds, expected } = await readDown(db, now);
  const failures: Record<string, number> = down > 0 ? { down } : {};
  return { promise: "online", openSeconds: oldestSeconds, failures, successSeconds: expected > down ? 0 : null };
}

/** Open from an hour after the night's comparison was due (domain/billing/reconcile/reconcile-loop.ts). */
async function comparisonSignal(db: Connection, now: Date): Promise<Signal> {
  const { since, reconciledAt } = await readMemoryGap(db);
  const lateMs = reconciledAt ? sinceMs(reconciledAt, now) - 25 * hourMs : 0;
  return {
    promise: "comparison",
    openSeconds: Math.max(0, lateMs, since ? sinceMs(since, now) : 0) / 1000,
    failures: { ...(since && { gap: 1 }), ...(lateMs > 0 && { late: 1 }) },
    successSeconds: reconciledAt && sinceMs(reconciledAt, now) / 1000,
  };
}

/** Open from a day and a half after the last dump, or after the first account, if there was never one. */
async function dumpSignal(db: Connection, now: Date): Promise<Signal> {
  const dumpedAt = await readDumpedAt(db);
  const first = await db.execute<{ at: Date | string | null }>(sql`select created_at as at from accounts order by id limit 1`);
  const began = first.rows[0]?.at ? new Date(first.rows[0].at) : now;
  const openSeconds = Math.max(0, sinceMs(dumpedAt ?? began, now) - backupOverdueHours * hourMs) / 1000;
  return {
    promise: "dump",
    openSeconds,
    failures: openSeconds > 0 ? { [dumpedAt ? "late" : "never"]: 1 } : {},
    successSeconds: dumpedAt && sinceMs(dumpedAt, now) / 1000,
  };
}
