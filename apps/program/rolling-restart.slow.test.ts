/** Two processes of each role behind a load balancer are restarted, and then killed, one after the other under load. */
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { ask } from "#testing/ask.ts";
import { hasDebianPrograms } from "#testing/debian-program.ts";
import { runNginx, startNginx } from "#testing/network/start-nginx.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { findFreePort, startSlipway, type Slipway } from "#testing/program/start-slipway.ts";

const requestsPerSecond = 200;
/** A busy machine answers more slowly; it is asked more slowly then, as by visitors who wait for their answers. */
const mostAtOnce = 50;
/** Longer than this load balancer takes to notice, on a busy machine too: it is told as soon as /readyz fails. */
const drainSeconds = 12;

interface Failure {
  /** These two by `performance.now`. */
  startedAt: number;
  failedAt: number;
  what: string;
}

interface Load {
  answered: number;
  failures: Failure[];
  stop(): Promise<void>;
}

/** Sends the requests in turn, evenly, until stopped. A failure is any answer but 200, and none. */
function startLoad(requests: readonly (() => Promise<{ status: number }>)[]): Load {
  const load: Load = { answered: 0, failures: [], stop };
  const open = new Set<Promise<void>>();
  let sent = 0;
  let skipped = 0;
  const from = performance.now();
  const timer = setInterval(() => {
    for (let due = ((performance.now() - from) / 1000) * requestsPerSecond - sent - skipped; due > 0; due -= 1) {
      if (open.size >= mostAtOnce) {
        skipped += 1;
        continue;
      }
      const startedAt = performance.now();
      const fail = (what: string) => load.failures.push({ startedAt, failedAt: performance.now(), what });
      const one = requests[sent % requests.length]!()
        .then(({ status }) => (status === 200 ? (load.answered += 1) : fail(`status ${status}`)))
        .catch((error: Error) => fail(error.message))
        .then(() => void open.delete(one));
      open.add(one);
      sent += 1;
    }
  }, 5);
  async function stop(): Promise<void> {
    clearInterval(timer);
    await Promise.all(open);
  }
  return load;
}

const isReady = async ({ port }: Slipway): Promise<boolean> =>
  (await ask(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200;

test.runIf(hasDebianPrograms)("a rolling restart fails no request, and a killed process only those it is handling", async () => {
  const database = await createTestDatabase({ empty: true });
  onTestFinished(() => database.close());
  const balancerPort = await findFreePort();
  const env = {
    DATABASE_URL: database.url,
    SECRET_KEY: "one key for all of these processes",
    PUBLIC_URL: `http://localhost:${balancerPort}`,
    TRUSTED_PROXY_HOPS: "1",
    CALLS_PER_MINUTE: "1000000",
    DRAIN_SECONDS: String(drainSeconds),
  };
  const start = async (ROLES: string): Promise<Slipway> => {
    const slipway = await startSlipway({ env: { ...env, ROLES } });
    onTestFinished(() => slipway.close());
    return slipway;
  };
  const [worker, api, otherApi, gateway, otherGateway] = await Promise.all([
    start("worker"),
    start("api"),
    start("api"),
    start("gateway"),
    start("gateway"),
  ]);
  const all = { panel: [api.port, otherApi.port], workspaces: [gateway.port, otherGateway.port] };
  await using nginx = await startNginx(balancerPort, all);
  const customer = await api.launch();
  await api.until(customer, ({ status }) => status === instanceStatus.online);

  const balancer = `http://127.0.0.1:${balancerPort}`;
  const workspace = { host: `${customer.accountName}.localhost:${balancerPort}` };
  const panel = { host: `localhost:${balancerPort}` };
  const requests = [
    () => ask(`${balancer}/webhook/a`, { headers: workspace, method: "POST", body: "x".repeat(2000) }),
    () => ask(`${balancer}/editor`, { headers: workspace }),
    () => ask(`${balancer}/api/fe/config`, { headers: panel }),
  ];
  const load = startLoad(requests);
  onTestFinished(() => load.stop());
  await delay(1000);
  const restart = async (leaving: readonly Slipway[]): Promise<void> => {
    const ended = Promise.all(leaving.map((each) => each.signal("SIGTERM")));
    await Promise.all(leaving.map((each) => expect.poll(() => isReady(each), { timeout: 10_000, interval: 20 }).toBe(false)));
    const stay = (ports: number[]) => ports.filter((port) => !leaving.some((each) => each.port === port));
    await nginx.sendTo({ panel: stay(all.panel), workspaces: stay(all.workspaces) });
    for (const each of await ended) expect(each).toEqual({ code: 0, signal: null });
    await Promise.all(leaving.map((each) => each.start()));
    await nginx.sendTo(all);
  };
  await restart([api, gateway]);
  await restart([otherApi, otherGateway, worker]);
  expect(load.failures).toEqual([]);
  expect(load.answered).toBeGreaterThan(requestsPerSecond);

  // One is killed every few seconds, without the balancer being told.
  const kills: { at: number; overAt: number }[] = [];
  for (const victim of [gateway, api, otherGateway, otherApi]) {
    const before = load.answered;
    const at = performance.now();
    await victim.kill9();
    kills.push({ at, overAt: performance.now() });
    await delay(1000);
    await victim.start();
    expect(load.answered - before).toBeGreaterThan(requestsPerSecond / 2);
  }
  await load.stop();
  // Those on their way to it when it died; from then on the balancer asks the other.
  const inItsHands = ({ startedAt, failedAt }: Failure) => kills.some(({ at, overAt }) => failedAt >= at && startedAt < overAt + 500);
  expect(load.failures.filter((failure) => !inItsHands(failure))).toEqual([]);
  expect(load.failures.length).toBeLessThan(kills.length * 30);
});

/** The configuration that the page prints, for these processes and without TLS; `leaving` is taken out as the page says. */
function nginxOfPage(port: number, [one, other]: readonly [number, number], leaving?: number): string {
  const page = readFileSync(new URL("../../docs/runbooks/load-balancer.md", import.meta.url), "utf8");
  const block = /<!-- tested: two processes behind nginx -->\n```nginx\n(.*?)```/s.exec(page)![1]!;
  return block
    .replace("10.0.0.1:3000", `127.0.0.1:${one}`)
    .replace("10.0.0.2:3000", `127.0.0.1:${other}`)
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
    .replace("server_name app.example.com *.app.example.com;", "server_name localhost *.localhost;")
    .replaceAll(/^ *ssl_.*$/gm, "")
    .replace(new RegExp(`server 127.0.0.1:${leaving} .*`), `server 127.0.0.1:${leaving} down;`);
}

test.runIf(hasDebianPrograms)(
  "by the page on nginx, one of two processes is restarted without a lost request, POSTs included",
  async () => {
    const database = await createTestDatabase({ empty: true });
    onTestFinished(() => database.close());
    const balancerPort = await findFreePort();
    const env = {
      DATABASE_URL: database.url,
      SECRET_KEY: "one key for all of these processes",
      PUBLIC_URL: `http://localhost:${balancerPort}`,
      TRUSTED_PROXY_HOPS: "1",
      CALLS_PER_MINUTE: "1000000",
      DRAIN_SECONDS: "5",
    };
    const start = async (ROLES: string): Promise<Slipway> => {
      const slipway = await startSlipway({ env: { ...env, ROLES } });
      onTestFinished(() => slipway.close());
      return slipway;
    };
    const [worker, one, other] = await Promise.all([start("worker"), start("api,gateway"), start("api,gateway")]);
    expect(worker.pid()).toBeGreaterThan(0);
    const ports = [one.port, other.port] as const;
    await using nginx = await runNginx(nginxOfPage(balancerPort, ports));
    const customer = await one.launch();
    await one.until(customer, ({ status }) => status === instanceStatus.online);

    const balancer = `http://127.0.0.1:${balancerPort}`;
    const workspace = { host: `${customer.accountName}.localhost:${balancerPort}` };
    const panel = { host: `localhost:${balancerPort}` };
    const load = startLoad([
      () => ask(`${balancer}/webhook/a`, { headers: workspace, method: "POST", body: "x".repeat(2000) }),
      () => ask(`${balancer}/editor`, { headers: workspace }),
      () => ask(`${balancer}/api/fe/config`, { headers: panel }),
    ]);
    onTestFinished(() => load.stop());
    for (const leaving of [one, other]) {
      const before = load.answered;
      await nginx.reload(nginxOfPage(balancerPort, ports, leaving.port));
      expect(await leaving.signal("SIGTERM")).toEqual({ code: 0, signal: null });
      await leaving.start();
      await nginx.reload(nginxOfPage(balancerPort, ports));
      expect(load.answered - before).toBeGreaterThan(requestsPerSecond);
    }
    await load.stop();
    expect(load.failures).toEqual([]);
  },
);
