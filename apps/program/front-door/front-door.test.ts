import { once } from "node:events";
import { connect, createServer as createSocketServer, type Socket } from "node:net";
import { Writable } from "node:stream";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { streamEvents } from "#platform/http/stream-events.ts";
import { createLog } from "#platform/log.ts";
import { findFreePort } from "#testing/program/start-slipway.ts";
import { createGateway, type Gateway } from "../../gateway/create-gateway.ts";
import { startTestWorkspace, type TestWorkspace } from "#testing/network/start-test-gateway.ts";
import { buildHealth } from "../readiness.ts";
import { openFrontDoor, type FrontDoor, type FrontDoorOptions } from "./front-door.ts";

let workspace: TestWorkspace;
let gateway: Gateway;
let api: FastifyInstance;
let health: FastifyInstance;

beforeAll(async () => {
  workspace = await startTestWorkspace((req, res) => {
    if (req.url === "/events") return void res.writeHead(200, { "content-type": "text/event-stream" }).write("data: hello\n\n");
    res.end(`workspace ${req.url}`);
  });
  workspace.server.on("upgrade", (req, socket) => {
    const head = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nworkspace";
    if (req.url === "/stay") socket.on("error", () => undefined).write(head);
    else socket.end(head);
  });
  gateway = createGateway({
    lookUp: async (name) => (name === "acme" ? { workspaceId: "w", state: "online", address: workspace.address, open: true } : null),
    panelUrl: "http://localhost:3000",
    publicScheme: "http",
    probeToken: "",
    log: createLog("silent"),
    clock: systemClock,
  });
  api = fastify();
  api.get("/*", async (request) => `panel ${request.url}`);
  await api.ready();
  health = await buildHealth(async () => ({ roles: true }));
});
afterAll(async () => {
  await gateway.close();
  await workspace[Symbol.asyncDispose]();
});

async function openDoor(changes: Partial<FrontDoorOptions> = {}): Promise<{ door: FrontDoor; port: number }> {
  const port = await findFreePort();
  const door = await openFrontDoor({ panelHost: "localhost:3000", port, hosts: ["127.0.0.1"], api, health, gateway, ...changes });
  onTestFinished(() => door.close());
  return { door, port };
}

/** Sends raw headers and returns the whole response. */
async function send(port: number, head: string, host = "127.0.0.1"): Promise<string> {
  const socket = connect({ port, host });
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk.toString()));
  socket.write(`${head}\r\nConnection: close\r\n\r\n`);
  await once(socket, "close");
  return answer;
}

const get = (port: number, host: string, path = "/", address?: string) => send(port, `GET ${path} HTTP/1.1\r\nHost: ${host}`, address);

/** Connections to a workspace that stay open. */
async function fillWith(head: string, port: number, sockets: number) {
  const gone = new Set<number>();
  for (let at = 0; at < sockets; at += 1) {
    const socket = connect({ port, host: "127.0.0.1" });
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined).on("close", () => gone.add(at));
    socket.write(`${head}\r\nHost: acme.localhost\r\n\r\n`);
    await Promise.race([once(socket, "data"), once(socket, "close")]);
  }
  return { sockets, isGone: (at: number) => gone.has(at) };
}

const up = '{"status":"up"}';
const unknown = "workspace_unknown";

const wholeDoor: [host: string, path: string, status: number, body: string][] = [
  ["localhost:3000", "/", 200, "panel /"],
  ["LOCALHOST.", "/login", 200, "panel /login"],
  ["localhost:3000", "/healthz", 200, up],
  ["localhost:3000", "/readyz", 200, '{"status":"ready","checks":{"roles":true}}'],
  ["acme.localhost:3000", "/rest/login?a=1", 200, "workspace /rest/login?a=1"],
  ["acme.localhost:3000", "/healthz", 200, "workspace /healthz"],
  ["acme.localhost:3000", "/api/auth/me", 200, "workspace /api/auth/me"],
  ["nobody.localhost:3000", "/", 404, unknown],
  ["a.acme.localhost:3000", "/", 404, unknown],
  ["acme.example.com", "/", 404, unknown],
  ["localhost.example.com", "/", 404, unknown],
  ["10.0.0.1:3000", "/", 404, unknown],
  ["10.0.0.1:3000", "/healthz", 200, up],
  ["balancer.internal", "/healthz", 200, up],
  ["balancer.internal", "/healthz/../api/auth/me", 404, unknown],
  ["balancer.internal", "/readyz", 200, "ready"],
];

describe("with every role", () => {
  let port: number;
  let door: FrontDoor;
  beforeAll(async () => {
    port = await findFreePort();
    door = await openFrontDoor({ panelHost: "localhost:3000", port, hosts: ["127.0.0.1"], api, health, gateway });
  });
  afterAll(() => door.close());

  test.each(wholeDoor)("%s%s is answered with %i: %s", async (host, path, status, body) => {
    const answer = await get(port, host, path);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain(body);
  });

  const upgrade = (host: string) =>
    send(
      port,
      `GET /rest/push HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==`,
    );

  test("a WebSocket reaches a workspace", async () => {
    expect(await upgrade("acme.localhost:3000")).toMatch(/^HTTP\/1.1 101 [^]*workspace$/);
  });

  test.each(["localhost:3000", "example.com", "10.0.0.1", "nobody.localhost:3000"])("a WebSocket to %s is refused", async (host) => {
    expect(await upgrade(host)).toMatch(/^HTTP\/1.1 404 /);
  });

  test("a request without a host is not found, and one with two is refused", async () => {
    expect(await send(port, "GET / HTTP/1.0")).toMatch(/^HTTP\/1.1 404 /);
    expect(await send(port, "GET / HTTP/1.1\r\nHost: localhost\r\nHost: acme.localhost")).toMatch(/^HTTP\/1.1 400 /);
  });
});

test("a process without the API has no panel but answers the health paths", async () => {
  const { port } = await openDoor({ api: null });
  expect(await get(port, "localhost:3000")).toContain(unknown);
  expect(await get(port, "localhost:3000", "/healthz")).toContain(up);
  expect(await get(port, "acme.localhost:3000", "/x")).toContain("workspace /x");
});

test("a host of the API beside or below the panel's leads to the API, and its pages are none of a workspace", async () => {
  const { port } = await openDoor({ apiHosts: ["api.example.com", "api.localhost"] });
  for (const host of ["API.example.com:3000", "api.localhost:3000"]) {
    expect(await get(port, host, "/auth/me")).toContain("panel /auth/me");
    expect(await get(port, host, "/healthz")).toContain(up);
  }
  expect(await get(port, "v2.api.example.com")).toContain(unknown);
  expect(await get(port, "acme.localhost:3000", "/x")).toContain("workspace /x");
  const without = await openDoor({ api: null, apiHosts: ["api.localhost"] });
  expect(await get(without.port, "api.localhost:3000", "/auth/me")).toContain(unknown);
});

test("a process without the gateway opens no workspace", async () => {
  const { port } = await openDoor({ gateway: null });
  expect(await get(port, "acme.localhost:3000")).toMatch(/^HTTP\/1.1 404 /);
  expect(await get(port, "localhost:3000")).toContain("panel /");
});

test("a process with only the worker answers the health paths and nothing else", async () => {
  const { port } = await openDoor({ api: null, gateway: null });
  expect(await get(port, "localhost:3000")).toMatch(/^HTTP\/1.1 404 /);
  expect(await get(port, "10.1.2.3", "/readyz")).toContain("ready");
});

test("one port answers both IPv4 and IPv6", async () => {
  const both = await openDoor({ hosts: ["127.0.0.1", "::1"] });
  const any = await openDoor({ hosts: ["::"] });
  for (const { port } of [both, any]) {
    expect(await get(port, "localhost:3000", "/", "127.0.0.1")).toContain("panel /");
    expect(await get(port, "localhost:3000", "/", "::1")).toContain("panel /");
  }
});

test("an address that the machine lacks is skipped, and having none is refused with a message", async () => {
  const { port } = await openDoor({ hosts: ["127.0.0.1", "192.0.2.1"] });
  expect(await get(port, "localhost:3000")).toContain("panel /");
  await expect(openDoor({ hosts: ["192.0.2.1"] })).rejects.toThrow("None of the addresses 192.0.2.1 exists on this machine. Set HOST.");
  await expect(openDoor({ hosts: ["no-such-name.invalid"] })).rejects.toThrow("Set HOST.");
});

test("a port taken on one of two addresses is refused, and the other address is released", async () => {
  const taken = createSocketServer();
  const port = await findFreePort();
  await new Promise<void>((resolve) => taken.listen({ port, host: "::1" }, resolve));
  onTestFinished(() => void taken.close());
  await expect(openDoor({ hosts: ["127.0.0.1", "::1"], port })).rejects.toThrow(`Port ${port} is in use by another program.`);
  await expect(get(port, "localhost:3000")).rejects.toThrow("ECONNREFUSED");
});

test("closing the door ends connections that would stay open forever", async () => {
  const { door, port } = await openDoor();
  const socket = connect({ port, host: "127.0.0.1" });
  await once(socket, "connect");
  const closed = once(socket, "close");
  await door.close();
  expect(await closed).toEqual([false]);
});

test("a call that the API never answers is answered by the front door, with a line in the log", async () => {
  const said: { msg: string; status: number }[] = [];
  const log = createLog(
    "warn",
    undefined,
    new Writable({ write: (chunk: Buffer, _encoding, done) => (said.push(JSON.parse(chunk.toString())), done()) }),
  );
  const silent = fastify();
  silent.get("/*", () => new Promise(() => undefined));
  await silent.ready();
  const { port } = await openDoor({ api: silent, log, limits: { panelSilenceMs: 300 } });
  expect(await get(port, "localhost:3000", "/held?token=a")).toMatch(/^HTTP\/1.1 504 /);
  expect(said).toEqual([expect.objectContaining({ method: "GET", path: "/held", status: 504 })]);
});

test("a request that cannot be read is refused with a line in the log, of which there are only so many", async () => {
  const said: { msg: string; status: number }[] = [];
  const log = createLog(
    "info",
    undefined,
    new Writable({ write: (chunk: Buffer, _encoding, done) => (said.push(JSON.parse(chunk.toString())), done()) }),
  );
  const { port } = await openDoor({ log });
  const send = async (text: string): Promise<string> => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.on("error", () => undefined).write(text);
    const [chunk] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    return chunk.toString().slice(9, 12);
  };
  expect(await send(`GET / HTTP/1.1\r\nhost: localhost:3000\r\nx: ${"y".repeat(70_000)}\r\n\r\n`)).toBe("431");
  for (let at = 0; at < 25; at += 1) expect(await send("what?\r\n\r\n")).toBe("400");
  expect(said.filter(({ status }) => status === 431)).toEqual([
    expect.objectContaining({ code: "HPE_HEADER_OVERFLOW", address: expect.stringContaining("127.0.0.1") }),
  ]);
  expect(said.filter(({ status }) => status === 400)).toHaveLength(20);
});

describe("slow clients", () => {
  const limits = { headMs: 300, panelBodyMs: 300 };

  test.each([
    ["sends nothing", ""],
    ["never ends its head", "GET / HTTP/1.1\r\nHost: localhost:3000\r\n"],
    ["never ends its body", "POST / HTTP/1.1\r\nHost: localhost:3000\r\nContent-Length: 1000\r\n\r\n"],
    ["never ends its chunks", "POST / HTTP/1.1\r\nHost: localhost:3000\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n"],
  ])("a client that %s is disconnected, even if it sends occasional bytes", async (_what, head) => {
    const slow = fastify();
    slow.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
    slow.post("/*", async () => "whole");
    await slow.ready();
    const { port } = await openDoor({ api: slow, limits });
    const socket = connect({ port, host: "127.0.0.1" });
    socket.on("error", () => undefined);
    socket.resume();
    socket.write(head);
    // An occasional byte: never idle and never done.
    const drip =
      head === ""
        ? undefined
        : setInterval(() => socket.write(head.endsWith("\r\n\r\n") || head.endsWith("3e8\r\n") ? "a" : "X-A: b\r\n"), 20);
    // A byte sent to the closed end causes an error before the close event, which once() would throw.
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(drip);
    await slow.close();
  });

  test.each(["localhost:3000", "example.com"])(
    "a WebSocket refused at %s is closed even if the caller keeps its side open",
    async (host) => {
      const { door, port } = await openDoor();
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      let isGone = false;
      socket.on("error", () => (isGone = true)).resume();
      socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
      await once(socket, "end");
      // A byte sent to a closed connection is answered with a reset.
      const drip = setInterval(() => socket.write("a"), 20);
      await vi.waitFor(() => expect(isGone).toBe(true), { timeout: 15_000 });
      clearInterval(drip);
      await door.close();
    },
  );

  test("a CONNECT is answered and its connection closed, even if the caller keeps its side open", async () => {
    const { port } = await openDoor();
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    let text = "";
    let isGone = false;
    socket.on("error", () => (isGone = true)).on("data", (chunk: Buffer) => (text += chunk.toString()));
    socket.write("CONNECT example.com:443 HTTP/1.1\r\nHost: localhost:3000\r\n\r\n");
    await once(socket, "end");
    expect(text).toMatch(/^HTTP\/1\.1 405 /);
    // A byte sent to a closed connection is answered with a reset.
    const drip = setInterval(() => socket.write("a"), 20);
    await vi.waitFor(() => expect(isGone).toBe(true), { timeout: 15_000 });
    clearInterval(drip);
  });

  test("thousands of idle connections do not block the panel", async () => {
    const { port } = await openDoor();
    const idle = await Promise.all(
      Array.from({ length: 2_000 }, async () => {
        const socket = connect({ port, host: "127.0.0.1" });
        socket.on("error", () => undefined);
        await once(socket, "connect");
        return socket;
      }),
    );
    expect(await get(port, "localhost:3000")).toContain("panel /");
    expect(await get(port, "acme.localhost:3000")).toContain("workspace /");
    for (const socket of idle) socket.destroy();
  });

  test("a full door closes event streams and then the longest-idle connections for new ones, but no current request", async () => {
    const said: unknown[] = [];
    const log = createLog(
      "warn",
      undefined,
      new Writable({ write: (chunk: Buffer, _encoding, done) => (said.push(JSON.parse(chunk.toString())), done()) }),
    );
    const held = fastify();
    held.get("/held", () => new Promise(() => undefined));
    held.get("/stream", (request, reply) =>
      streamEvents(request, reply, { event: "a", read: async () => ({}), follow: () => () => undefined }),
    );
    held.get("/*", async () => "panel");
    await held.ready();
    const { port } = await openDoor({ api: held, log, limits: { connections: 20 } });
    const ended: string[] = [];
    const enter = async (who: string, head = "") => {
      const socket = connect({ port, host: "127.0.0.1" });
      socket.on("error", () => undefined).on("close", () => ended.push(who));
      await once(socket, "connect");
      socket.write(head);
      return socket;
    };
    const stream = await enter("stream", "GET /stream HTTP/1.1\r\nHost: localhost:3000\r\n\r\n");
    await once(stream, "data");
    const busy = await enter("busy", "GET /held HTTP/1.1\r\nHost: localhost:3000\r\n\r\n");
    const kept = await enter("kept alive", "GET /a HTTP/1.1\r\nHost: localhost:3000\r\n\r\n");
    await once(kept, "data");
    const silent: Socket[] = [];
    for (let at = 0; at < 60; at += 1) silent.push(await enter(`silent ${at}`, "GET / HTTP/1.1\r\nHost: "));
    for (let at = 0; at < 3; at += 1) expect(await get(port, "localhost:3000")).toContain("panel");
    expect(ended[0]).toBe("stream");
    expect(ended).toContain("silent 0");
    expect(ended).not.toContain("busy");
    expect(ended).not.toContain("silent 59");
    expect(said).toEqual([expect.objectContaining({ connections: 20, msg: expect.stringContaining("the front door is full") })]);
    for (const socket of [busy, kept, ...silent]) socket.destroy();
  });

  test("a door full of bodies that never end accepts new connections, and cuts off the oldest bodies", async () => {
    const reading = fastify();
    reading.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    let arrived = 0;
    reading.addHook("onRequest", async () => void (arrived += 1));
    reading.post("/*", async () => "read");
    reading.get("/*", async () => "panel");
    reading.get("/held", () => new Promise(() => undefined));
    await reading.ready();
    const { port } = await openDoor({ api: reading, limits: { connections: 20 } });
    const enter = async (head: string) => {
      const socket = connect({ port, host: "127.0.0.1" });
      let isGone = false;
      socket
        .on("error", () => undefined)
        .on("close", () => (isGone = true))
        .resume();
      await once(socket, "connect");
      const before = arrived;
      socket.write(head);
      onTestFinished(() => void socket.destroy());
      await expect.poll(() => isGone || arrived > before, { interval: 5 }).toBe(true);
      return { socket, isGone: () => isGone };
    };
    const busy = await enter("GET /held HTTP/1.1\r\nHost: localhost:3000\r\n\r\n");
    const upload = "POST /a HTTP/1.1\r\nHost: localhost:3000\r\nContent-Type: a/b\r\nContent-Length: 100\r\n\r\na";
    const uploads = [];
    for (let at = 0; at < 30; at += 1) {
      uploads.push(await enter(upload));
      // A dripping body is not idle.
      for (const { socket } of uploads) if (!socket.destroyed) socket.write("a");
    }
    for (let at = 0; at < 5; at += 1) expect(await get(port, "localhost:3000")).toContain("panel");
    expect(uploads[0]!.isGone()).toBe(true);
    expect(uploads.at(-1)!.isGone()).toBe(false);
    expect(busy.isGone()).toBe(false);
  });

  test.each([
    ["WebSockets", "GET /stay HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket"],
    ["event streams of workspaces", "GET /events HTTP/1.1"],
  ])("a door full of %s accepts new connections", async (_what, head) => {
    const { port } = await openDoor({ limits: { connections: 20 } });
    const { sockets, isGone } = await fillWith(head, port, 30);
    for (let at = 0; at < 5; at += 1) expect(await get(port, "localhost:3000")).toContain("panel");
    // Of one site, the newest go: an editor that is open stays so.
    await expect.poll(() => isGone(sockets - 1)).toBe(true);
    expect(isGone(0)).toBe(false);
  });

  test("a door full of streams accepts new connections", async () => {
    const streaming = fastify();
    streaming.get("/stream", (request, reply) =>
      streamEvents(request, reply, { event: "a", read: async () => ({}), follow: () => () => undefined }),
    );
    streaming.get("/*", async () => "panel");
    await streaming.ready();
    const { port } = await openDoor({ api: streaming, limits: { connections: 20 } });
    for (let at = 0; at < 30; at += 1) {
      const socket = connect({ port, host: "127.0.0.1" });
      socket.on("error", () => undefined).write("GET /stream HTTP/1.1\r\nHost: localhost:3000\r\n\r\n");
      onTestFinished(() => void socket.destroy());
      await once(socket, "data");
    }
    for (let at = 0; at < 5; at += 1) expect(await get(port, "localhost:3000")).toContain("panel");
  });
});
