/** Calls to running workspaces while PostgreSQL restarts, hangs and fails over. A stand-in runs in n8n's place. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { ask } from "#testing/ask.ts";
import { workspaceProcesses } from "#testing/fleet/workspace-processes.ts";
import { startRestartingPostgres, type RestartingPostgres } from "#testing/program/restarting-postgres.ts";
import { findFreePort, startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { startSteadyCalls } from "#testing/program/steady-calls.ts";

const perSecond = 50;
/** Longer than a known route is used without being looked up again. */
const hangMs = 35_000;
const patience = { timeout: 90_000, interval: 250 };

interface Ready {
  status: string;
  checks: Record<string, boolean>;
}
const ready = async ({ url }: Slipway): Promise<{ status: number; said: Ready }> => {
  const answer = await ask(`${url}/readyz`);
  return { status: answer.status, said: answer.json<Ready>() };
};
const isWell = async (slipway: Slipway) =>
  expect.poll(() => ready(slipway), patience).toMatchObject({ status: 200, said: { status: "ready" } });

async function launchTwo(panel: Slipway): Promise<Customer[]> {
  const customers = [await panel.launch(), await panel.launch()];
  for (const customer of customers) await panel.until(customer, ({ status }) => status === instanceStatus.online);
  return customers;
}

/** Two restarts, a hang and a failover under calls; `during` runs while the database hangs. Returns how many webhooks were called. */
async function survive(
  postgres: RestartingPostgres,
  gateway: Slipway,
  customers: Customer[],
  during: () => Promise<void>,
): Promise<number> {
  const urls = customers.map(({ accountName }) => gateway.workspaceUrl(accountName));
  // Known to the gateway from here on.
  for (const url of urls) expect((await ask(`${url}/x`)).status).toBe(200);
  const calls = startSteadyCalls(
    urls.flatMap((url) => [
      { url: `${url}/x`, method: "GET" },
      { url: `${url}/webhook/order`, method: "POST" },
    ]),
    perSecond,
  );
  for (const downMs of [500, 4_000]) {
    await delay(2_000);
    await postgres.restart(downMs);
  }
  await isWell(gateway);
  const hanging = postgres.hang(hangMs);
  await delay(5_000);
  await during();
  await hanging;
  await isWell(gateway);
  await postgres.failOver(5_000);
  await isWell(gateway);
  const { sent, posted, failed, slowestMs } = await calls.stop();
  console.log(`${sent} calls, ${failed.length} failed, the slowest took ${Math.round(slowestMs)} ms`);
  expect(failed.slice(0, 20)).toEqual([]);
  expect(sent).toBeGreaterThan((perSecond * hangMs) / 2_000);
  return posted;
}

/** Visitors of an unknown host, and people who sign in, are told in a sentence. */
async function expectSentences(gateway: Slipway, panel: Slipway | null): Promise<void> {
  const unknown = await ask(`${gateway.workspaceUrl("never-seen")}/x`);
  expect(unknown).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
  expect(unknown.json()).toMatchObject({ code: "gateway_unavailable" });
  if (!panel) return;
  const signIn = await panel.call("POST", "/api/auth/login", { body: { login: "somebody", password: "a password" } });
  expect(signIn.status).toBe(503);
  expect(Number(signIn.headers["retry-after"])).toBeGreaterThan(0);
  expect(signIn.json()).toMatchObject({ code: "unavailable" });
}

/** Nothing was counted twice or lost: each call of a webhook is in the figures once they have been saved. */
const expectCounted = (postgres: RestartingPostgres, posted: number) =>
  expect
    .poll(
      async () =>
        (
          await postgres.query<{ calls: number }>("select coalesce(sum(calls), 0)::int as calls from webhook_calls where span_minutes = 60")
        )[0]!.calls,
      {
        timeout: 60_000,
        interval: 1_000,
      },
    )
    .toBeGreaterThanOrEqual(posted);

test("one program with all roles answers every call to a running workspace while its database restarts, hangs and fails over", async () => {
  await using postgres = await startRestartingPostgres();
  await using slipway = await startSlipway({ env: { DATABASE_URL: postgres.url } });
  const customers = await launchTwo(slipway);
  const [pid, processes] = [slipway.pid(), workspaceProcesses(slipway.dataDir).toSorted()];
  const posted = await survive(postgres, slipway, customers, async () => {
    expect(await ready(slipway)).toMatchObject({
      status: 200,
      said: { status: "ready, from memory", checks: { database: false, "served from memory": true } },
    });
    await expectSentences(slipway, slipway);
  });
  await expectCounted(postgres, posted);
  // The same program with the same workspaces, and it works: it holds its locks on the new server, and launches another.
  expect([slipway.pid(), workspaceProcesses(slipway.dataDir).toSorted()]).toEqual([pid, processes]);
  expect(slipway.output()).toContain("the database answers again");
  expect((await postgres.query("select 1 from pg_locks where locktype = 'advisory' and granted")).length).toBe(2);
  await slipway.until(await slipway.launch(), ({ status }) => status === instanceStatus.online);
});

test("of 200 calls a second to running workspaces, none fails while PostgreSQL restarts every 20 s", async () => {
  await using postgres = await startRestartingPostgres();
  await using slipway = await startSlipway({ env: { DATABASE_URL: postgres.url } });
  const urls = (await launchTwo(slipway)).map(({ accountName }) => `${slipway.workspaceUrl(accountName)}/x`);
  for (const url of urls) expect((await ask(url)).status).toBe(200);
  const calls = startSteadyCalls(
    urls.map((url) => ({ url, method: "GET" })),
    200,
  );
  for (let restarts = 0; restarts < 3; restarts++) {
    await delay(20_000);
    await postgres.restart(500);
  }
  await isWell(slipway);
  const { sent, failed, slowestMs } = await calls.stop();
  console.log(`${sent} calls, ${failed.length} failed, the slowest took ${Math.round(slowestMs)} ms`);
  expect(failed.slice(0, 20)).toEqual([]);
  expect(sent).toBeGreaterThan(6_000);
});

test("a gateway of its own answers every call, stays ready, and locks no data folder; an API without the database is not ready", async () => {
  await using postgres = await startRestartingPostgres();
  const gatewayPort = await findFreePort();
  const env = {
    DATABASE_URL: postgres.url,
    SECRET_KEY: "one key for all of these processes",
    PUBLIC_URL: `http://localhost:${gatewayPort}`,
  };
  const start = async (ROLES: string, port?: number): Promise<Slipway> => {
    const slipway = await startSlipway({ env: { ...env, ROLES }, ...(port && { port }) });
    onTestFinished(() => slipway.close());
    return slipway;
  };
  const [api, worker, gateway] = [await start("api"), await start("worker"), await start("gateway", gatewayPort)];
  const customers = await launchTwo(api);
  const pids = [api, worker, gateway].map((each) => each.pid());
  const posted = await survive(postgres, gateway, customers, async () => {
    expect(await ready(gateway)).toMatchObject({ status: 200, said: { checks: { database: false, "served from memory": true } } });
    expect(await ready(api)).toMatchObject({ status: 503, said: { checks: { database: false } } });
    await expectSentences(gateway, api);
  });
  await expectCounted(postgres, posted);
  for (const each of [api, worker, gateway]) await isWell(each);
  expect([api, worker, gateway].map((each) => each.pid())).toEqual(pids);
  // The worker's folder and its workspaces.
  expect((await postgres.query("select 1 from pg_locks where locktype = 'advisory' and granted")).length).toBe(2);
});
