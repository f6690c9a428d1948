/** Visitors who stay, with a stream of events or a WebSocket, and others for whom a workspace must keep room. */
import { once } from "node:events";
import { request, type IncomingMessage, type RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ask, online, probeToken, startTestGateway, startTestWorkspace } from "#testing/network/start-test-gateway.ts";

const webhooks = { isCall: (_method: string, url: string) => /^\/(webhook|chat)/.test(url), note: () => undefined };
const maxInFlight = 16;
const all = maxInFlight / 2;
const strangers = maxInFlight / 4;
const large = Buffer.alloc(32 * 1024 * 1024, "x");

/** A workspace that streams events below `/…stream`, accepts every WebSocket, and has a large page. */
async function startListenedTo() {
  const listener: RequestListener = (req, res) => {
    if (req.url!.endsWith("stream")) return void res.writeHead(200, { "content-type": "text/event-stream" }).write("data: hello\n\n");
    res.end(req.url === "/large" ? large : "page");
  };
  const workspace = await startTestWorkspace(listener);
  const sockets = new Set<Socket>();
  workspace.server.on("upgrade", (req, socket: Socket) => {
    sockets.add(socket);
    // As n8n and Node-RED do with paths that none of their parts serves.
    if (req.url === "/unanswered") return void socket.on("error", () => undefined).resume();
    socket.on("end", () => socket.end()).resume();
    socket.on("error", () => undefined).write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  });
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await workspace[Symbol.asyncDispose]();
  });
  return workspace;
}

async function startBoth(limits: object = {}, options: Parameters<typeof startTestGateway>[0] = {}) {
  const front = await startTestGateway({ webhooks, ...options, limits: { maxInFlight, maxWaitMs: 5000, ...limits } });
  onTestFinished(() => front[Symbol.asyncDispose]());
  for (const name of ["acme", "other"])
    front.setRoute(name, online((await startListenedTo()).address, { workspaceId: name, callsAtOnce: 8 }));
  return front;
}

/** Opens a stream, and returns its status and what ends it. */
async function openStream(port: number, path: string, host = "acme.localhost", from = "127.0.0.1") {
  const sent = request({ port, host: "127.0.0.1", localAddress: from, path, agent: false, headers: { host } }).end();
  sent.on("error", () => undefined);
  onTestFinished(() => void sent.destroy());
  const [res] = (await once(sent, "response")) as [IncomingMessage];
  let isGone = false;
  res
    .on("error", () => undefined)
    .on("close", () => (isGone = true))
    .resume();
  return { status: res.statusCode!, headers: res.headers, end: () => sent.destroy(), isGone: () => isGone };
}

/** Sends a handshake, from an address of this machine. */
function sendHandshake(port: number, path: string, from = "127.0.0.1"): Socket {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: acme.localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  return socket;
}

async function openSocket(port: number, path: string, _host?: string, from?: string) {
  const socket = sendHandshake(port, path, from);
  const [chunk] = (await once(socket, "data")) as [Buffer];
  return {
    status: Number(chunk.toString().slice(9, 12)),
    headers: { "retry-after": /retry-after: (\d+)/i.exec(chunk.toString())?.[1] },
    end: () => socket.destroy(),
    isGone: () => socket.closed,
  };
}

test.each([
  ["streams of events", openStream, "/webhook/stream", "/rest/push/stream"],
  ["WebSockets", openSocket, "/chat?sessionId=1", "/rest/push"],
])(
  "strangers with %s leave room to the editor, both to pages, and nobody is in the way of another workspace",
  async (_what, open, path, editor) => {
    const front = await startBoth();
    const statuses = async (count: number, of: string): Promise<number[]> => {
      const opened = [];
      for (let at = 0; at < count; at += 1) opened.push((await open(front.port, of)).status);
      return opened;
    };
    const ok = open === openStream ? 200 : 101;
    const first = await open(front.port, path);
    expect(await statuses(2 * maxInFlight, path)).toEqual([
      ...Array.from({ length: strangers - 1 }, () => ok),
      ...Array.from({ length: 2 * maxInFlight - strangers + 1 }, () => 429),
    ]);
    expect((await open(front.port, path)).headers["retry-after"]).toBe("30");
    expect(await statuses(all, editor)).toEqual([
      ...Array.from({ length: all - strangers }, () => ok),
      ...Array.from({ length: strangers }, () => 429),
    ]);
    expect((await ask(front.port, { path: "/webhook/page" })).status).toBe(200);
    expect((await ask(front.port, { path: "/" })).status).toBe(200);
    expect((await openStream(front.port, "/webhook/stream", "other.localhost")).status).toBe(200);
    expect((await ask(front.port, { host: "other.localhost" })).status).toBe(200);
    first.end();
    await expect.poll(async () => (await open(front.port, path)).status).toBe(ok);
  },
);

test.each([
  ["streams of events", openStream, 200],
  ["WebSockets", openSocket, 101],
])("where a flow may publish any path, strangers with %s leave room to the editor's WebSocket", async (_what, open, ok) => {
  const front = await startBoth({}, { webhooks: null, editorListens: /^\/comms\/?(?:\?|$)/ });
  const opened = [];
  for (const path of ["/dashboard/stream", "/comms-of-mine/stream", "/a/comms/stream"])
    for (let at = 0; at < strangers; at += 1) opened.push((await open(front.port, path)).status);
  expect(opened).toEqual([...Array.from({ length: strangers }, () => ok), ...Array.from({ length: 2 * strangers }, () => 429)]);
  const editors = [];
  for (const path of ["/comms", "/comms?access_token=a", "/comms/"]) editors.push((await openSocket(front.port, path)).status);
  expect(editors).toEqual([101, 101, 101]);
});

test.each([
  ["streams of events", openStream, "/rest/push/stream"],
  ["WebSockets", openSocket, "/rest/push"],
])("a visitor with many %s makes room for one from elsewhere, who has fewer", async (_what, open, path) => {
  const front = await startBoth();
  const ok = open === openStream ? 200 : 101;
  const many: { isGone(): boolean }[] = [];
  for (let at = 0; at < all; at += 1) many.push(await open(front.port, path));
  expect((await open(front.port, path)).status).toBe(429);
  const elsewhere = [];
  for (let at = 0; at < all / 2; at += 1) elsewhere.push(await open(front.port, path, undefined, "127.0.0.2"));
  expect(elsewhere.map(({ status }) => status)).toEqual(Array.from({ length: all / 2 }, () => ok));
  // Now both have as many.
  expect((await open(front.port, path, undefined, "127.0.0.2")).status).toBe(429);
  await expect.poll(() => many.map(({ isGone }) => isGone())).toEqual(many.map((_one, at) => at >= all / 2));
  expect(elsewhere.some(({ isGone }) => isGone())).toBe(false);
  // The last one of a third visitor is not taken from them.
  expect((await open(front.port, path, undefined, "127.0.0.3")).status).toBe(ok);
});

test("handshakes that a workspace leaves unanswered make room for others, from any address", async () => {
  const front = await startBoth();
  const unanswered = Array.from({ length: all }, (_, at) => sendHandshake(front.port, "/unanswered", `127.0.0.${at + 10}`));
  const texts = unanswered.map((socket) => {
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    return () => text;
  });
  await expect.poll(async () => (await openSocket(front.port, "/rest/push")).status, { timeout: 10_000 }).toBe(101);
  await expect.poll(() => texts[0]!()).toMatch(/^HTTP\/1\.1 429 /);
  expect(texts.slice(1).map((text) => text())).toEqual(Array.from({ length: all - 1 }, () => ""));
});

test("visitors who do not read pages keep nobody out, not even when they have all places of a workspace", async () => {
  const front = await startBoth({ slowReadMs: 300 });
  for (let sent = 0; sent < maxInFlight; sent += 1) {
    const socket = connect({ port: front.port, host: "127.0.0.1" });
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined).write("GET /large HTTP/1.1\r\nhost: acme.localhost\r\n\r\n");
  }
  await expect.poll(() => front.arrived()).toBe(maxInFlight);
  expect((await ask(front.port, { host: "other.localhost" })).status).toBe(200);
  await expect.poll(async () => (await ask(front.port)).status).toBe(200);
});

test("our own probe gets an answer, however busy a workspace is", async () => {
  const front = await startBoth({ slowReadMs: 60_000 });
  for (let sent = 0; sent < maxInFlight; sent += 1) {
    const socket = connect({ port: front.port, host: "127.0.0.1" });
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined).write("GET /large HTTP/1.1\r\nhost: acme.localhost\r\n\r\n");
  }
  await expect.poll(async () => (await ask(front.port)).status).toBe(503);
  expect((await ask(front.port, { headers: { "x-slipway-probe": probeToken } })).status).toBe(200);
});
