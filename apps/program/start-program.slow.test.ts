import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { mostSessions } from "#platform/postgres/session-counts.ts";
import { acquireDataFolder } from "#platform/postgres/server/data-folder-lock.ts";
import { ask } from "#testing/ask.ts";
import { ordinaryUser } from "#testing/program/ordinary-user.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { findFreePort, prepareSlipway, startSlipway, type Slipway, type SlipwayOptions } from "#testing/program/start-slipway.ts";
import { instanceOf, workspaceProcesses } from "#testing/fleet/workspace-processes.ts";

/** A start and a launch, while other work runs. */
const startTimeoutMs = 180_000;
const isOnline = ({ status }: { status: number }) => status === instanceStatus.online;
const somebody = ordinaryUser([process.execPath, join(import.meta.dirname, "../main.ts")]);

const starters: [who: string, options: SlipwayOptions][] = [
  ["the user running the tests", {}],
  ["an ordinary user", { user: somebody }],
];

describe.each(starters)("started by %s, in a folder with a space in its name", (_who, options) => {
  test("a fresh data folder becomes a service with a workspace that answers", async () => {
    await using slipway = await startSlipway({ folderName: "my data", makesDatabase: true, ...options });
    const customer = await slipway.launch();
    await slipway.until(customer, isOnline);
    const answer = await ask(`${slipway.workspaceUrl(customer.accountName)}/hello?a=1`, { method: "POST", body: "text" });
    expect(answer.json()).toMatchObject({ method: "POST", path: "/hello?a=1", body: "text", hasOwner: true });
    expect((await slipway.journal(customer)).map(({ event }) => event)).toEqual(["requested", "started", "online"]);
    expect(workspaceProcesses(slipway.dataDir)).toHaveLength(1);
    expect(statSync(join(slipway.dataDir, "secret-key")).mode & 0o777).toBe(0o600);
    // The addresses for the person at the terminal.
    for (const line of [slipway.url, `${slipway.url}/dev/inbox`, slipway.dataDir]) expect(slipway.output()).toContain(`  ${line}\n`);
    // Secrets must never reach a log.
    for (const secret of [customer.password, customer.token]) expect(slipway.output()).not.toContain(secret);
  });
});

test("a program whose disk has less free space than its floor is not ready and says why", async () => {
  await using slipway = await prepareSlipway({ env: { HOST_DISK_FLOOR_MB: "16777216" } });
  slipway.launchProgram();
  const readyz = async (): Promise<object> => (await ask(`${slipway.url}/readyz`).catch(() => undefined))?.json() ?? {};
  await expect
    .poll(readyz, { timeout: startTimeoutMs, interval: 200 })
    .toMatchObject({ status: "not ready", checks: { database: true, roles: true, "host: room": false } });
  expect(slipway.output()).toContain("this host has a problem that affects workspaces");
});

describe("one port", () => {
  test("serves panel, workspaces and health on IPv4 and IPv6, and unknown hosts a page", async () => {
    await using slipway = await startSlipway();
    const { port } = slipway;
    for (const connectTo of ["127.0.0.1", "::1"]) {
      const from = (host: string, path: string, headers = {}) =>
        ask(`http://localhost:${port}${path}`, { connectTo, headers: { host, ...headers } });
      expect((await from(`localhost:${port}`, "/healthz")).json()).toEqual({ status: "up" });
      expect((await from(`localhost:${port}`, "/readyz")).json()).toEqual({
        status: "ready",
        checks: { database: true, migrated: true, roles: true },
      });
      expect((await from("10.0.0.1", "/readyz")).status).toBe(200);
      expect((await from(`localhost:${port}`, "/api/fe/config")).status).toBe(200);
      for (const host of ["example.com", `nobody.localhost:${port}`, "10.0.0.1"]) {
        const page = await from(host, "/", { accept: "text/html" });
        expect(page.status).toBe(404);
        expect(page.text).toContain("There is no workspace at this URL");
        expect(page.text).toContain(slipway.url);
      }
    }
  });

  test("never shows a workspace on the panel's host, nor the panel on a workspace's", async () => {
    await using slipway = await startSlipway();
    const customer = await slipway.launch();
    await slipway.until(customer, isOnline);
    const workspace = slipway.workspaceUrl(customer.accountName);
    const tricks: Record<string, string>[] = [
      {},
      { "x-forwarded-host": new URL(workspace).host },
      { forwarded: `host=${new URL(workspace).host}` },
    ];
    for (const headers of tricks) {
      const answer = await ask(`${slipway.url}/rest/login`, { headers });
      expect(answer.text).not.toContain("hasOwner");
    }
    const own = await ask(`${workspace}/api/auth/me`, { headers: { cookie: `token=${customer.token}` } });
    expect(own.json()).toMatchObject({ hasOwner: true, path: "/api/auth/me" });
  });
});

test("processes with one role each form one service over one PostgreSQL", async () => {
  const database = await createTestDatabase({ empty: true });
  onTestFinished(() => database.close());
  const gatewayPort = await findFreePort();
  const shared = {
    DATABASE_URL: database.url,
    SECRET_KEY: "one key for all of these processes",
    PUBLIC_URL: `http://localhost:${gatewayPort}`,
  };
  const start = async (ROLES: string, port?: number): Promise<Slipway> => {
    const slipway = await startSlipway({ env: { ...shared, ROLES }, ...(port && { port }) });
    onTestFinished(() => slipway.close());
    return slipway;
  };
  // Started together: migrations must not race.
  const [api, worker, gateway] = await Promise.all([start("api"), start("worker"), start("gateway", gatewayPort)]);

  const customer = await api.launch();
  await api.until(customer, isOnline);
  const workspace = gateway.workspaceUrl(customer.accountName);
  expect((await ask(`${workspace}/x`)).json()).toMatchObject({ path: "/x" });
  expect((await ask(`${api.workspaceUrl(customer.accountName)}/x`)).status).toBe(404);
  expect((await ask(`${worker.url}/api/fe/config`)).status).toBe(404);
  for (const { url } of [api, worker, gateway]) expect((await ask(`${url}/readyz`, { headers: { host: "anything" } })).status).toBe(200);
  // Notifications cross processes: the panel's restart reaches the worker, and the worker's changes reach the gateway.
  const before = workspaceProcesses(worker.dataDir);
  expect((await api.call("PUT", "/api/instance/restart", { token: customer.token })).status).toBe(202);
  await api.until(customer, (instance) => isOnline(instance) && workspaceProcesses(worker.dataDir)[0] !== before[0]);
  expect((await ask(`${workspace}/y`)).json()).toMatchObject({ instance: instanceOf(workspaceProcesses(worker.dataDir)[0]) });
  // Counted in docs/many-processes.md, and added up in docs/scale.md: sessions outside the pools, of which each process has up to ten more.
  const { rows } = await database.pool.query<{ name: string; times: number }>(
    "select regexp_replace(application_name, '[ ,]+process.*', '') as name, count(*)::int as times from pg_stat_activity where datname = current_database() and application_name <> 'slipway' and application_name like 'slipway%' group by 1 order by 1",
  );
  expect(rows).toEqual([
    { name: "slipway", times: 2 },
    { name: "slipway data folder", times: 1 },
    { name: "slipway listen", times: 3 },
    { name: "slipway worker", times: 1 },
  ]);
  expect(rows.reduce((sum, { times }) => sum + times, 0)).toBe(mostSessions(0, true) + 2 * mostSessions(0, false));
  // The worker's output contains the audit trail of all processes, each row once.
  const told = (slipway: Slipway): number => slipway.output().match(/"audit":\{[^\n]*"action":"account\.registered"/g)?.length ?? 0;
  await expect.poll(() => told(worker)).toBe(1);
  expect(told(api) + told(gateway)).toBe(0);
  // A second worker would run every workspace once more, on its own disk.
  const second = await prepareSlipway({ env: { ...shared, ROLES: "worker" } });
  onTestFinished(() => second.close());
  second.launchProgram();
  expect(await second.ended()).toMatchObject({ code: 1 });
  expect(second.output()).toContain(`Another worker runs this service's workspaces (slipway worker, process ${worker.pid()} on `);
  // Ctrl-C in one process of several must not stop the fleet.
  expect(await worker.signal("SIGINT")).toEqual({ code: 0, signal: null });
  expect(workspaceProcesses(worker.dataDir)).toHaveLength(1);
  await worker.start();
  // All share one clock: moved by the panel's process, it ends the trial in the worker's.
  const move = async (advance: string) => (await api.call("POST", "/api/dev/clock", { body: { advance } })).json<{ settled: boolean }>();
  // One call waits for only so long; on a busy machine the next one finds all done.
  if (!(await move("15d")).settled) await expect.poll(() => move("1s"), { timeout: 120_000 }).toMatchObject({ settled: true });
  expect((await api.call("GET", "/api/account/subscription", { token: customer.token })).json()).toMatchObject({
    subscription: { status: "deleted" },
  });
});

test("a workspace that ran for a long time has the full start timeout after a restart", async () => {
  const database = await createTestDatabase({ empty: true });
  onTestFinished(() => database.close());
  await using slipway = await startSlipway({ env: { DATABASE_URL: database.url } });
  const customer = await slipway.launch();
  await slipway.until(customer, isOnline);
  const [pid] = workspaceProcesses(slipway.dataDir);
  await database.pool.query("update workspaces set started_at = now() - interval '1 day'");
  expect((await slipway.call("PUT", "/api/instance/restart", { token: customer.token })).status).toBe(202);
  await slipway.until(customer, (instance) => isOnline(instance) && workspaceProcesses(slipway.dataDir)[0] !== pid);
  expect((await slipway.journal(customer)).map(({ event }) => event)).toEqual([
    "requested",
    "started",
    "online",
    "restart-requested",
    "started",
    "online",
  ]);
  // With every role, Ctrl-C stops the workspaces as well, but not while another process of the service runs, on whatever machine.
  const elsewhere = mkdtempSync(join(tmpdir(), "slipway-elsewhere-"));
  const other = await acquireDataFolder(database.connection, elsewhere);
  expect(await slipway.signal("SIGINT")).toEqual({ code: 0, signal: null });
  expect(workspaceProcesses(slipway.dataDir)).toHaveLength(1);
  await other.release();
  rmSync(elsewhere, { recursive: true });
  await slipway.start();
  expect(await slipway.signal("SIGINT")).toEqual({ code: 0, signal: null });
  expect(workspaceProcesses(slipway.dataDir)).toEqual([]);
});
