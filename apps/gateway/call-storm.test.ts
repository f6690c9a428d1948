/** More calls of webhooks than a workspace can work on at a time. */
import { request, type ClientRequest, type ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import type { WebhookCounts } from "./webhook-counts.ts";
import { ask, online, startPair, startTestGateway, startTestWorkspace } from "#testing/network/start-test-gateway.ts";

const webhooks: Pick<WebhookCounts, "isCall" | "note"> = { isCall: (_method, url) => url.startsWith("/webhook/"), note: () => undefined };
const atOnce = 8;

/** A workspace that ends if it gets more calls at a time than it has memory for. */
function fragile() {
  const held: ServerResponse[] = [];
  const state = { most: 0, served: [] as string[], isHolding: false };
  return {
    state,
    held,
    listener: (req: { url?: string | undefined }, res: ServerResponse) => {
      held.push(res);
      state.most = Math.max(state.most, held.length);
      const answer = () => {
        held.splice(held.indexOf(res), 1);
        state.served.push(req.url!);
        res.end("done");
      };
      if (!state.isHolding) setTimeout(answer, 5);
      else res.once("close", () => held.splice(held.indexOf(res), 1));
    },
  };
}

const call = (port: number, number: number) => ask(port, { method: "POST", path: `/webhook/${number}`, body: "event" });

test("a storm is a queue: each call is answered once, and never are more at work than the workspace has memory for", async () => {
  const { listener, state } = fragile();
  await using front = await startPair(listener, { webhooks });
  front.setRoute("acme", online(front.workspace.address, { callsAtOnce: atOnce }));
  const answers = await Promise.all(Array.from({ length: 400 }, (_, number) => call(front.port, number)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(state.most).toBe(atOnce);
  expect(state.served.toSorted()).toEqual(Array.from({ length: 400 }, (_, number) => `/webhook/${number}`).toSorted());
});

test("what was held while the workspace started is let in one by one, too", async () => {
  const { listener, state } = fragile();
  await using workspace = await startTestWorkspace(listener);
  await using front = await startTestGateway({ webhooks });
  front.setRoute("acme", { workspaceId: "w", state: "starting", address: null, open: false });
  const answers = Array.from({ length: 200 }, (_, number) => call(front.port, number));
  await expect.poll(() => front.arrived()).toBe(200);
  front.setRoute("acme", online(workspace.address, { callsAtOnce: atOnce }));
  front.gateway.invalidate("acme");
  expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
  expect(state.most).toBe(atOnce);
});

test("calls beyond those that may wait are answered 429 with a time, at once; the editor is not held up", async () => {
  const { listener, state, held } = fragile();
  state.isHolding = true;
  await using front = await startPair((req, res) => (req.url === "/editor" ? void res.end("open") : listener(req, res)), {
    webhooks,
    limits: { maxWaitingPerWorkspace: 20 },
  });
  front.setRoute("acme", online(front.workspace.address, { callsAtOnce: atOnce }));
  const waiting = Array.from({ length: atOnce + 20 }, (_, number) => call(front.port, number));
  await expect.poll(() => held.length).toBe(atOnce);
  await expect.poll(() => front.arrived()).toBe(atOnce + 20);
  const refused = await call(front.port, 99);
  expect([refused.status, refused.headers["retry-after"], JSON.parse(refused.body).code]).toEqual([429, "5", "workspace_too_many_calls"]);
  expect((await ask(front.port, { path: "/editor" })).body).toBe("open");
  state.isHolding = false;
  for (const res of held.slice()) res.end("done");
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
});

test("callers that leave, waiting or not, give their places back", async () => {
  const { listener, state, held } = fragile();
  state.isHolding = true;
  await using front = await startPair(listener, { webhooks });
  front.setRoute("acme", online(front.workspace.address, { callsAtOnce: atOnce }));
  const leaving = Array.from({ length: 40 }, () => {
    const leaver = request({ port: front.port, method: "POST", path: "/webhook/leaves", headers: { host: "acme.localhost" } });
    leaver.on("error", () => undefined).end("event");
    onTestFinished(() => void leaver.destroy());
    return leaver;
  });
  await expect.poll(() => held.length).toBe(atOnce);
  await expect.poll(() => front.arrived()).toBe(40);
  for (const leaver of leaving) leaver.destroy();
  await expect.poll(() => held.length).toBe(0);
  state.isHolding = false;
  const answers = await Promise.all(Array.from({ length: 50 }, (_, number) => call(front.port, number)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(state.most).toBe(atOnce);
});

test("listeners to a stream of events keep no place; what a POST streams does", async () => {
  await using front = await startPair(
    (req, res) => {
      if (req.url === "/webhook/1") return void res.end("done");
      res.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    },
    { webhooks, limits: { maxWaitMs: 300 } },
  );
  front.setRoute("acme", online(front.workspace.address, { callsAtOnce: atOnce }));
  const open = async (method: string): Promise<void> => {
    const listener = request({ port: front.port, method, path: "/webhook/events", headers: { host: "acme.localhost" } });
    listener.on("error", () => undefined);
    await new Promise((resolve) => listener.once("response", resolve).end());
    onTestFinished(() => void listener.destroy());
  };
  for (let opened = 0; opened < 2 * atOnce; opened += 1) await open("GET");
  expect((await call(front.port, 1)).status).toBe(200);
  for (let opened = 0; opened < atOnce; opened += 1) await open("POST");
  expect((await call(front.port, 1)).status).toBe(429);
});

/** Announces a body of which only the first byte comes. */
function trickle(port: number, headers: Record<string, string | number>, path = "/webhook/slow"): ClientRequest {
  const sender = request({ port, method: "POST", path, agent: false, headers: { host: "acme.localhost", ...headers } });
  sender.on("error", () => undefined).on("response", (res) => res.resume());
  sender.write("{");
  onTestFinished(() => void sender.destroy());
  return sender;
}

test("senders who never finish their bodies leave half of the places to the others", async () => {
  const { listener, state } = fragile();
  await using front = await startPair((req, res) => void req.resume().once("end", () => listener(req, res)), {
    webhooks,
    limits: { maxWaitMs: 120_000 },
  });
  front.setRoute("acme", online(front.workspace.address, { callsAtOnce: atOnce }));
  for (let sent = 0; sent < 3 * atOnce; sent += 1) trickle(front.port, { "content-length": 1000 });
  await expect.poll(() => front.arrived()).toBe(3 * atOnce);
  const answers = await Promise.all(Array.from({ length: 40 }, (_, number) => call(front.port, number)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(state.most).toBeLessThanOrEqual(atOnce);
});

test.each([
  ["of a length", { "content-length": 60_000_000 }],
  ["without a length", { "transfer-encoding": "chunked" }],
])("one who never finishes a large body %s does not take all places", async (_what, headers) => {
  const { listener } = fragile();
  await using front = await startPair((req, res) => void req.resume().once("end", () => listener(req, res)), {
    webhooks,
    limits: { maxWaitMs: 120_000 },
  });
  front.setRoute("acme", online(front.workspace.address, { callsAtOnce: atOnce }));
  for (let sent = 0; sent < 3; sent += 1) trickle(front.port, headers);
  await expect.poll(() => front.arrived()).toBe(3);
  expect((await call(front.port, 1)).status).toBe(200);
});

const mb = 1024 * 1024;

test.each([
  ["a call of a webhook", "/webhook/large", {}, 4 * mb, 4],
  ["any request where none is known as a call, as in Node-RED", "/red/large", {}, 3 * mb, 10],
  ["any other request: n8n reads its body before it asks who sends it", "/rest/login", {}, 4 * mb, 2],
  ["a compressed body, which may become a thousand times as large", "/webhook/zip", { "content-encoding": "gzip" }, 4 * 1024, 4],
  ["a short one", "/webhook/short", {}, 1024, 12],
])("large bodies take places as their memory needs: %s", async (_what, path, headers, bytes, most) => {
  const { listener, state, held } = fragile();
  state.isHolding = true;
  await using front = await startPair((req, res) => void req.resume().once("end", () => listener(req, res)), {
    webhooks: path.startsWith("/red/") ? null : webhooks,
    limits: { maxWaitMs: 120_000 },
  });
  front.setRoute("acme", online(front.workspace.address, { callsAtOnce: 12 }));
  const body = "x".repeat(bytes);
  const answers = Array.from({ length: most + 2 }, () => ask(front.port, { method: "POST", path, headers, body }));
  await expect.poll(() => held.length, { timeout: 20_000 }).toBe(most);
  state.isHolding = false;
  for (const res of held.slice()) res.end("done");
  expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
  expect(state.most).toBeLessThanOrEqual(most);
});

test("calls that are not counted wait in the queue, too: forms and MCP servers", async () => {
  const { listener, state } = fragile();
  await using front = await startPair(listener, { webhooks, isCall: (_method, url) => url.startsWith("/form/") });
  front.setRoute("acme", online(front.workspace.address, { callsAtOnce: atOnce }));
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => ask(front.port, { method: "POST", path: "/form/a", body: "say=hello" })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(state.most).toBe(atOnce);
});

test("a body without a length weighs what it was once it has arrived", async () => {
  const { listener, state, held } = fragile();
  state.isHolding = true;
  await using front = await startPair((req, res) => void req.resume().once("end", () => listener(req, res)), { webhooks });
  front.setRoute("acme", online(front.workspace.address, { callsAtOnce: 24 }));
  const send = (): Promise<number> =>
    new Promise((resolve) => {
      const headers = { host: "acme.localhost", "transfer-encoding": "chunked" };
      const sender = request({ port: front.port, method: "POST", path: "/webhook/chunks", agent: false, headers }, (res) => {
        res.resume().once("end", () => resolve(res.statusCode!));
      });
      for (let sent = 0; sent < 4; sent += 1) sender.write("x".repeat(40 * 1024));
      sender.end();
    });
  const answers = Array.from({ length: 8 }, send);
  await expect.poll(() => held.length, { timeout: 20_000 }).toBe(8);
  for (const res of held.slice()) res.end("done");
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
});

test.each([
  ["at work on other calls", true],
  ["starting", false],
])("senders who never finish their bodies leave half of the room to wait to the others: the workspace is %s", async (_what, isOnline) => {
  const { listener, state, held } = fragile();
  state.isHolding = true;
  await using workspace = await startTestWorkspace((req, res) => void req.resume().once("end", () => listener(req, res)));
  await using front = await startTestGateway({ webhooks, limits: { maxWaitingPerWorkspace: 20 } });
  const open = online(workspace.address, { callsAtOnce: 2 });
  front.setRoute("acme", isOnline ? open : { ...open, state: "starting", address: null, open: false });
  const current = isOnline ? [call(front.port, 98), call(front.port, 99)] : [];
  await expect.poll(() => held.length).toBe(current.length);
  let refused = 0;
  for (let sent = 0; sent < 19; sent += 1)
    trickle(front.port, { "content-length": 1000 }).on("response", (res) => void (refused += res.statusCode === 429 ? 1 : 0));
  await expect.poll(() => front.arrived()).toBe(current.length + 19);
  await expect.poll(() => refused, { timeout: 20_000 }).toBe(9);
  const answers = Array.from({ length: 10 }, (_, number) => call(front.port, number + 1));
  await expect.poll(() => front.arrived()).toBe(current.length + 29);
  state.isHolding = false;
  if (isOnline) for (const res of held.slice()) res.end("done");
  else {
    front.setRoute("acme", open);
    front.gateway.invalidate("acme");
  }
  expect((await Promise.all([...current, ...answers])).map(({ status }) => status)).toEqual(Array(current.length + 10).fill(200));
});

test.each([
  ["beside calls", webhooks],
  ["where none is known as a call, as in Node-RED", null],
])("slow short bodies of other requests leave half of the requests at a time to the others: %s", async (_what, known) => {
  const { listener } = fragile();
  await using front = await startPair((req, res) => void req.resume().once("end", () => listener(req, res)), {
    webhooks: known,
    limits: { maxInFlight: 8, maxWaitMs: 120_000 },
  });
  front.setRoute("acme", online(front.workspace.address, { callsAtOnce: atOnce }));
  for (let sent = 0; sent < 16; sent += 1) trickle(front.port, { "content-length": 1000 }, "/rest/login");
  await expect.poll(() => front.arrived()).toBe(16);
  const post = () => ask(front.port, { method: "POST", path: "/rest/login", body: "{}" });
  for (const { status } of await Promise.all([post(), post(), post(), post()])) expect(status).toBe(200);
  expect((await ask(front.port, { path: "/editor" })).status).toBe(200);
});

test("a storm of calls does not keep other requests with large bodies out", async () => {
  const { listener, state, held } = fragile();
  await using front = await startPair(
    (req, res) => void req.resume().once("end", () => (req.url === "/rest/workflows" ? res.end("saved") : listener(req, res))),
    { webhooks, limits: { maxWaitingPerWorkspace: 20 } },
  );
  front.setRoute("acme", online(front.workspace.address, { callsAtOnce: atOnce }));
  state.isHolding = true;
  const calls = Array.from({ length: atOnce + 20 }, (_, number) => call(front.port, number));
  await expect.poll(() => held.length).toBe(atOnce);
  const saved = await ask(front.port, { method: "POST", path: "/rest/workflows", body: "x".repeat(2 * mb) });
  expect(saved).toMatchObject({ status: 200, body: "saved" });
  state.isHolding = false;
  for (const res of held.slice()) res.end("done");
  expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
});

test("the bodies of those that wait stay with their senders", async () => {
  await using front = await startTestGateway({ webhooks });
  front.setRoute("acme", { workspaceId: "w", state: "starting", address: null, open: false });
  const body = Buffer.alloc(4 * mb);
  const headers = { host: "acme.localhost", "content-length": body.length };
  const before = process.memoryUsage().arrayBuffers;
  for (let sent = 0; sent < 100; sent += 1) {
    const sender = request({ port: front.port, method: "POST", path: "/webhook/large", agent: false, headers });
    sender.on("error", () => undefined).end(body);
    onTestFinished(() => void sender.destroy());
  }
  await expect.poll(() => front.arrived()).toBe(100);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * 0.25 * mb);
});
