/** A pooler in session mode between the program and PostgreSQL. What transaction mode would break: docs/scale.md. */
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { openDatabase } from "#platform/database.ts";
import { createLog } from "#platform/log.ts";
import { createNotifications } from "#platform/postgres/listen.ts";
import { sessionLimits } from "#platform/postgres/session-limits.ts";
import { acquireWorkspaces } from "#platform/postgres/server/data-folder-lock.ts";
import { ask } from "#testing/ask.ts";
import { findPgbouncer, startPgbouncer } from "#testing/network/start-pgbouncer.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { findFreePort, startSlipway } from "#testing/program/start-slipway.ts";

const found = await findPgbouncer();
if ("missing" in found) console.warn(`The test with PgBouncer is left out: ${found.missing}.`);

test.skipIf("missing" in found)(
  "behind PgBouncer in session mode a customer signs up and launches, and a second worker is refused",
  async () => {
    const database = await createTestDatabase({ empty: true });
    onTestFinished(() => database.close());
    await using pooler = await startPgbouncer((found as { pgbouncer: string }).pgbouncer, await findFreePort(), database.connection);
    await using slipway = await startSlipway({ env: { DATABASE_URL: pooler.url } });
    const customer = await slipway.launch();
    await slipway.until(customer, ({ status }) => status === instanceStatus.online);
    const answer = await ask(`${slipway.workspaceUrl(customer.accountName)}/hello`);
    expect(answer.json()).toMatchObject({ path: "/hello", hasOwner: true });

    const connection = { connectionString: pooler.url };
    await expect(acquireWorkspaces(connection)).rejects.toThrow("Another worker runs this service's workspaces");
    const { rows } = await database.pool.query<{ name: string }>(
      "select distinct regexp_replace(application_name, '[ ,]+process.*', '') as name from pg_stat_activity where datname = current_database() and application_name like 'slipway %' order by 1",
    );
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(["slipway data folder", "slipway listen", "slipway worker"]));
  },
);

test.skipIf("missing" in found)(
  "behind it, sessions have their limits and hear notifications, and pass nothing on to the next client",
  async () => {
    await using database = await createTestDatabase({ empty: true });
    await using pooler = await startPgbouncer((found as { pgbouncer: string }).pgbouncer, await findFreePort(), database.connection, 1);
    const connection = { connectionString: pooler.url };
    const limit = "select current_setting('statement_timeout') as limit, pg_backend_pid() as pid";
    const handle = openDatabase(connection, createLog("silent"), { max: 1 });
    const first = (await handle.pool.query<{ limit: string; pid: number }>(limit)).rows[0]!;
    await handle.pool.query("select pg_advisory_lock(1)");
    await handle.close();
    const client = new pg.Client(connection);
    await client.connect();
    expect((await client.query(limit)).rows[0]).toEqual({ limit: "0", pid: first.pid });
    await client.end();
    expect(first.limit).toBe(`${sessionLimits.serving.statementMs / 1000}s`);
    expect((await database.pool.query("select pg_try_advisory_lock(1) as free")).rows).toEqual([{ free: true }]);

    const heard: string[] = [];
    const notifications = createNotifications({ connection, log: createLog("silent") });
    const listener = await notifications.listen({
      channels: ["one"],
      onNotify: (_channel, payload) => void heard.push(payload),
      onReconnect() {},
    });
    await database.pool.query("select pg_notify('one', 'a')");
    await expect.poll(() => heard).toEqual(["a"]);
    await listener.close();
  },
);
