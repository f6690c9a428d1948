import { drizzle } from "drizzle-orm/node-postgres";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import * as tables from "#database/tables.ts";
import { newId } from "#platform/ids.ts";
import { dayMs } from "#platform/clock.ts";
import { createTestBilling, owner } from "#testing/payments/test-billing.ts";
import { tablesScanned } from "#testing/database/query-plans.ts";
import { cancelSubscription } from "./purchases/cancel-subscription.ts";
import { doWhatIsDue } from "./provider-truth/billing-loop.ts";
import { receiveEvent } from "./provider-truth/provider-event-store.ts";
import { deleteOldRows } from "#apps/program/retention/delete-old-rows.ts";

const rows = 20_000;
const large = ["accounts", "users", "subscriptions", "timers", "checkouts", "provider_events", "idempotency_keys", "workspaces"];

test("no billing query reads a whole table, however many subscriptions there are", async () => {
  await using world = await createTestBilling();
  const { pool } = world.database;
  const id = sql.raw("('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid");
  const from = sql.raw(`from generate_series(1, ${rows}) n`);
  const later = sql.raw("'2027-06-01T00:00:00Z'::timestamptz - n * interval '1 minute'");
  for (const statement of [
    sql`insert into accounts (id, name, created_at) select ${id}, 'b' || n, ${later} ${from}`,
    sql`insert into users (id, account_id, email, full_name, password_hash, created_at) select ${id}, ${id}, n || '@example.com', 'Ada', '-', ${later} ${from}`,
    sql`insert into subscriptions (account_id, plan_id, spec_id, status, provider, provider_customer_id, provider_subscription_id, started_at, period_starts_at, period_ends_at)
      select ${id}, 'pro-1-monthly', 'pro-1', 'active', 'sandbox', 'c' || n, 's' || n, ${later}, ${later}, ${later} ${from}`,
    sql`insert into timers (account_id, kind, due_at, run_at) select ${id}, 'truth-check', ${later}, ${later} ${from}`,
    sql`insert into checkouts (provider, checkout_id, account_id, plan_id, currency, url, state, created_at) select 'sandbox', 'c' || n, ${id}, 'pro-1-monthly', 'USD', '', 'paid', ${later} ${from}`,
    sql`insert into provider_events (provider, event_id, kind, type, occurred_at, received_at, handled_at) select 'sandbox', 'e' || n, 'other', 'other', ${later}, ${later}, ${later} ${from}`,
    sql`insert into idempotency_keys (account_id, key, call, request_hash, state, created_at, lease_until) select ${id}, 'k' || n, 'change', '', 'done', ${later}, ${later} ${from}`,
    sql`insert into workspaces (id, account_id, engine, desired_state, desired_version, timezone, memory_mb, secrets, created_at, updated_at) select ${id}, ${id}, 'n8n', 'running', '1', 'Etc/UTC', 1024, '-', ${later}, ${later} ${from}`,
    sql`analyze`,
  ])
    await world.database.db.execute(statement);

  const seen = new Map<string, unknown[]>();
  const logged = drizzle(pool, { schema: tables, logger: { logQuery: (query, params) => void seen.set(query, params) } });
  world.billing.db = logged;
  const accountId = await world.addAccount();
  await world.buy(accountId, "starter-monthly");
  for (const event of world.provider.takeEvents()) await receiveEvent(logged, "sandbox", event, world.clock.now());
  await doWhatIsDue(world.billing);
  await cancelSubscription(world.billing, accountId, { reason: null }, owner, newId());
  world.clock.advance(29 * dayMs);
  await doWhatIsDue(world.billing);
  await deleteOldRows(logged, world.clock.now());

  const scans: string[] = [];
  for (const [query, params] of seen)
    for (const table of (await tablesScanned(pool, query, params)) ?? []) if (large.includes(table)) scans.push(`${table}: ${query}`);
  expect(seen.size).toBeGreaterThan(20);
  expect(scans).toEqual([]);
});
