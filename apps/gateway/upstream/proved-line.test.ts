/** An address may belong to another workspace by now. That one gets nothing of a request that was meant for its former owner. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { expect, onTestFinished, test, vi } from "vitest";
import { selfSigned } from "#testing/network/self-signed.ts";
import {
  ask,
  exchange,
  lineKeys,
  online,
  startProvingWorkspace,
  startRawWorkspace,
  startTestGateway,
  startTestWorkspace,
} from "#testing/network/start-test-gateway.ts";

const secret = "what the visitor sends";
const anything = `HTTP/1.1 200 OK\r\nContent-Length: 6\r\nSet-Cookie: stolen=1\r\n\r\nhostile`;
const { mark } = lineKeys.named("mine");

interface Stranger extends AsyncDisposable {
  address: string;
}

/** One that speaks TLS, and then answers anything. */
async function startTls(heard: string[], options: TlsOptions): Promise<Stranger> {
  const sockets = new Set<Socket>();
  const server: Server = createTlsServer(options, (socket) => {
    socket
      .on("error", () => undefined)
      .on("data", (chunk) => {
        heard.push(chunk.toString("latin1"));
        socket.write(anything);
      });
  });
  server.on("connection", (socket) => sockets.add(socket));
  server.on("tlsClientError", () => undefined);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      sockets.forEach((socket) => socket.destroy());
      server.close();
    },
  };
}

const noting = (heard: string[]) => (chunk: Buffer) => void heard.push(chunk.toString("latin1"));

const strangers: Record<string, (heard: string[]) => Promise<Stranger>> = {
  "another customer's workspace": async (heard) => {
    const other = await startProvingWorkspace("other", (req, res) => {
      heard.push(req.url!, JSON.stringify(req.headers));
      req.on("data", noting(heard)).on("end", () => res.end("other"));
    });
    return { ...other, address: other.address.split("@")[1]! };
  },
  "a server without proof that answers anything": (heard) =>
    startRawWorkspace((socket) => {
      socket.write(anything);
      socket.on("data", noting(heard));
    }),
  "one with a certificate": (heard) => startTls(heard, selfSigned("acme.localhost")),
  "one with a certificate of an older TLS": (heard) => startTls(heard, { ...selfSigned("acme.localhost"), maxVersion: "TLSv1.2" }),
  "one with a key that it chose": (heard) =>
    startTls(heard, { ciphers: "TLS_AES_128_GCM_SHA256", minVersion: "TLSv1.3", pskCallback: () => randomBytes(32) }),
  "one that leaves without a word": (heard) =>
    startRawWorkspace((socket) => {
      socket.on("data", noting(heard));
      setTimeout(() => socket.destroy(), 50);
    }),
};

/** A gateway whose first look finds the stale address, and every later one the right one. */
async function startStale(stale: string) {
  const mine = await startProvingWorkspace("mine", (req, res) => {
    let body = "";
    req.on("data", (chunk: Buffer) => (body += chunk.toString())).on("end", () => res.end(`mine: ${req.headers.cookie} ${body}`));
  });
  mine.server.on("upgrade", (_req, socket: Socket) =>
    socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nmine"),
  );
  const addresses = [`${mark}@${stale}`];
  const front = await startTestGateway({
    lineKeys,
    lookUp: async () => online(addresses.shift() ?? mine.address, { workspaceId: "mine" }),
  });
  return {
    ...front,
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]();
      await mine[Symbol.asyncDispose]();
    },
  };
}

test.each(Object.entries(strangers))("%s receives nothing of a request, and the right one answers the visitor", async (_who, start) => {
  const heard: string[] = [];
  await using stranger = await start(heard);
  await using front = await startStale(stranger.address);
  const answer = await ask(front.port, { method: "POST", path: `/${encodeURI(secret)}`, headers: { cookie: secret }, body: secret });
  expect(answer).toMatchObject({ status: 200, body: `mine: ${secret} ${secret}` });
  for (const part of [secret, encodeURI(secret), "acme", "mine"]) expect(heard.join("")).not.toContain(part);
});

const handshake = `GET /rest/push HTTP/1.1\r\nHost: acme.localhost\r\nCookie: ${secret}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;

test.each(Object.entries(strangers))("%s receives nothing of a WebSocket handshake, and the next one opens", async (_who, start) => {
  const heard: string[] = [];
  await using stranger = await start(heard);
  await using front = await startStale(stranger.address);
  expect(await exchange(front.port, handshake)).toMatch(/^HTTP\/1\.1 503/);
  expect(heard.join("")).not.toContain(secret);
  expect(await exchange(front.port, handshake)).toMatch(/^HTTP\/1\.1 101 [^]*mine$/);
});

test("successive requests share one connection, and large bodies pass both ways", async () => {
  // An idle connection is closed after seconds, which a busy machine may need between two requests.
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const connections = new Set<Socket>();
  await using workspace = await startProvingWorkspace("mine", (req, res) => {
    connections.add(req.socket);
    req.pipe(res);
  });
  await using front = await startTestGateway({ lineKeys });
  front.setRoute("acme", online(workspace.address));
  for (const size of [0, 10, 5_000_000]) {
    const body = "x".repeat(size);
    expect((await ask(front.port, { method: "POST", body })).body).toBe(body);
  }
  expect(connections.size).toBe(1);
});

test("a visitor that leaves during a handshake without an answer leaves no connection behind", async () => {
  const sockets = new Set<Socket>();
  await using silent = await startRawWorkspace((socket) => {
    sockets.add(socket.resume());
    socket.on("close", () => sockets.delete(socket));
  });
  await using front = await startTestGateway({ lineKeys });
  front.setRoute("acme", online(`${mark}@${silent.address}`));
  const visit = () => {
    const visitor = connect({ port: front.port, host: "127.0.0.1" }).on("error", () => undefined);
    visitor.write("POST / HTTP/1.1\r\nHost: acme.localhost\r\nContent-Length: 2\r\n\r\nok");
    return visitor;
  };
  const leaver = visit();
  await expect.poll(() => sockets.size).toBe(1);
  const [left] = sockets;
  const stayer = visit();
  await expect.poll(() => sockets.size).toBe(2);
  leaver.destroy();
  await once(left!, "close");
  // It was not the limit of the handshake that closed it: the other's has not come either.
  expect(sockets.size).toBe(1);
  stayer.destroy();
});

test("a visitor that reads slowly slows down the workspace's answer", async () => {
  const size = 64 * 1024 * 1024;
  let sent = 0;
  await using workspace = await startProvingWorkspace("mine", (_req, res) => {
    const write = () => {
      while (sent < size && res.write(Buffer.alloc(65_536))) sent += 65_536;
      sent += 65_536;
    };
    res.on("drain", write);
    write();
  });
  await using front = await startTestGateway({ lineKeys });
  front.setRoute("acme", online(workspace.address));
  const visitor = connect({ port: front.port, host: "127.0.0.1" }).on("error", () => undefined);
  visitor.write("GET / HTTP/1.1\r\nHost: acme.localhost\r\n\r\n");
  await once(visitor, "readable");
  await new Promise((resolve) => void setTimeout(resolve, 500));
  expect(sent).toBeLessThan(size / 2);
  visitor.destroy();
});

test("a gateway with another key, or with none, does not reach a workspace that proves its id", async () => {
  await using workspace = await startProvingWorkspace("mine", (_req, res) => res.end("mine"));
  for (const address of [workspace.address.replace("@", "0@"), workspace.address.split("@")[1]!]) {
    await using front = await startTestGateway({ lineKeys });
    front.setRoute("acme", online(address));
    expect((await ask(front.port, { headers: { "sec-fetch-mode": "navigate", accept: "text/html" } })).status).toBeGreaterThanOrEqual(502);
  }
});

test("a workspace sees a visitor's connection just as without proof", async () => {
  await using workspace = await startProvingWorkspace("mine", (req, res) =>
    res.end(
      JSON.stringify([req.socket.remoteAddress, (req.socket as { encrypted?: boolean }).encrypted, req.headers["x-forwarded-proto"]]),
    ),
  );
  await using front = await startTestGateway({ lineKeys });
  front.setRoute("acme", online(workspace.address));
  expect(JSON.parse((await ask(front.port)).body)).toEqual(["127.0.0.1", false, "http"]);
  await using plain = await startTestWorkspace((_req, res) => res.end("plain"));
  front.setRoute("acme", online(plain.address));
  front.gateway.invalidate("acme");
  expect((await ask(front.port)).body).toBe("plain");
});
