import { sql, type SQL } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { expect, test } from "vitest";
import * as tables from "#database/tables.ts";
import { claimBackups } from "#domain/backups/backup-queue.ts";
import { claimExports } from "#domain/exports/export-store.ts";
import { mendClockSetBack } from "#domain/service-clock/mend-clock-set-back.ts";
import { countOpenUpdates, listUpdateCandidates } from "#domain/updates/update-store.ts";
import { listOpenLooks } from "#domain/workspaces/observed/look-store.ts";
import { claimDue, claimDueAmong, renewLeases } from "#domain/workspaces/observed/claim-workspaces.ts";
import { makeDue } from "#domain/workspaces/observed/due-store.ts";
import { newId } from "#platform/ids.ts";
import { createTestDatabase } from "#testing/postgres.ts";

const rows = 20_000;

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** A healthy fleet, checked once a minute. */
function fleetOf(): SQL[] {
  const id = sql.raw("('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid");
  const from = sql.raw(`from generate_series(1, ${rows}) n`);
  const soon = sql.raw("now() + n * interval '3 milliseconds'");
  const ago = sql.raw("now() - n * interval '1 minute'");
  return [
    sql`insert into accounts (id, name, created_at) select ${id}, 'b' || n, ${ago} ${from}`,
    sql`insert into users (id, account_id, email, full_name, password_hash, created_at) select ${id}, ${id}, n || '@example.com', 'Ada', '-', ${ago} ${from}`,
    sql`insert into sessions (token_hash, user_id, created_at, last_seen_at, expires_at) select n::text, ${id}, ${ago}, ${ago}, now() ${from}`,
    sql`insert into workspaces (id, account_id, engine, desired_state, desired_version, observed_version, observed_state, observed_generation, timezone, memory_mb, secrets, reconcile_at, created_at, updated_at)
      select ${id}, ${id}, 'n8n', 'running', '1', '1', 'online', 1, 'Etc/UTC', 1024, '-', ${soon}, ${ago}, ${ago} ${from}`,
    sql`insert into backups (id, account_id, workspace_id, kind, state, engine, engine_version, created_at) select ${id}, ${id}, ${id}, 'nightly', 'successful', 'n8n', '1', ${ago} ${from}`,
    sql`insert into exports (id, account_id, workspace_id, with_credentials, state, kept_until, created_at) select ${id}, ${id}, ${id}, false, 'ready', now(), ${ago} ${from}`,
    sql`insert into workspace_updates (id, workspace_id, from_version, to_version, asked_by, state, started_at, finished_at) select ${id}, ${id}, '1', '2', 'window', 'successful', ${ago}, ${ago} ${from}`,
    sql`insert into workspace_looks (workspace_id, kind) select ${id}, 'logs' ${from}`,
    sql`insert into mails (id, recipient, subject, text, html, created_at, sent_at) select ${id}, n || '@example.com', '', '', '', ${ago}, ${ago} ${from}`,
    sql`insert into provider_events (provider, event_id, kind, type, occurred_at, received_at, handled_at) select 'sandbox', 'e' || n, 'other', 'other', ${ago}, ${ago}, ${ago} ${from}`,
    sql`analyze`,
  ];
}

test("no worker reads a whole table to find due work, however large the fleet is", { timeout: 60_000 }, async () => {
  await using database = await createTestDatabase();
  for (const statement of fleetOf()) await database.db.execute(statement);
  const seen = new Map<string, unknown[]>();
  const db = drizzle(database.pool, { schema: tables, logger: { logQuery: (query, params) => void seen.set(query, params) } });
  const [worker, now, id] = [newId(), new Date(), newId()];
  await mendClockSetBack(db, now);
  await claimDue(db, worker, now, { start: 4, stop: 3, look: 3, retry: 1 }, [id]);
  await claimDueAmong(db, worker, now, [id], 3, []);
  await renewLeases(db, worker, [id]);
  await makeDue(db, id, now);
  await claimBackups(db, worker, now, 32, [id]);
  await claimExports(db, worker, now, 4, [id]);
  await listOpenLooks(db, 1_000, [`${id} logs`]);
  await listUpdateCandidates(db, "automatic");
  await countOpenUpdates(db, now);

  const scans: string[] = [];
  for (const [query, params] of seen) {
    const plan = (await database.pool.query<{ "QUERY PLAN": { Plan: PlanNode }[] }>(`explain (format json) ${query}`, params)).rows[0]![
      "QUERY PLAN"
    ][0]!.Plan;
    for (const node of nodesOf(plan))
      if (node["Node Type"] === "Seq Scan" && node["Relation Name"]) scans.push(`${node["Relation Name"]}: ${query}`);
  }
  expect(seen.size).toBeGreaterThan(13);
  expect(scans).toEqual([]);
});
