import { once } from "node:events";
import { Agent, request, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { streamEvents } from "#platform/http/stream-events.ts";
import { createLog } from "#platform/log.ts";
import { startTestWorkspace } from "#testing/network/start-test-gateway.ts";
import { findFreePort } from "#testing/program/start-slipway.ts";
import { createGateway } from "../../gateway/create-gateway.ts";
import { buildHealth } from "../readiness.ts";
import { openFrontDoor } from "./front-door.ts";

/** A door to a panel and a workspace whose answers wait for `release`. */
async function openScene() {
  const [held, inHand] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = (): Promise<void> => {
    inHand.resolve();
    return held.promise;
  };
  const workspace = await startTestWorkspace((req, res) => {
    if (req.url === "/stream") return void res.writeHead(200, { "content-type": "Text/Event-Stream; charset=utf-8" }).write(": here\n\n");
    void (req.url === "/slow" ? slow() : Promise.resolve()).then(() => res.end("done"));
  });
  workspace.server.on("upgrade", (_req, socket) =>
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"),
  );
  const gateway = createGateway({
    lookUp: async () => ({ workspaceId: "w", state: "online", address: workspace.address, open: true }),
    panelUrl: "http://localhost:3000",
    publicScheme: "http",
    probeToken: "",
    log: createLog("silent"),
    clock: systemClock,
  });
  const api = fastify();
  api.get("/slow", async () => slow().then(() => "done"));
  api.get("/quick", async () => "quick");
  api.get("/stream", async (request, reply) =>
    streamEvents(request, reply, { event: "a", read: async () => ({}), follow: () => () => undefined }),
  );
  await api.ready();
  const port = await findFreePort();
  const health = await buildHealth(async () => ({}));
  const door = await openFrontDoor({ panelHost: "localhost:3000", port, hosts: ["127.0.0.1"], api, health, gateway });
  onTestFinished(async () => {
    held.resolve();
    await door.close();
    await gateway.close();
    await workspace[Symbol.asyncDispose]();
  });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const get = (host: string, path: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) =>
      request({ port, host: "127.0.0.1", path, agent, headers: { host } }, resolve).on("error", reject).end(),
    );
  return { door, gateway, port, get, inHand: inHand.promise, release: held.resolve };
}

const hosts = ["localhost:3000", "acme.localhost:3000"];

test.each(hosts)("from the start of a shutdown, each response of %s closes its connection, including those in progress", async (host) => {
  const { door, get, inHand, release } = await openScene();
  const quick = host === hosts[0] ? "/quick" : "/x";
  expect((await get(host, quick)).headers.connection).toBe("keep-alive");
  const slow = get(host, "/slow");
  await inHand;
  door.leave();
  expect((await get(host, quick)).headers.connection).toBe("close");
  release();
  expect((await slow).headers.connection).toBe("close");
});

test.each(hosts)("a request in progress at %s is answered before the door is closed, and no new one is accepted", async (host) => {
  const { door, get, port, inHand, release } = await openScene();
  const slow = get(host, "/slow");
  await inHand;
  let isClosed = false;
  const closed = door.close(60_000).then(() => (isClosed = true));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const late = connect({ port, host: "127.0.0.1" });
  await expect(once(late, "connect")).rejects.toThrow("ECONNREFUSED");
  expect(isClosed).toBe(false);
  release();
  expect((await slow).statusCode).toBe(200);
  await closed;
});

test("a request that does not end delays the shutdown by no more than its time limit", async () => {
  const { door, get, inHand } = await openScene();
  const slow = get("localhost:3000", "/slow").catch((error: Error) => error);
  await inHand;
  const from = performance.now();
  await door.close(300);
  expect(performance.now() - from).toBeGreaterThanOrEqual(299);
  expect(await slow).toBeInstanceOf(Error);
});

test("event streams, WebSockets and idle connections do not delay the end", async () => {
  const { door, port } = await openScene();
  const open = async (head: string): Promise<string> => {
    const socket = connect({ port, host: "127.0.0.1" }).on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
    socket.write(head);
    return head === "" ? String(await once(socket, "connect")) : String((await once(socket, "data"))[0]);
  };
  await open("");
  for (const host of hosts) expect(await open(`GET /stream HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).toContain("200 OK");
  const handshake =
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
  expect(await open(`GET /push HTTP/1.1\r\nHost: acme.localhost:3000\r\n${handshake}\r\n`)).toContain("101 Switching");
  // Longer than the test may take.
  await door.close(24 * 60 * 60_000);
});
