/** Requests that one connection sends without waiting for the answers. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { startTestWorkspace } from "#testing/network/start-test-gateway.ts";
import { findFreePort } from "#testing/program/start-slipway.ts";
import { createGateway } from "../../gateway/create-gateway.ts";
import { buildHealth } from "../readiness.ts";
import { openFrontDoor } from "./front-door.ts";

/** A door before a workspace that answers nothing below `/held`, and at most 8 requests at a time are passed on. */
async function openBoth() {
  const held: ServerResponse[] = [];
  const workspace = await startTestWorkspace((req, res) => {
    if (req.url!.startsWith("/held")) return void held.push(res);
    res.end(`answer ${req.url!};`);
  });
  const gateway = createGateway({
    lookUp: async () => ({ workspaceId: "w", state: "online", address: workspace.address, open: true }),
    panelUrl: "http://localhost:3000",
    publicScheme: "http",
    probeToken: "",
    log: createLog("silent"),
    clock: systemClock,
    limits: { maxInFlight: 8 },
  });
  const port = await findFreePort();
  const health = await buildHealth(async () => ({}));
  const door = await openFrontDoor({ panelHost: "localhost:3000", port, hosts: ["127.0.0.1"], api: null, health, gateway });
  onTestFinished(async () => {
    await door.close();
    await gateway.close();
    await workspace[Symbol.asyncDispose]();
  });
  return { port, held };
}

/** Sends all at once, and returns what has been answered so far. */
function send(port: number, paths: readonly string[]): () => string {
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.on("error", () => undefined).on("data", (chunk: Buffer) => (text += chunk.toString()));
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: acme.localhost\r\n\r\n`).join(""));
  return () => text;
}

const statuses = (text: string): string[] => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status!);
const numbered = (count: number, path = "/"): string[] => Array.from({ length: count }, (_, at) => path + at);

test("one connection takes one place of a workspace, however many requests it sends", async () => {
  const { port, held } = await openBoth();
  send(port, numbered(50, "/held"));
  await expect.poll(() => held.length).toBeGreaterThan(0);
  const other = send(port, ["/other"]);
  await expect.poll(other).toContain("answer /other;");
  expect(statuses(other())).toEqual(["200"]);
  expect(held).toHaveLength(1);
});

test("its requests are answered in their order", async () => {
  const { port } = await openBoth();
  const text = send(port, numbered(50));
  await expect.poll(text).toContain("answer /49;");
  expect([...text().matchAll(/answer \/(\d+);/g)].map(([, at]) => Number(at))).toEqual(Array.from({ length: 50 }, (_, at) => at));
});

test("those beyond a hundred that wait for their turn are answered 429", async () => {
  const { port, held } = await openBoth();
  const text = send(port, ["/held", ...numbered(150)]);
  await expect.poll(() => held.length).toBe(1);
  held[0]!.end("done;");
  await expect.poll(() => statuses(text()).length).toBe(151);
  expect(statuses(text())).toEqual([...Array.from({ length: 101 }, () => "200"), ...Array.from({ length: 50 }, () => "429")]);
  expect(text().toLowerCase()).toContain("retry-after: ");
});

test("those whose heads would hold more than 64 KB while they wait are answered 429", async () => {
  const { port, held } = await openBoth();
  const text = send(port, ["/held", ...Array.from({ length: 8 }, (_, at) => `/${at}?${"x".repeat(12_000)}`)]);
  await expect.poll(() => held.length).toBe(1);
  held[0]!.end("done;");
  await expect.poll(() => statuses(text()).length).toBe(9);
  expect(statuses(text())).toEqual([...Array.from({ length: 6 }, () => "200"), "429", "429", "429"]);
});

test.each([
  ["CONNECT", "CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n"],
  ["a WebSocket's handshake", "GET / HTTP/1.1\r\nhost: localhost:3000\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"],
])("%s behind an unfinished answer writes nothing into that", async (_what, head) => {
  const { port, held } = await openBoth();
  const socket = connect({ port, host: "127.0.0.1" });
  let text = "";
  socket.on("error", () => undefined).on("data", (chunk: Buffer) => (text += chunk.toString()));
  const closed = once(socket, "close");
  socket.write(`GET /held HTTP/1.1\r\nhost: acme.localhost\r\n\r\n`);
  await expect.poll(() => held.length).toBe(1);
  held[0]!.writeHead(200, { "content-length": 100 }).write("half");
  await expect.poll(() => text).toContain("half");
  socket.write(head);
  await closed;
  expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
});

test("a connection that is reset while requests wait leaves nothing behind", async () => {
  const { port, held } = await openBoth();
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => undefined);
  socket.write(
    numbered(20, "/held")
      .map((path) => `GET ${path} HTTP/1.1\r\nhost: acme.localhost\r\n\r\n`)
      .join(""),
  );
  await expect.poll(() => held.length).toBe(1);
  const gone = once(held[0]!, "close");
  socket.resetAndDestroy();
  await gone;
  const texts = Array.from({ length: 8 }, (_, at) => send(port, [`/${at}`]));
  for (const [at, text] of texts.entries()) await expect.poll(text).toContain(`answer /${at};`);
  expect(held).toHaveLength(1);
});
