/** Rows of a fleet of any size, made by statements of SQL in seconds: for the plans of queries, not for what they return. */
import { sql, type SQL } from "drizzle-orm";

/** A healthy fleet of `rows` paying customers. Nothing is due except what each statement is about. */
export function fleetOf(rows: number): SQL[] {
  const id = sql.raw("('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid");
  const from = sql.raw(`from generate_series(1, ${rows}) n`);
  const later = sql.raw("'2027-06-01T00:00:00Z'::timestamptz + n * interval '1 minute'");
  const ago = sql.raw("'2027-01-10T09:00:00Z'::timestamptz - n * interval '1 minute'");
  const date = sql.raw("to_char('2027-01-10'::date - (n % 30), 'YYYY-MM-DD')");
  return [
    sql`insert into accounts (id, name, created_at) select ${id}, 'b' || n, ${ago} ${from}`,
    sql`insert into users (id, account_id, email, full_name, password_hash, created_at) select ${id}, ${id}, n || '@example.com', 'Ada', '-', ${ago} ${from}`,
    sql`insert into sessions (token_hash, user_id, created_at, last_seen_at, expires_at) select n::text, ${id}, ${ago}, ${ago}, ${later} ${from}`,
    sql`insert into link_tokens (token_hash, purpose, user_id, email, created_at, expires_at) select n::text, 'magic-link', ${id}, '', ${ago}, ${later} ${from}`,
    sql`insert into known_browsers (id, token_hash, user_id, signed_in_at) select ${id}, n::text, ${id}, ${later} ${from}`,
    sql`insert into attempts (key, count, last_at) select n::text, 1, ${later} ${from}`,
    sql`insert into call_counts (key, calls, until) select n::text, 1, ${later} ${from}`,
    sql`insert into used_challenges (hash, expires_at) select n::text, ${later} ${from}`,
    sql`insert into subscriptions (account_id, plan_id, spec_id, status, provider, provider_customer_id, provider_subscription_id, started_at, period_starts_at, period_ends_at)
      select ${id}, 'pro-1-monthly', 'pro-1', 'active', 'sandbox', 'c' || n, 's' || n, ${ago}, ${ago}, ${later} ${from}`,
    sql`insert into renewal_notices (account_id, renews_at) select ${id}, ${ago} ${from}`,
    sql`insert into timers (account_id, kind, due_at, run_at) select ${id}, 'truth-check', ${later}, ${later} ${from}`,
    sql`insert into checkouts (provider, checkout_id, account_id, plan_id, currency, url, state, created_at) select 'sandbox', 'c' || n, ${id}, 'pro-1-monthly', 'USD', '', 'paid', ${ago} ${from}`,
    sql`insert into provider_events (provider, event_id, kind, type, occurred_at, received_at, handled_at) select 'sandbox', 'e' || n, 'other', 'other', ${ago}, ${ago}, ${ago} ${from}`,
    sql`insert into idempotency_keys (account_id, key, call, request_hash, state, created_at, lease_until) select ${id}, 'k' || n, 'change', '', 'done', ${later}, ${later} ${from}`,
    sql`insert into held_refunds (provider, subscription_id, account_id, amount, currency, held_at, decision) select 'sandbox', 's' || n, ${id}, 1, 'USD', ${ago}, 'refund' ${from}`,
    sql`insert into corrections (at, account_id, kind, detail) select ${ago}, ${id}, 'unknown-subscription', '' ${from}`,
    sql`insert into cards (account_id, brand, last_four, ends_at) select ${id}, 'visa', '4242', ${later} + interval '1 year' ${from}`,
    sql`insert into invoices (id, account_id, provider, provider_invoice_id, number, issued_at, description, currency, total, tax, status, document, receipt_queued_at)
      select ${id}, ${id}, 'sandbox', 'i' || n, 'n' || n, ${ago} - n * interval '1 hour', '', 'USD', 100, 0, 'paid', '{}', ${ago} ${from}`,
    sql`insert into payments (id, account_id, invoice_id, provider, provider_payment_id, at, currency, amount, status) select ${id}, ${id}, ${id}, 'sandbox', 'p' || n, ${ago}, 'USD', 100, 'succeeded' ${from}`,
    sql`insert into workspaces (id, account_id, engine, desired_state, desired_version, observed_version, observed_state, observed_generation, auto_update, timezone, memory_mb, secrets, address, owner_set_up_at, nightly_at, reconcile_at, created_at, updated_at)
      select ${id}, ${id}, 'n8n', 'running', '1', '1', 'online', 1, n % 100 = 0, 'Etc/UTC', 1024, '-', '127.0.0.1:' || n, ${ago}, '2027-01-10T10:00:00Z'::timestamptz + (n % 1440) * interval '1 minute', '2027-01-10T09:00:00Z'::timestamptz + (n % 360) * interval '1 minute', ${ago}, ${ago} ${from}`,
    sql`insert into sleeping_webhooks (workspace_id, asleep_since, paths, templates) select ${id}, ${ago}, '{}', '{}' ${from}`,
    sql`insert into workspace_journal (workspace_id, at, event, message) select ${id}, ${ago}, 'online', '' ${from}`,
    sql`insert into workspace_memory (workspace_id, at, memory_mb) select ${id}, ${later}, 400 ${from}`,
    sql`insert into workspace_hours (workspace_id, hour, memory_mb) select ${id}, ${later}, 400 ${from}`,
    sql`insert into webhook_calls (workspace_id, span_minutes, at, calls, client_errors, failed, waited, latency)
      select ${id}, case when n % 10 = 0 then 60 else 1 end, ${later}, 1, 0, 0, 0, '{}' ${from}`,
    sql`insert into workspace_looks (workspace_id, kind) select ${id}, 'logs' ${from}`,
    sql`insert into usage_counters (workspace_id, epoch, said_period, date, period_starts_at, executions, failed) select ${id}, 'e', '', ${date}, ${ago}, 1, 0 ${from}`,
    sql`insert into usage_checks (workspace_id, date) select ${id}, ${date} ${from}`,
    sql`insert into usage_periods (account_id, starts_at) select ${id}, ${ago} ${from}`,
    sql`insert into usage_days (account_id, date) select ${id}, ${date} ${from}`,
    sql`insert into gateway_counts (workspace_id, date, run, executions) select ${id}, ${date}, ${id}, 1 ${from}`,
    sql`insert into backups (id, account_id, workspace_id, kind, state, engine, engine_version, kept_until, created_at) select ${id}, ${id}, ${id}, 'nightly', 'successful', 'n8n', '1', ${later}, '2027-01-10T08:00:00Z' ${from}`,
    sql`insert into restores (id, workspace_id, life, backup_id, state, actor, created_at, finished_at) select ${id}, ${id}, 1, ${id}, 'successful', '', ${ago}, ${ago} ${from}`,
    sql`insert into exports (id, account_id, workspace_id, with_credentials, state, kept_until, created_at) select ${id}, ${id}, ${id}, false, 'ready', ${later}, ${ago} ${from}`,
    sql`insert into workspace_updates (id, workspace_id, life, from_version, to_version, asked_by, state, started_at, finished_at) select ${id}, ${id}, 1, '1', '2', 'window', 'successful', ${ago}, ${ago} ${from}`,
    sql`insert into fleet_updates (id, engine, to_version, state, waves, soak_seconds, stepped_at, at_once, most_failures, most_failed_percent, operator, started_at, finished_at)
      select ${id}, 'n8n', '2', 'done', 9, 60, ${ago}, 3, 1, 10, '', ${ago}, ${ago} ${from} limit 300`,
    sql`insert into fleet_update_workspaces (fleet_update_id, workspace_id, life, wave, state, from_version, journal_id, updated_at)
      select u.id, w.id, 1, 1, 'updated', '1', 1, '2027-01-10T09:00:00Z' from fleet_updates u, (select id from workspaces order by id limit 100) w`,
    sql`insert into attempts (key, count, last_at) select lpad(n::text, 64, '0'), 1, '2027-01-10T08:00:00Z'::timestamptz - n * interval '1 second' ${from}`,
    sql`insert into mails (id, recipient, subject, text, html, created_at, sent_at) select ${id}, n || '@example.com', '', '', '', ${ago}, ${ago} ${from}`,
    sql`insert into audit_log (at, account_id, action) select ${ago}, ${id}, 'account.created' ${from}`,
    sql`insert into sandbox_customers (id, account_id, email, name, currency, created_at) select 'c' || n, ${id}, '', '', 'USD', ${ago} ${from}`,
    sql`insert into sandbox_subscriptions (id, customer_id, account_id, status, currency, tax_inclusive, items, paid_items, anchor_at, period_starts_at, period_ends_at, due_at, changed_at, created_at)
      select 's' || n, 'c' || n, ${id}, 'active', 'USD', false, '{}', '{}', ${ago}, ${ago}, ${later}, ${later}, ${ago}, ${ago} ${from}`,
    sql`insert into sandbox_webhooks (id, type, payload, occurred_at, delivered_at) select 'w' || n, 'subscription.updated', '{}', ${ago}, ${ago} ${from}`,
    sql`analyze`,
  ];
}

/** How many rows the accounts of `longId` have of what is listed by account or workspace: more than any page shows. */
const long = 2_000;

/** Accounts with a long history, each written between the lines of the others, as in a fleet that has run for a year. */
export const longIds = [1, 2, 3, 4, 5].map((n) => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`);

/**
 * Run after `fleetOf`: everything is overdue, on ten hosts, and a few accounts have long histories. What a claim or a page reads then shows
 * whether an index leads it to its rows.
 */
export function overdueAndLong(rows: number): SQL[] {
  const ago = sql.raw("'2027-01-10T08:00:00Z'::timestamptz - n * interval '1 second'");
  const id = sql.raw("('00000000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid");
  const owner = sql.raw("('00000000-0000-7000-8000-' || lpad((n % 5 + 1)::text, 12, '0'))::uuid");
  const any = sql.raw("('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid");
  const many = sql.raw(`from generate_series(1, ${long * longIds.length}) n`);
  const each = sql.raw(`from generate_series(1, ${rows}) n`);
  return [
    sql`update workspaces set host = case when number % 10 = 0 then 'main' else 'host-' || number % 10 end, reconcile_at = '2027-01-10T08:00:00Z', auto_update = true`,
    sql`insert into workspace_journal (workspace_id, at, event, message) select ${owner}, ${ago}, 'online', '' ${many}`,
    sql`insert into workspace_journal (workspace_id, at, event, message) select ${any}, ${ago}, 'online', '' ${each}, generate_series(1, greatest(1, ${sql.raw(String(Math.round(30_000 / rows)))})) times`,
    sql`insert into audit_log (at, account_id, action) select ${ago}, ${owner}, 'account.created' ${many}`,
    sql`insert into invoices (id, account_id, provider, provider_invoice_id, number, issued_at, description, currency, total, tax, status, document, receipt_queued_at, number_kept_at)
      select ${id}, ${owner}, 'sandbox', 'l' || n, 'l' || n, ${ago}, '', 'USD', 100, 0, 'paid', '{}', ${ago}, ${ago} ${many}`,
    sql`insert into payments (id, account_id, invoice_id, provider, provider_payment_id, at, currency, amount, status) select ${id}, ${owner}, ${id}, 'sandbox', 'l' || n, ${ago}, 'USD', 100, 'succeeded' ${many}`,
    sql`insert into mails (id, recipient, subject, text, html, created_at, sent_at) select ${id}, n % 5 + 1 || '@example.com', '', '', '', ${ago}, ${ago} ${many}`,
    sql`insert into workspace_updates (id, workspace_id, life, from_version, to_version, asked_by, state, started_at, finished_at) select ${id}, ${owner}, 1, '1', '2', 'window', 'successful', ${ago}, ${ago} ${many}`,
    sql`insert into backups (id, account_id, workspace_id, kind, state, engine, engine_version, kept_until, created_at, finished_at) select ${id}, ${owner}, ${owner}, 'manual', 'successful', 'n8n', '1', '2027-06-01', ${ago}, ${ago} ${many}`,
    sql`insert into backups (id, account_id, workspace_id, kind, state, engine, engine_version, due_at, created_at) select gen_random_uuid(), ${any}, ${any}, 'manual', 'waiting', 'n8n', '1', ${ago}, ${ago} ${each}`,
    sql`update exports set state = 'waiting', due_at = '2027-01-10T08:00:00Z' where with_credentials = false`,
    sql`update backups set kept_until = '2027-01-10T07:00:00Z' where kind = 'nightly'`,
    sql`insert into mails (id, recipient, subject, text, html, created_at, send_at) select gen_random_uuid(), n || '@example.com', '', '', '', ${ago}, ${ago} ${each}`,
    sql`update timers set due_at = '2027-01-10T08:00:00Z', run_at = '2027-01-10T08:00:00Z'`,
    sql`insert into provider_events (provider, event_id, kind, type, occurred_at, received_at, run_at, owner_id) select 'sandbox', 'd' || n, 'other', 'other', ${ago}, ${ago}, ${ago}, ${any} ${each}`,
    sql`insert into workspace_looks (workspace_id, kind, asked_at) select ${any}, 'members', ${ago} ${each} where n <= 200`,
    sql`truncate audit_outbox`,
    sql`vacuum analyze`,
  ];
}
