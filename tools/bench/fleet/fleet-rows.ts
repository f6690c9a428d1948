/** The rows of a fleet of quiet, healthy workspaces, and changes of some of them. */
import { sql } from "drizzle-orm";
import type { ClientConfig } from "pg";
import { hourMs, secondMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";

export interface WorkerOptions {
  connection: ClientConfig;
  /** Workspaces of the fleet. */
  count: number;
  /** Runs a billing loop whose provider does not answer before the worker is sent a message; all of its calls then fail together. */
  hangingProvider: boolean;
}

export const fleetVersion = "1.0.0";
/** Leads nowhere: simulated workspaces answer by the simulated engine. */
export const addressOf = "memory.invalid:20000";
/** More often than the product's minute, so that a short measurement has one. */
export const comparedEveryMs = 10 * secondMs;
/** The longest wait of a quiet workspace, less half of its spread. */
const meanWaitMs = 5.25 * hourMs;

export const idOf = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
const id = sql.raw("('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid");

/** Adds the workspaces `from` up to and without `to`, on trial, with their next looks spread as they are after a quiet day. */
export async function addWorkspaces(db: Database, from: number, to: number): Promise<void> {
  const rows = sql`from generate_series(${from}::int, ${to - 1}::int) n`;
  const dayAgo = sql.raw("now() - interval '1 day'");
  const nextLook = sql.raw(`now() + random() * ${meanWaitMs} * interval '1 millisecond'`);
  await db.execute(sql`insert into accounts (id, name, set_up_at, created_at) select ${id}, 'f' || n, ${dayAgo}, ${dayAgo} ${rows}`);
  await db.execute(
    sql`insert into users (id, account_id, email, full_name, password_hash, confirmed_at, created_at) select ${id}, ${id}, n || '@example.com', 'Ada', '-', ${dayAgo}, ${dayAgo} ${rows}`,
  );
  await db.execute(sql`insert into subscriptions (account_id, plan_id, spec_id, status, started_at, period_starts_at, period_ends_at)
    select ${id}, 'trial-1', 'trial-1', 'trialing', ${dayAgo}, ${dayAgo}, now() + interval '13 days' ${rows}`);
  await db.execute(sql`insert into workspaces (id, account_id, engine, desired_state, desired_version, observed_version, observed_state, observed_generation, timezone, memory_mb,
      secrets, address, gateway_open, owner_set_up_at, owner_passed, profile_passed_at, started_at, reconcile_at, created_at, updated_at)
    select ${id}, ${id}, 'n8n', 'running', ${fleetVersion}, ${fleetVersion}, 'online', 1, 'Etc/UTC', 1024,
      '-', ${addressOf}, true, ${dayAgo}, n || '@example.com Ada', ${dayAgo}, ${dayAgo}, ${nextLook}, ${dayAgo}, ${dayAgo} ${rows}`);
  await db.execute(sql`analyze`);
}

/** Assigns this many subscriptions to a payment provider, to which each has one call due now. */
export async function makeCallsDue(db: Database, calls: number): Promise<void> {
  const chosen = sql`select id from accounts order by id limit ${calls}`;
  await db.execute(sql`update subscriptions set status = 'active', plan_id = 'pro-1-monthly', spec_id = (select spec_id from plans where id = 'pro-1-monthly'),
    provider = 'sandbox', provider_subscription_id = account_id, provider_customer_id = account_id where account_id in (${chosen})`);
  // The program's times have milliseconds: it would not recognise a timer with microseconds as the one that it has read.
  const now = sql.raw("date_trunc('milliseconds', now())");
  await db.execute(
    sql`insert into timers (account_id, kind, due_at, run_at) select id, 'truth-check', ${now}, ${now} from (${chosen}) chosen`,
  );
}

/** How many of those calls have not begun. */
export async function countCallsDue(db: Database): Promise<number> {
  const found = await db.execute<{ n: number }>(sql`select count(*)::int n from timers where kind = 'truth-check' and run_at <= now()`);
  return found.rows[0]!.n;
}

const list = (ids: readonly string[]) => sql`${`{${ids.join(",")}}`}::uuid[]`;

/** Requests restarts in one statement, as many owners would at the same moment. */
export async function restart(db: Database, ids: readonly string[]): Promise<void> {
  await db.execute(sql`
    with changed as (
      update workspaces set generation = generation + 1, reconcile_at = now(), updated_at = now() where id = any(${list(ids)}) returning id)
    select pg_notify('workspace_changed', id || ' f') from changed`);
}

/** How many of them are not in their desired state. */
export async function countUnsettled(db: Database, ids: readonly string[]): Promise<number> {
  const found = await db.execute<{ n: number }>(
    sql`select count(*)::int n from workspaces where id = any(${list(ids)}) and (observed_generation <> generation or observed_state <> 'online' or lease_owner is not null)`,
  );
  return found.rows[0]!.n;
}
