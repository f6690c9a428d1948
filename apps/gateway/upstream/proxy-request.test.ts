import { once } from "node:events";
import { request, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { ask, deferred, online, startPair, startRawWorkspace, startTestGateway } from "#testing/network/start-test-gateway.ts";

test("a request arrives with its method, path, headers and body, and the response comes back complete", async () => {
  await using front = await startPair((req, res) => {
    let body = "";
    req.on("data", (chunk) => (body += chunk));
    req.on("end", () => {
      res.writeHead(201, "Made", { "content-type": "application/json", "x-own": ["a", "b"] });
      res.end(JSON.stringify({ method: req.method, url: req.url, headers: req.headers, body }));
    });
  });
  const answer = await ask(front.port, {
    method: "POST",
    path: "/webhook/a?b=%20c&d",
    headers: { "x-custom": "1", cookie: "token=s; a=1" },
    body: "hello",
  });
  expect(answer.status).toBe(201);
  expect(answer.headers["x-own"]).toBe("a, b");
  const seen = JSON.parse(answer.body);
  expect(seen).toMatchObject({ method: "POST", url: "/webhook/a?b=%20c&d", body: "hello" });
  expect(seen.headers).toMatchObject({
    host: "acme.localhost",
    "x-custom": "1",
    cookie: "a=1",
    "x-forwarded-for": "127.0.0.1",
    "x-forwarded-proto": "http",
    "x-forwarded-host": "acme.localhost",
    "x-forwarded-port": "80",
  });
});

test("a visitor's forwarded headers and our secrets do not reach the workspace", async () => {
  await using front = await startPair((req, res) => res.end(JSON.stringify(req.headers)));
  const headers = {
    "x-forwarded-for": "6.6.6.6",
    "x-forwarded-host": "evil",
    forwarded: "for=6.6.6.6",
    "x-real-ip": "6.6.6.6",
    "x-slipway-probe": "guess",
    "x-slipway-x": "1",
  };
  const { body } = await ask(front.port, { headers });
  expect(body).not.toMatch(/6\.6\.6\.6|evil|slipway/);
});

test("every method passes, and so does the length of a HEAD response", async () => {
  await using front = await startPair((req, res) => {
    res.setHeader("x-method", req.method!);
    res.setHeader("content-length", 5);
    res.end(req.method === "HEAD" ? undefined : "12345");
  });
  for (const method of ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "POST", "PROPFIND"]) {
    expect(await ask(front.port, { method })).toMatchObject({ status: 200, body: "12345", headers: { "x-method": method } });
  }
  expect(await ask(front.port, { method: "HEAD" })).toMatchObject({ status: 200, body: "", headers: { "content-length": "5" } });
});

test("responses without a body pass: 204, 304 and an empty 200", async () => {
  await using front = await startPair((req, res) => res.writeHead(Number(req.url!.slice(1)), { etag: "x" }).end());
  for (const status of [200, 204, 304])
    expect(await ask(front.port, { path: `/${status}` })).toMatchObject({ status, body: "", headers: { etag: "x" } });
});

test("interim responses do not disturb the final one", async () => {
  await using front = await startPair((_req, res) => {
    res.writeProcessing();
    res.writeEarlyHints({ link: "</x.css>; rel=preload" });
    res.end("done");
  });
  expect(await ask(front.port)).toMatchObject({ status: 200, body: "done" });
});

test("a client that expects 100-continue gets it and its body arrives", async () => {
  await using front = await startPair((req, res) => void req.pipe(res));
  const req = request({
    port: front.port,
    host: "127.0.0.1",
    method: "POST",
    headers: { host: "acme.localhost", expect: "100-continue", "content-length": 3 },
  });
  req.flushHeaders();
  await once(req, "continue");
  req.end("abc");
  const [res] = (await once(req, "response")) as [IncomingMessage];
  expect((await res.setEncoding("utf8").toArray()).join("")).toBe("abc");
});

test("an event stream's headers and each event arrive immediately, while the stream stays open", async () => {
  const send = deferred<(text: string) => void>();
  await using front = await startPair((_req, res) => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    res.flushHeaders();
    send.resolve((text) => res.write(text));
  });
  const req = request({ port: front.port, host: "127.0.0.1", headers: { host: "acme.localhost" } }).end();
  const [res] = (await once(req, "response")) as [IncomingMessage];
  expect(res.headers["content-type"]).toBe("text/event-stream");
  const write = await send.promise;
  // Each arrives before there is anything more to wait for.
  for (const event of ["data: 1\n\n", "data: 2\n\n"]) {
    write(event);
    const [chunk] = (await once(res, "data")) as [Buffer];
    expect(chunk.toString()).toBe(event);
  }
  req.destroy();
});

test("an upload reaches the workspace while it is still being sent", async () => {
  const first = deferred<string>();
  await using front = await startPair((req, res) => {
    req.once("data", (chunk: Buffer) => first.resolve(chunk.toString()));
    req.resume().on("end", () => res.end("ok"));
  });
  const req = request({ port: front.port, host: "127.0.0.1", method: "POST", headers: { host: "acme.localhost" } });
  req.write("first part");
  expect(await first.promise).toBe("first part");
  req.end("rest");
  expect(((await once(req, "response")) as [IncomingMessage])[0].statusCode).toBe(200);
});

test("a visitor who disconnects ends the workspace's work on the response", async () => {
  const arrived = deferred();
  const ended = deferred();
  await using front = await startPair((_req, res) => {
    res.on("close", () => ended.resolve());
    arrived.resolve();
  });
  const req = request({ port: front.port, host: "127.0.0.1", headers: { host: "acme.localhost" } }).end();
  req.on("error", () => undefined);
  await arrived.promise;
  req.destroy();
  await expect(ended.promise).resolves.toBeUndefined();
});

test("a visitor who disconnects during an upload ends it for the workspace", async () => {
  const arrived = deferred();
  const aborted = deferred();
  await using front = await startPair((req) => {
    req.once("data", () => arrived.resolve());
    req.on("error", () => aborted.resolve());
  });
  const req = request({ port: front.port, host: "127.0.0.1", method: "POST", headers: { host: "acme.localhost", "content-length": 1000 } });
  req.on("error", () => undefined);
  req.write("some");
  await arrived.promise;
  req.destroy();
  await expect(aborted.promise).resolves.toBeUndefined();
});

test.each([
  ["a length", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"],
  ["chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"],
])("a response with %s that breaks off never looks complete", async (_framing, half) => {
  const breakOff = deferred();
  await using workspace = await startRawWorkspace((socket) => {
    socket.once("data", () => socket.write(half));
    void breakOff.promise.then(() => socket.destroy());
  });
  await using front = await startTestGateway();
  front.setRoute("acme", online(workspace.address));
  const socket = connect({ port: front.port, host: "127.0.0.1" });
  socket.on("error", () => undefined);
  let text = "";
  socket.on("data", (chunk) => (text += chunk.toString("latin1")));
  socket.write("GET / HTTP/1.1\r\nHost: acme.localhost\r\n\r\n");
  await vi.waitFor(() => expect(text).toContain("half"), { timeout: 15_000 });
  breakOff.resolve();
  await once(socket, "close");
  // Neither a final chunk nor a matching length.
  expect(text).not.toMatch(/0\r\n\r\n$|content-length: [0-4]\r/i);
  expect(text).toMatch(/^HTTP\/1\.1 200 OK.*half/s);
});

test("a response that breaks off resets an HTTP/1.0 connection, which has no other sign of it", async () => {
  await using workspace = await startRawWorkspace((socket) => {
    socket.once("data", () =>
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", () => setTimeout(() => socket.destroy(), 100)),
    );
  });
  await using front = await startTestGateway();
  front.setRoute("acme", online(workspace.address));
  const socket = connect({ port: front.port, host: "127.0.0.1" });
  socket.write("GET / HTTP/1.0\r\nHost: acme.localhost\r\n\r\n");
  socket.resume();
  const [error] = (await once(socket, "error")) as [NodeJS.ErrnoException];
  expect(error.code).toBe("ECONNRESET");
});

test("a response sent before the end of the upload reaches the visitor, and the connection stays usable", async () => {
  await using front = await startPair((req, res) => {
    res.writeHead(req.url === "/small" ? 200 : 413, { "content-length": 3 }).end("now");
  });
  const socket = connect({ port: front.port, host: "127.0.0.1" });
  socket.setEncoding("latin1");
  let text = "";
  socket.on("data", (chunk) => (text += chunk));
  const size = 5_000_000;
  socket.write(`POST / HTTP/1.1\r\nHost: acme.localhost\r\nContent-Length: ${size}\r\n\r\n`);
  socket.write(Buffer.alloc(size / 2));
  await vi.waitFor(() => expect(text).toContain("413"), { timeout: 15_000 });
  socket.write(Buffer.alloc(size / 2));
  socket.write("GET /small HTTP/1.1\r\nHost: acme.localhost\r\n\r\n");
  await vi.waitFor(() => expect(text).toContain("HTTP/1.1 200 OK"), { timeout: 15_000 });
  socket.destroy();
});

test("a workspace that disconnects after the request gives 502, and a POST is not sent twice", async () => {
  let connections = 0;
  await using workspace = await startRawWorkspace((socket) => {
    connections += 1;
    socket.once("data", () => socket.destroy());
  });
  await using front = await startTestGateway();
  front.setRoute("acme", online(workspace.address));
  const answer = await ask(front.port, { method: "POST", body: "pay" });
  expect(answer.status).toBe(502);
  expect(JSON.parse(answer.body)).toMatchObject({ code: "workspace_broke_off" });
  expect(connections).toBe(1);
});

test("a GET whose connection dies before a response is sent once more", async () => {
  let connections = 0;
  await using workspace = await startRawWorkspace((socket) => {
    connections += 1;
    const isFirst = connections === 1;
    socket.once("data", () => (isFirst ? socket.destroy() : socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")));
  });
  await using front = await startTestGateway();
  front.setRoute("acme", online(workspace.address));
  expect(await ask(front.port)).toMatchObject({ status: 200, body: "ok" });
});

test("a GET that calls a webhook is not sent twice: it may have been what killed the workspace", async () => {
  let connections = 0;
  await using workspace = await startRawWorkspace((socket) => {
    connections += 1;
    socket.once("data", () => socket.destroy());
  });
  await using front = await startTestGateway({ mayRepeat: (url) => !url.startsWith("/webhook/") });
  front.setRoute("acme", online(workspace.address));
  const answer = await ask(front.port, { path: "/webhook/a" });
  expect(answer.status).toBe(502);
  expect(JSON.parse(answer.body)).toMatchObject({ code: "workspace_broke_off" });
  expect(connections).toBe(1);
});

test("a response that is not HTTP gives 502", async () => {
  await using workspace = await startRawWorkspace((socket) => socket.once("data", () => socket.end("SSH-2.0-OpenSSH\r\n")));
  await using front = await startTestGateway();
  front.setRoute("acme", online(workspace.address));
  expect((await ask(front.port, { method: "POST" })).status).toBe(502);
});

test.each(["GET", "POST"])("a workspace that does not answer a %s in time gives 504", async (method) => {
  await using front = await startPair((req) => void req.resume(), { limits: { headersTimeoutMs: 300 } });
  const answer = await ask(front.port, method === "GET" ? {} : { method, body: "x" });
  expect(answer.status).toBe(504);
});

test("an upload may take longer than the limit for responses", async () => {
  // The limits are checked at intervals. Both pass only as the test says.
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const arrived = deferred();
  const workspace = (req: IncomingMessage, res: ServerResponse): void => {
    req.once("data", () => arrived.resolve()).on("end", () => res.end("ok"));
  };
  await using front = await startPair(workspace, { limits: { headersTimeoutMs: 1_000 } });
  const req = request({ port: front.port, host: "127.0.0.1", method: "POST", headers: { host: "acme.localhost" } });
  req.write("a");
  await arrived.promise;
  vi.advanceTimersByTime(10_000);
  req.end("b");
  expect(((await once(req, "response")) as [IncomingMessage])[0].statusCode).toBe(200);
});

test("more concurrent requests than allowed are refused, until others are done", async () => {
  const release = deferred();
  let arrived = 0;
  await using front = await startPair(
    (_req, res) => {
      arrived += 1;
      void release.promise.then(() => res.end("ok"));
    },
    { webhooks: { isCall: () => false, note: () => undefined }, limits: { maxInFlight: 2 } },
  );
  const held = [ask(front.port), ask(front.port)];
  await vi.waitFor(() => expect(arrived).toBe(2), { timeout: 15_000 });
  const refused = await ask(front.port);
  expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "2" } });
  expect(JSON.parse(refused.body).code).toBe("workspace_busy");
  release.resolve();
  for (const answer of await Promise.all(held)) expect(answer.status).toBe(200);
  expect((await ask(front.port)).status).toBe(200);
});
