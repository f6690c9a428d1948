import { globSync, readFileSync } from "node:fs";
import { drizzle } from "drizzle-orm/node-postgres";
import { expect, test } from "vitest";
import * as tables from "#database/tables.ts";
import { after, minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { fleetOf } from "#testing/fleet/fleet-rows.ts";
import { hotWork, periodicWork, type Scene } from "#testing/fleet/periodic-work.ts";
import { createTestBilling } from "#testing/payments/test-billing.ts";
import { tablesScanned } from "#testing/database/query-plans.ts";

const rows = 20_000;

/**
 * Tables that do not grow with the number of customers; `billing_lanes` holds accounts only while they are worked
 * on, `blanks` at most a thousand, `audit_outbox` what is written within seconds, `fleet_updates` what operators typed.
 */
const small = [
  "plans",
  "plan_specs",
  "service_state",
  "billing_lanes",
  "billing_findings",
  "blanks",
  "hosts",
  "engine_installs",
  "audit_outbox",
  "fleet_updates",
];

/**
 * Scans of a whole table that are intended: every running workspace must be compared with the processes of the host, one statement a
 * minute, and with what the operator was told, a few statements each half minute. What is left on a host is read while an operator empties it, and by no other host. Each night every account is compared with the
 * payment provider.
 */
const walks: readonly string[] = [
  "apps/provisioner/notice-exits.ts: workspaces",
  "apps/program/watch/observe.ts: workspaces",
  "apps/program/alarms/start-alarms.ts: workspaces",
  "apps/provisioner/host/move-out.ts: workspaces",
  "domain/billing/reconcile/reconcile-loop.ts: subscriptions",
];

test("no timer of the server and no frequent request scans a whole table, however large the fleet is", async () => {
  await using world = await createTestBilling();
  const { pool, db: plain } = world.database;
  for (const statement of fleetOf(rows)) await plain.execute(statement);
  let seen = new Map<string, unknown[]>();
  const db = drizzle(pool, { schema: tables, logger: { logQuery: (query, params) => void seen.set(query, params) } });
  const id = "00000000-0000-7000-8000-000000010000";
  const scene: Scene = { db, billing: world.billing, now: after(world.clock.now(), -minuteMs), id, worker: newId() };

  const scans: string[] = [];
  let statements = 0;
  for (const [name, work] of [...Object.entries(periodicWork), ...Object.entries(hotWork)]) {
    if (typeof work === "string") continue;
    seen = new Map();
    await work(scene);
    for (const [query, params] of seen) {
      const tables = await tablesScanned(pool, query, params);
      if (tables === null) continue;
      statements += 1;
      for (const table of tables)
        if (!small.includes(table) && !walks.includes(`${name}: ${table}`)) scans.push(`${name}: ${table}: ${query}`);
    }
  }
  expect(scans).toEqual([]);
  expect(statements).toBeGreaterThan(80);
});

test("each file of the server with a timer is among them", () => {
  const files = globSync(["apps/**/*.ts", "domain/**/*.ts", "payments/**/*.ts", "platform/**/*.ts"]);
  const ofServer = files.filter((file) => !/\.test\.ts$|^apps\/web\/|workspace-side|\/drivers\//.test(file));
  const timed = ofServer.filter((file) => /setInterval\(|createWakeLoop\(|startSweep\(/.test(readFileSync(file, "utf8")));
  expect(timed.toSorted()).toEqual(Object.keys(periodicWork).toSorted());
});
