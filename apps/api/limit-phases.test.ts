/** A slow provider, a slow database and a slow sender: each call ends with an answer and a line in the log, and its effect happens once. */
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { LightMyRequestResponse } from "fastify";
import { expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "#platform/log.ts";
import type { PaymentProvider } from "#payments/payment-provider.ts";
import { previewChange, startSubscriber, createTestShop, type Customer, type TestShop } from "#testing/payments/test-shop.ts";
import { createTestApi, registerConfirmed } from "#testing/test-api.ts";
import { findFreePort } from "#testing/program/start-slipway.ts";
import { timeLimits } from "#platform/time-limits.ts";
import type { CallPhases } from "./limit-phases.ts";
import { openFrontDoor } from "../program/front-door/front-door.ts";
import { buildHealth } from "../program/readiness.ts";

interface Line {
  level: number;
  msg: string;
  path?: string;
  status?: number;
  route?: string;
}

function readLog() {
  const lines: Line[] = [];
  const write = (chunk: Buffer, _encoding: string, done: () => void) => (lines.push(JSON.parse(chunk.toString()) as Line), done());
  return { lines, log: createLog("info", undefined, new Writable({ write })) };
}

/** A service on loopback that answers each call when it is released. */
async function startSlowService() {
  const released = Promise.withResolvers<void>();
  let asked = 0;
  const server = createServer((_req, res) => {
    asked += 1;
    void released.promise.then(() => res.end("done"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    released.resolve();
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { release: released.resolve, asked: () => asked, ask: async () => void (await (await fetch(url)).text()) };
}

type Limits = Parameters<typeof createTestShop>[2];

/** Usual limits until a test makes them smaller, so that what comes before has its time on a busy machine. */
const openPhases = (): CallPhases => ({ ...timeLimits });

/** A subscriber of a shop whose provider makes each change after its service has answered. */
async function openSlowShop(limits: Limits) {
  const phases = openPhases();
  const service = await startSlowService();
  const { lines, log } = readLog();
  let made = 0;
  let real: PaymentProvider | undefined;
  const shop = await createTestShop(
    {
      change: async (...asked) => {
        await service.ask();
        made += 1;
        return real!.change(...asked);
      },
    },
    undefined,
    { ...limits, phases, log },
  );
  onTestFinished(() => shop[Symbol.asyncDispose]());
  real = shop.harness.provider;
  const customer = await startSubscriber(shop, "starter-monthly");
  const { previewId } = await previewChange(customer, "pro-1-monthly");
  const change = () => customer.pay("POST", "/account/plan/change", { planId: "pro-1-monthly", previewId }, "one-key");
  return { shop, customer, service, lines, phases, change, made: () => made };
}

const inProgress = (answer: LightMyRequestResponse) => {
  expect(answer.json()).toMatchObject({ status: 503, code: "still_in_progress" });
  expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
};

async function expectOneCharge(customer: Customer, shop: TestShop) {
  await shop.catchUp();
  expect(await customer.billing()).toMatchObject({ planId: "pro-1-monthly" });
  // The subscription's own, and the change's.
  expect(await customer.payments()).toHaveLength(2);
}

const answeredLines = (lines: readonly Line[]) =>
  lines.filter(({ msg, path }) => msg === "answered" && path === "/api/account/plan/change");

test("a handler that takes too long is answered, and the same key gets the first call's result", async () => {
  const keyTimes = { leaseMs: 400, renewMs: 50, waitMs: 100 };
  const { shop, customer, service, lines, phases, change, made } = await openSlowShop({ keyTimes });
  phases.handlerMs = 1_000;
  inProgress(await change());
  // Longer than the lease, which is renewed for as long as the first call works: none of these asks the provider.
  for (let tries = 0; tries < 6; tries += 1) {
    inProgress(await change());
    await delay(100);
  }
  expect(service.asked()).toBe(1);
  service.release();
  const after = await vi.waitFor(async () => {
    const answer = await change();
    expect(answer.statusCode).toBe(200);
    return answer;
  }, 20_000);
  expect(after.json().user.account.billing).toMatchObject({ planId: "pro-1-monthly" });
  expect(made()).toBe(1);
  await expectOneCharge(customer, shop);
  expect(answeredLines(lines)[0]).toMatchObject({ status: 503 });
  expect(lines).toContainEqual(expect.objectContaining({ level: 40, msg: "a call took too long and was answered before it ended" }));
  expect(lines).toContainEqual(expect.objectContaining({ msg: "a call that was answered before has ended" }));
});

test("a provider that answers too late leaves the handler time to say so, and the next try with the key charges nothing again", async () => {
  const { shop, customer, service, lines, change } = await openSlowShop({ providerMs: 1_500 });
  inProgress(await change());
  expect(lines.some(({ msg }) => msg.includes("took too long"))).toBe(false);
  service.release();
  const answer = await vi.waitFor(async () => {
    const again = await change();
    expect(again.statusCode).toBe(200);
    return again;
  }, 20_000);
  expect(answer.statusCode).toBe(200);
  await expectOneCharge(customer, shop);
});

test("a handler's calls to the provider end when its time for them is used up, however long one call may take", async () => {
  const { service, phases, change } = await openSlowShop({});
  phases.outsideMs = 1_000;
  inProgress(await change());
  expect(service.asked()).toBe(1);
});

test("a call that waits for the database is answered, whether it waits in its checks or in its handler", async () => {
  const { lines, log } = readLog();
  const phases = openPhases();
  const api = await createTestApi(() => Promise.resolve({ log, phases }));
  onTestFinished(() => api[Symbol.asyncDispose]());
  const { token } = await registerConfirmed(api);
  Object.assign(phases, { checksMs: 500, handlerMs: 1_000 });
  const blocked = async (table: string, call: () => Promise<LightMyRequestResponse>) => {
    const other = await api.database.pool.connect();
    try {
      await other.query(`begin; lock table ${table} in access exclusive mode`);
      return await call();
    } finally {
      await other.query("rollback");
      other.release();
    }
  };
  const checks = await blocked("sessions", () => api.call("GET", "/api/auth/me", { token }));
  expect(checks.json()).toMatchObject({ status: 503, code: "unavailable" });
  const save = () => api.call("POST", "/api/account/selected-apps", { token, body: { apps: [] } });
  inProgress(await blocked("audit_log", save));
  await vi.waitFor(
    () => expect(lines).toContainEqual(expect.objectContaining({ msg: "a call that was answered before has ended" })),
    20_000,
  );
  const answered = lines.filter(({ msg, status }) => msg === "answered" && status === 503).map(({ path }) => path);
  expect(answered).toEqual(["/api/auth/me", "/api/account/selected-apps"]);
});

test.each([
  ["pauses", 0],
  ["sends a byte now and then", 20],
])("a sender that %s within its body is answered 408, and its connection is closed", async (_what, everyMs) => {
  const { lines, log } = readLog();
  const api = await createTestApi(() => Promise.resolve({ log, phases: { ...timeLimits, bodyMs: 600, bodySilenceMs: 300 } }));
  const port = await findFreePort();
  const door = await openFrontDoor({
    panelHost: "localhost:3000",
    port,
    hosts: ["127.0.0.1"],
    api: api.app,
    health: await buildHealth(async () => ({})),
    gateway: null,
    log,
  });
  onTestFinished(async () => {
    await door.close();
    await api[Symbol.asyncDispose]();
  });
  const socket = connect({ port, host: "127.0.0.1" });
  let read = "";
  socket.on("error", () => undefined).on("data", (chunk) => (read += String(chunk)));
  const head = "POST /api/auth/login HTTP/1.1\r\nHost: localhost:3000\r\nOrigin: http://localhost:3000\r\n";
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`);
  const drip = everyMs > 0 ? setInterval(() => socket.write(" "), everyMs) : undefined;
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(drip);
  expect(read).toMatch(/^HTTP\/1.1 408 [^]*connection: close/i);
  expect(read).toContain('"code":"body_too_slow"');
  expect(lines).toContainEqual(expect.objectContaining({ msg: "answered", path: "/api/auth/login", status: 408 }));
});
