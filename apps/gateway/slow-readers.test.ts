/** Visitors who do not read their answers: a workspace holds what it has not sent yet, and others wait for their places. */
import { request, type IncomingMessage, type RequestListener } from "node:http";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { ask, online, startPair } from "#testing/network/start-test-gateway.ts";
import type { GatewayLimits } from "./gateway-limits.ts";

const webhooks = { isCall: (_method: string, url: string) => url.startsWith("/webhook/"), note: () => undefined };
const atOnce = 8;
const mb = 1024 * 1024;
/** More than the system takes for a visitor and a workspace who do not read. */
const large = Buffer.alloc(32 * mb, "x");

/** A workspace with large answers. `state.open` are those that it has not sent as a whole. */
function generous() {
  const state = { open: 0, asked: 0 };
  const listener: RequestListener = (req, res) => {
    state.asked += 1;
    state.open += 1;
    res.once("close", () => (state.open -= 1));
    res.end(req.url!.includes("large") ? large : "done");
  };
  return { state, listener };
}

const start = async (limits: Partial<GatewayLimits>) => {
  const { state, listener } = generous();
  const front = await startPair(listener, { webhooks, limits: { maxWaitMs: 20_000, slowReadMs: 300, ...limits } });
  front.setRoute("acme", online(front.workspace.address, { callsAtOnce: atOnce }));
  return { front, state };
};

const requestLines = (method: string, path: string): string => `${method} ${path} HTTP/1.1\r\nhost: acme.localhost\r\n\r\n`;

/** Sends these requests, and reads nothing. */
function neverRead(port: number, ...requests: string[]): Socket {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => undefined).write(requests.join(""));
  onTestFinished(() => void socket.destroy());
  return socket;
}

test("callers who do not read their answers make room for others when they have more than half of the places", async () => {
  const { front, state } = await start({});
  await using _ = front;
  for (let sent = 0; sent < 2 * atOnce; sent += 1) neverRead(front.port, requestLines("GET", "/webhook/large"));
  await expect.poll(() => state.open).toBe(atOnce);
  const answers = await Promise.all(Array.from({ length: 40 }, () => ask(front.port, { method: "POST", path: "/webhook/short" })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(state.open).toBeGreaterThan(0);
});

test("one who reads steadily gets the whole answer, though others wait for the places of those who do not", async () => {
  const { front, state } = await start({ slowReadMs: 1500 });
  await using _ = front;
  const reader = request({ port: front.port, path: "/webhook/large", agent: false, headers: { host: "acme.localhost" } }).end();
  for (let sent = 0; sent < atOnce - 1; sent += 1) neverRead(front.port, requestLines("GET", "/webhook/large"));
  const [res] = (await once(reader, "response")) as [IncomingMessage];
  await expect.poll(() => state.open).toBe(atOnce);
  const others = Promise.all(Array.from({ length: 40 }, () => ask(front.port, { method: "POST", path: "/webhook/short" })));
  let bytes = 0;
  for await (const chunk of res) {
    bytes += (chunk as Buffer).length;
    await setTimeout(1);
  }
  expect(bytes).toBe(large.length);
  expect(new Set((await others).map(({ status }) => status))).toEqual(new Set([200]));
});

test("while nobody waits, a slow caller may take its time", async () => {
  const { front, state } = await start({});
  await using _ = front;
  for (let sent = 0; sent < atOnce; sent += 1) neverRead(front.port, requestLines("GET", "/webhook/large"));
  await expect.poll(() => state.open).toBe(atOnce);
  await setTimeout(1000);
  expect(state.open).toBe(atOnce);
});

test("a visitor who reads nothing for a long time is broken off, whatever was requested", async () => {
  const { front, state } = await start({ readSilenceMs: 500 });
  await using _ = front;
  for (let sent = 0; sent < 3; sent += 1) neverRead(front.port, requestLines("GET", "/large"));
  await expect.poll(() => state.asked).toBe(3);
  await expect.poll(() => state.open, { timeout: 5000 }).toBe(0);
});

test("answers that wait behind an unread one on the same connection keep no places", async () => {
  const { front, state } = await start({ slowReadMs: 60_000 });
  await using _ = front;
  const calls = Array.from({ length: atOnce }, () => requestLines("GET", "/webhook/short"));
  neverRead(front.port, requestLines("GET", "/large"), ...calls);
  await expect.poll(() => state.asked).toBe(1 + atOnce);
  expect((await ask(front.port, { method: "POST", path: "/webhook/short" })).status).toBe(200);
});
