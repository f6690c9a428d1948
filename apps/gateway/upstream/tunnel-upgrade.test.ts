import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Agent, WebSocket, type MessageEvent } from "undici";
import { expect, test, vi } from "vitest";
import {
  deferred,
  exchange,
  online,
  startPair,
  startRawWorkspace,
  startTestGateway,
  startTestWorkspace,
} from "#testing/network/start-test-gateway.ts";

const handshake = (more = "") =>
  `GET /rest/push?a=1 HTTP/1.1\r\nHost: acme.localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`;

const accepted = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n";

/** A workspace that accepts every upgrade and gives the test its raw socket. */
async function startUpgrading(onSocket: (socket: Socket, head: Buffer) => void, headers = "") {
  const front = await startPair((_req, res) => res.end());
  const seen: { url?: string; headers: NodeJS.Dict<string | string[]> }[] = [];
  front.workspace.server.on("upgrade", (req, socket: Socket, head: Buffer) => {
    seen.push({ url: req.url!, headers: req.headers });
    const key = createHash("sha1").update(`${req.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
    socket.on("error", () => undefined);
    socket.write(`${accepted}Sec-WebSocket-Accept: ${key}\r\n${headers}\r\n`);
    onSocket(socket, head);
  });
  return { ...front, seen };
}

async function open(port: number, bytes = handshake()): Promise<{ socket: Socket; text(): string }> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let text = "";
  socket.on("data", (chunk) => (text += chunk.toString("latin1"))).on("error", () => undefined);
  socket.write(bytes);
  await vi.waitFor(() => expect(text).toContain("\r\n\r\n"), { timeout: 15_000 });
  return { socket, text: () => text };
}

test("a real WebSocket client talks to the workspace, frame by frame", async () => {
  // One unmasked text frame as a greeting. The client's reply is masked, and its length identifies it.
  const heard = deferred<number>();
  await using front = await startUpgrading((socket) => {
    socket.write(Buffer.from([0x81, 5, ...Buffer.from("hello")]));
    socket.once("data", (frame) => heard.resolve(frame[1]! & 0x7f));
  });
  // Not every machine resolves subdomains of localhost.
  const dispatcher = new Agent({ connect: { lookup: (_name, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]) } });
  const client = new WebSocket(`ws://acme.localhost:${front.port}/rest/push`, { dispatcher });
  const [event] = (await once(client, "message")) as [MessageEvent];
  expect(event.data).toBe("hello");
  client.send("answer!");
  expect(await heard.promise).toBe(7);
  client.close();
  await dispatcher.destroy();
});

test("the handshake follows the same header rules as any request and response", async () => {
  await using front = await startUpgrading(() => undefined, "Set-Cookie: a=1; Domain=localhost\r\nClear-Site-Data: *\r\n");
  const { socket, text } = await open(
    front.port,
    handshake("Cookie: token=s; b=2\r\nX-Forwarded-For: 6.6.6.6\r\nX-Slipway-Probe: x\r\nOrigin: http://acme.localhost\r\n"),
  );
  expect(front.seen[0]!.url).toBe("/rest/push?a=1");
  expect(front.seen[0]!.headers).toMatchObject({
    host: "acme.localhost",
    cookie: "b=2",
    "x-forwarded-for": "127.0.0.1",
    "x-forwarded-host": "acme.localhost",
    origin: "http://acme.localhost",
  });
  expect(front.seen[0]!.headers).not.toHaveProperty("x-slipway-probe");
  expect(text()).toMatch(/set-cookie: a=1\r\n/i);
  expect(text()).not.toMatch(/clear-site-data|domain/i);
  socket.destroy();
});

test("a workspace that declines and breaks off ends the visitor's connection, without a refusal inside its response", async () => {
  const breakOff = deferred();
  await using workspace = await startRawWorkspace((socket) => {
    socket.once("data", () => socket.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 1000\r\n\r\nhalf"));
    void breakOff.promise.then(() => socket.resetAndDestroy());
  });
  await using front = await startTestGateway();
  front.setRoute("acme", online(workspace.address));
  const { socket, text } = await open(front.port);
  await vi.waitFor(() => expect(text()).toContain("half"), { timeout: 15_000 });
  breakOff.resolve();
  await vi.waitFor(() => expect(socket.readableEnded || socket.destroyed).toBe(true), { timeout: 15_000 });
  socket.destroy();
  expect(text()).toMatch(/^HTTP\/1\.1 403 Forbidden.*half$/s);
});

test("bytes flow both ways, and each side can end while the other continues", async () => {
  let heard = "";
  const ended = deferred();
  await using front = await startUpgrading((socket) => {
    socket
      .on("data", (chunk) => (heard += chunk))
      .on("end", () => {
        ended.resolve();
        socket.end("last words");
      });
  });
  const { socket, text } = await open(front.port);
  socket.write("one ");
  socket.end("two");
  await ended.promise;
  expect(heard).toBe("one two");
  await vi.waitFor(() => expect(text()).toMatch(/last words$/), { timeout: 15_000 });
  await vi.waitFor(() => expect(socket.readableEnded).toBe(true), { timeout: 15_000 });
});

test("bytes sent with the handshake reach the workspace only after it has accepted", async () => {
  let heard = "";
  await using front = await startUpgrading((socket, head) => {
    heard += head.toString();
    socket.on("data", (chunk) => (heard += chunk));
  });
  const { socket } = await open(front.port, `${handshake()}early`);
  await vi.waitFor(() => expect(heard).toBe("early"), { timeout: 15_000 });
  socket.destroy();
});

test("the response of a workspace that declines is passed back, and nothing after it", async () => {
  const seen: string[] = [];
  await using workspace = await startTestWorkspace((_req, res) => res.end());
  workspace.server.on("upgrade", (req, socket) => {
    seen.push(req.url!);
    socket.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\nX-Why: no\r\n\r\nno");
  });
  await using front = await startTestGateway();
  front.setRoute("acme", online(workspace.address));
  const text = await exchange(front.port, `${handshake()}GET /hidden HTTP/1.1\r\nHost: acme.localhost\r\n\r\n`);
  expect(text).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
  expect(text).toMatch(/X-Why: no\r\n/);
  expect(text.endsWith("no")).toBe(true);
  expect(seen).toEqual(["/rest/push?a=1"]);
});

test("the connection of a declined upgrade is closed even if the visitor keeps its side open", async () => {
  await using workspace = await startTestWorkspace((_req, res) => res.end());
  workspace.server.on("upgrade", (_req, socket) => socket.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno"));
  await using front = await startTestGateway();
  front.setRoute("acme", online(workspace.address));
  const { socket, text } = await open(front.port);
  let isGone = false;
  socket.on("error", () => (isGone = true));
  await vi.waitFor(() => expect(socket.readableEnded).toBe(true), { timeout: 15_000 });
  // A byte sent to a closed connection is answered with a reset.
  const drip = setInterval(() => socket.write("a"), 20);
  await vi.waitFor(() => expect(isGone).toBe(true), { timeout: 15_000 });
  clearInterval(drip);
  expect(text().endsWith("no")).toBe(true);
});

test.each([
  ["unknown", null, 404],
  ["starting", { workspaceId: "w", state: "starting", address: null, open: false }, 503],
  ["stopped", { workspaceId: "w", state: "stopped", address: null, open: false }, 503],
  ["refusing connections", online("127.0.0.1:1"), 503],
] as const)("an upgrade to a workspace that is %s gets a plain answer", async (_state, route, status) => {
  await using front = await startTestGateway();
  front.setRoute("acme", route);
  const text = await exchange(front.port, handshake());
  expect(text.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
  expect(text.includes("Retry-After")).toBe(status === 503);
});

test("an upgrade with a body is refused", async () => {
  await using front = await startUpgrading(() => undefined);
  expect(await exchange(front.port, `${handshake("Content-Length: 5\r\n")}hello`)).toMatch(/^HTTP\/1\.1 400/);
  expect(front.seen).toEqual([]);
});

test("a handshake without a response times out", async () => {
  await using workspace = await startRawWorkspace(() => undefined);
  await using front = await startTestGateway({ limits: { handshakeTimeoutMs: 200 } });
  front.setRoute("acme", online(workspace.address));
  expect(await exchange(front.port, handshake())).toMatch(/^HTTP\/1\.1 503/);
});

test("when either side disappears, the other is closed", async () => {
  const sockets: Socket[] = [];
  await using front = await startUpgrading((socket) => sockets.push(socket.on("end", () => socket.end()).resume()));
  const first = await open(front.port);
  first.socket.resetAndDestroy();
  await vi.waitFor(() => expect(sockets[0]!.destroyed).toBe(true), { timeout: 15_000 });
  const second = await open(front.port);
  sockets[1]!.resetAndDestroy();
  await vi.waitFor(() => expect(second.socket.destroyed || second.socket.readableEnded).toBe(true), { timeout: 15_000 });
});

test("tunnels count as current requests until they are closed", async () => {
  const front = await startPair((_req, res) => res.end(), { limits: { maxInFlight: 1 } });
  front.workspace.server.on("upgrade", (_req, socket: Socket) => {
    socket
      .on("error", () => undefined)
      .on("end", () => socket.end())
      .resume();
    socket.write(`${accepted}\r\n`);
  });
  const { socket } = await open(front.port);
  expect(await exchange(front.port, handshake())).toMatch(/^HTTP\/1\.1 503/);
  socket.destroy();
  await vi.waitFor(async () => expect(await exchange(front.port, handshake(), "\r\n\r\n")).toMatch(/^HTTP\/1\.1 101/), { timeout: 15_000 });
  await front[Symbol.asyncDispose]();
});

test("a visitor who leaves during the lookup gets no tunnel and takes no place", async () => {
  await using workspace = await startTestWorkspace((_req, res) => res.end("ok"));
  let upgrades = 0;
  workspace.server.on("upgrade", (_req, socket) => {
    upgrades += 1;
    socket.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno");
  });
  const found = deferred<ReturnType<typeof online>>();
  let asked = 0;
  const lookUp = () => {
    asked += 1;
    return found.promise;
  };
  await using front = await startTestGateway({ lookUp, limits: { maxInFlight: 1 } });
  const socket = connect({ port: front.port, host: "127.0.0.1" });
  socket.write(handshake());
  await vi.waitFor(() => expect(asked).toBe(1), { timeout: 15_000 });
  socket.resetAndDestroy();
  await vi.waitFor(async () => expect(await front.connections()).toBe(0), 20_000);
  found.resolve(online(workspace.address));
  await delay(200);
  expect(upgrades).toBe(0);
  expect(await exchange(front.port, "GET / HTTP/1.1\r\nHost: acme.localhost\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1\.1 200/);
});

test("a handshake that finds its workspace asleep and no room to wait is refused, although it was known as online", async () => {
  let handshakes = 0;
  await using workspace = await startRawWorkspace(() => void (handshakes += 1));
  const record = async (ids: readonly string[]) => [...ids];
  await using front = await startTestGateway({
    limits: { maxWaiting: 0 },
    sleep: { record, monitored: /^\/health$/, absent: /^\/absent$/ },
  });
  front.setRoute("acme", online(workspace.address));
  expect(await exchange(front.port, handshake())).toMatch(/^HTTP\/1\.1 503 /);
  expect(handshakes).toBe(0);
});

test("a closing gateway ends its tunnels", async () => {
  await using front = await startUpgrading(() => undefined);
  const { socket } = await open(front.port);
  await front.gateway.close();
  await vi.waitFor(() => expect(socket.destroyed || socket.readableEnded).toBe(true), { timeout: 15_000 });
});
