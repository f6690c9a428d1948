import { createServer } from "node:http";
import { once } from "node:events";
import { connect } from "node:net";
import { Gauge, Registry } from "prom-client";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "#platform/log.ts";
import { createRounds } from "#platform/loops/rounds.ts";
import { ask } from "#testing/ask.ts";
import { metricValue } from "#testing/program/metric-value.ts";
import { findFreePort } from "#testing/program/start-slipway.ts";
import type { Parts } from "../parts/open-parts.ts";
import { createMetrics } from "./create-metrics.ts";
import { measureService } from "./measure-service.ts";
import { serveMetrics } from "./serve-metrics.ts";

const log = createLog("silent");

describe("the server of metrics", () => {
  const at = async () => ({ host: "127.0.0.1", port: await findFreePort() });
  const empty = { registry: new Registry(), refresh: async () => undefined };

  test("answers one path, and only reads", async () => {
    const served = await serveMetrics(empty, await at(), log);
    const url = `http://127.0.0.1:${served.port}`;
    expect((await ask(`${url}/metrics?x=1`)).headers["content-type"]).toContain("text/plain");
    expect((await ask(`${url}/`)).status).toBe(404);
    expect((await ask(`${url}/metrics`, { method: "POST", body: "x" })).status).toBe(405);
    await served.close();
  });

  test("closes connections that send no request or do not read the response, so that a scraper finds a free one", async () => {
    const registry = new Registry();
    // More than fits between the two sides without being read.
    new Gauge({ name: "long", help: "x".repeat(16 * 1024 ** 2), registers: [registry] });
    const served = await serveMetrics({ ...empty, registry }, await at(), log, 200);
    const others = Array.from({ length: 20 }, () => connect({ port: served.port, host: "127.0.0.1" }).on("error", () => undefined));
    onTestFinished(() => others.forEach((socket) => socket.destroy()));
    await Promise.all(others.map((socket) => once(socket, "connect")));
    others[0]!.write("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
    const stillOpen = (): number => {
      // Who does not read learns of the end by writing.
      others.forEach((socket) => socket.destroyed || socket.write("\r\n"));
      return others.filter(({ destroyed }) => !destroyed).length;
    };
    await expect.poll(stillOpen, { interval: 1_000 }).toBe(0);
    // This one sends its request within the limit, on a busy machine at the second try.
    await expect.poll(async () => (await ask(`http://127.0.0.1:${served.port}/`)).status).toBe(404);
    await served.close();
  });

  test("on a taken port refuses to start, and says which setting to change", async () => {
    const other = createServer().listen({ host: "127.0.0.1", port: 0 });
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    await expect(serveMetrics(empty, { host: "127.0.0.1", port }, log)).rejects.toThrow(/METRICS_PORT/);
    other.close();
  });
});

/** Parts whose database does what `query` does. */
function partsWith(query: () => Promise<never>): Parts {
  const chain: object = new Proxy(() => chain, {
    get: (_target, name) => (name === "then" ? (_done: unknown, failed: (error: unknown) => void) => void query().catch(failed) : chain),
    apply: () => chain,
  });
  const pool = { totalCount: 10, idleCount: 0, waitingCount: 7 };
  const rounds = createRounds();
  return { db: chain, pool, rounds, clock: { now: () => new Date() }, config: { roles: new Set(["worker"]) } } as unknown as Parts;
}

/** A gateway's process that lost its database a minute ago, and knows three workspaces. */
const away = { contact: { awaySeconds: () => 60 }, gateway: { servesFromMemory: () => 3 } };

describe("without the database", () => {
  test.each([
    ["hangs", () => new Promise<never>(() => undefined)],
    ["refuses", () => Promise.reject(new Error("refused"))],
  ])("that %s, a scrape says so within seconds, and still has the process's own figures", async (_how, query) => {
    const { registry, reconcile } = createMetrics();
    reconcile.stepped("start", "failed", 1000);
    const refresh = measureService(registry, partsWith(query), { troubles: () => ["loop: mails"], ...away });
    // Prometheus waits ten seconds.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const scrapes = Promise.all([refresh(), refresh(), refresh()]);
    await vi.advanceTimersByTimeAsync(9_900);
    await scrapes;
    const text = await registry.metrics();
    expect(metricValue(text, "slipway_database_answers")).toBe(0);
    expect(metricValue(text, "slipway_database_away_seconds")).toBe(60);
    expect(metricValue(text, "slipway_gateway_known_workspaces")).toBe(3);
    expect(metricValue(text, "slipway_database_connections", { state: "waiting" })).toBe(7);
    expect(metricValue(text, "slipway_trouble", { trouble: "loop: mails" })).toBe(1);
    expect(metricValue(text, "slipway_reconcile_step_seconds_count", { step: "start", outcome: "failed" })).toBe(1);
  });
});

test("labels have few values, whatever clients send", async () => {
  const { registry, answered } = createMetrics();
  for (const method of ["GET", "BREW", "X".repeat(50)]) answered({ method, route: "/api/:id", status: 200, ms: 5 });
  const text = await registry.metrics();
  expect(metricValue(text, "slipway_api_request_seconds_count", { method: "GET" })).toBe(1);
  expect(metricValue(text, "slipway_api_request_seconds_count", { method: "other" })).toBe(2);
});
