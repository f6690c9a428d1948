/** How connections to a workspace are reused, and when they are not. */
import { spawn } from "node:child_process";
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { request, Server, type IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { ask, online, startPair, startRawWorkspace, startTestGateway } from "#testing/network/start-test-gateway.ts";

/** A workspace that answers each request with the bytes for it, and the number of connections it has seen. */
async function startAnswering(answer: (path: string, socket: Socket) => string) {
  const seen = { connections: 0, closed: 0 };
  const workspace = await startRawWorkspace((socket) => {
    seen.connections += 1;
    socket.on("close", () => (seen.closed += 1));
    socket.on("data", (chunk) => {
      for (const [, path] of chunk.toString("latin1").matchAll(/^[A-Z]+ (\S+) HTTP/gm)) socket.write(answer(path!, socket), "latin1");
    });
  });
  const front = await startTestGateway();
  front.setRoute("acme", online(workspace.address));
  return {
    ...front,
    seen,
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

/**
 * From here on, the gateway's time passes only as the test says, so that a machine that stands still for seconds does not end an idle
 * connection.
 */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
}

const ok = (body: string, more = "") => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;

test("successive requests share one connection", async () => {
  holdTime();
  await using front = await startAnswering((path) => ok(path));
  for (const path of ["/1", "/2", "/3"]) expect((await ask(front.port, { path })).body).toBe(path);
  expect(front.seen.connections).toBe(1);
});

test("unrequested bytes from a workspace reach no visitor", async () => {
  holdTime();
  const poison = ok("not yours");
  await using front = await startAnswering((path, socket) => {
    if (path === "/later") setTimeout(() => socket.write(poison), 20);
    return path === "/together" ? ok("mine") + poison : ok("mine");
  });
  for (const path of ["/together", "/1", "/later"]) expect((await ask(front.port, { path })).body).toBe("mine");
  await vi.waitFor(() => expect(front.seen.closed).toBe(2), { timeout: 15_000 });
  expect((await ask(front.port)).body).toBe("mine");
});

test.each([
  ["announces that it closes", "Connection: close\r\n"],
  ["keeps connections for less than a moment", "Keep-Alive: timeout=2\r\n"],
])("a workspace that %s gets a new connection for each request", async (_what, header) => {
  await using front = await startAnswering((path) => ok(path, header));
  for (const path of ["/1", "/2"]) expect((await ask(front.port, { path })).body).toBe(path);
  expect(front.seen.connections).toBe(2);
});

test("an idle connection is closed before a server's usual limit of five seconds, and not long before", async () => {
  holdTime();
  await using front = await startAnswering((path) => ok(path));
  await ask(front.port);
  vi.advanceTimersByTime(3_000);
  expect((await ask(front.port, { path: "/again" })).body).toBe("/again");
  expect(front.seen).toEqual({ connections: 1, closed: 0 });
  const { keepAliveTimeout } = new Server();
  vi.advanceTimersByTime(keepAliveTimeout - 100);
  vi.useRealTimers();
  await vi.waitFor(() => expect(front.seen.closed).toBe(1), 20_000);
});

test.each([
  ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok"],
  ["a bare line feed in a value", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: a\nSet-Cookie: b\r\n\r\nok"],
  ["a blank before a colon", "HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok"],
  ["a folded header", "HTTP/1.1 200 OK\r\nX-A: a\r\n b: c\r\nContent-Length: 2\r\n\r\nok"],
  ["a null byte in a value", "HTTP/1.1 200 OK\r\nX-A: \0\r\nContent-Length: 2\r\n\r\nok"],
  ["a control character in its reason", "HTTP/1.1 200 O\x01K\r\nContent-Length: 2\r\n\r\nok"],
  ["no body and an unsafe header", "HTTP/1.1 204 No Content\r\nX A: b\r\n\r\n"],
  ["a status out of range", "HTTP/1.1 000 OK\r\nContent-Length: 2\r\n\r\nok"],
  ["an upgrade that was not requested", "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"],
])("a response with %s gives 502, and the next visitor is served", async (_trick, bytes) => {
  await using front = await startAnswering((path) => (path === "/bad" ? bytes : ok("fine")));
  expect(await ask(front.port, { path: "/bad" })).toMatchObject({ status: 502 });
  expect(await ask(front.port)).toMatchObject({ status: 200, body: "fine" });
});

/** A person's browser gets a page instead of waiting. */
const browser = { accept: "text/html" };

/** A program that listens and accepts nothing, with its queue full: further connections stay open-ended. */
async function startDeaf(): Promise<{ address: string } & AsyncDisposable> {
  const script = `
    const server = require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
      require("node:fs").writeSync(1, String(server.address().port));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  const waiting = Array.from({ length: 8 }, () => connect({ port: Number(port), host: "127.0.0.1" }).on("error", () => undefined));
  // So many fit into the queue.
  await expect.poll(() => waiting.filter((socket) => !socket.connecting).length).toBe(2);
  return {
    address: `127.0.0.1:${String(port)}`,
    async [Symbol.asyncDispose]() {
      for (const socket of waiting) socket.destroy();
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

test("a workspace that accepts no connection in time is offline, and its next visitors are not delayed", async () => {
  await using deaf = await startDeaf();
  await using front = await startTestGateway({ limits: { connectTimeoutMs: 300 } });
  front.setRoute("acme", online(deaf.address));
  const startMs = performance.now();
  const answers = await Promise.all([1, 2].map(() => ask(front.port, { headers: browser })));
  for (const { status, body } of answers) expect([status, body.includes("workspace_offline")]).toEqual([503, true]);
  // Two attempts each.
  expect(performance.now() - startMs).toBeGreaterThan(590);
});

test("a visitor who leaves before the workspace is connected leaves nothing behind", async () => {
  await using deaf = await startDeaf();
  await using front = await startTestGateway({ limits: { connectTimeoutMs: 300, maxInFlight: 1 } });
  front.setRoute("acme", online(deaf.address));
  const req = request({ port: front.port, host: "127.0.0.1", headers: { host: "acme.localhost" } }).end();
  req.on("error", () => undefined);
  await vi.waitFor(() => expect(front.arrived()).toBe(1), { timeout: 15_000 });
  req.destroy();
  // The place is free again: this one is refused because of the workspace, not because of the crowd.
  await vi.waitFor(async () => expect((await ask(front.port, { headers: browser })).body).toContain("workspace_offline"), {
    timeout: 15_000,
  });
});

test("a response that arrives byte by byte arrives complete", async () => {
  const bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
  await using front = await startAnswering((_path, socket) => {
    let at = 0;
    const timer = setInterval(() => (at < bytes.length ? socket.write(bytes[at++]!) : clearInterval(timer)), 1);
    return "";
  });
  expect(await ask(front.port)).toMatchObject({ status: 200, body: "abcde" });
});

test("bodies of a hundred concurrent visitors are not mixed up, though all are read into the same memory", async () => {
  const lengths = [1, 1000, 20_000, 300_000];
  const bodyOf = (path: string) => path.repeat(lengths[Number(path.slice(1)) % lengths.length]!);
  await using front = await startPair((req, res) => {
    const body = bodyOf(req.url!);
    // Half of them without a length, in chunks.
    if (Number(req.url!.slice(1)) % 8 < 4) res.setHeader("content-length", body.length);
    res.end(body);
  });
  const visit = async (path: string): Promise<boolean> => {
    const req = request({ port: front.port, host: "127.0.0.1", path, headers: { host: "acme.localhost" } }).end();
    const [res] = (await once(req, "response")) as [IncomingMessage];
    // A slow visitor: the gateway holds what it has read.
    res.pause();
    await delay(50);
    return (await res.setEncoding("latin1").toArray()).join("") === bodyOf(path);
  };
  const all = await Promise.all(Array.from({ length: 100 }, (_, index) => visit(`/${index}`)));
  expect(all.every(Boolean)).toBe(true);
});
