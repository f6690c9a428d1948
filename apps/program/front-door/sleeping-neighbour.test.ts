/** A hostile tenant's requests, before a neighbour that sleeps: only a request to the neighbour's own address wakes it. */
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createN8nSleep } from "#apps/provisioner/engines/n8n/n8n-sleep.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { startTestWorkspace, type TestWorkspace } from "#testing/network/start-test-gateway.ts";
import { findFreePort } from "#testing/program/start-slipway.ts";
import { createGateway, type Gateway } from "../../gateway/create-gateway.ts";
import { buildHealth } from "../readiness.ts";
import { openFrontDoor, type FrontDoor } from "./front-door.ts";

let hostile: TestWorkspace;
let gateway: Gateway;
let door: FrontDoor;
let port: number;
/** Workspaces whose use was recorded, which wakes those asleep. */
let used: string[] = [];
let answered = 0;

beforeAll(async () => {
  hostile = await startTestWorkspace((_req, res) => {
    answered += 1;
    res.writeHead(200, { "cache-control": "public, max-age=31536000", "x-accel-redirect": "http://bob.localhost/" }).end("mallory");
  });
  const { monitored, absent } = createN8nSleep({
    displayName: "n8n",
    signingKey: generateKeyPairSync("ed25519").privateKey,
    clock: systemClock,
  });
  gateway = createGateway({
    lookUp: async (name) => {
      if (name === "mallory") return { workspaceId: "mallory", state: "online", address: hostile.address, open: true };
      return name === "bob" ? { workspaceId: "bob", state: "asleep", address: "127.0.0.1:1", open: true } : null;
    },
    panelUrl: "http://localhost:3000",
    publicScheme: "http",
    probeToken: "",
    log: createLog("silent"),
    clock: systemClock,
    limits: { maxWaitMs: 200 },
    sleep: {
      monitored,
      absent,
      record: async (ids) => {
        used.push(...ids);
        return ids.filter((id) => id === "bob");
      },
    },
  });
  port = await findFreePort();
  const health = await buildHealth(async () => ({ roles: true }));
  door = await openFrontDoor({ panelHost: "localhost:3000", port, hosts: ["127.0.0.1"], api: null, health, gateway });
});
afterAll(async () => {
  await door.close();
  await gateway.close();
  await hostile[Symbol.asyncDispose]();
});
beforeEach(() => {
  used = [];
});

/** Writes these bytes on one connection and returns everything that comes back until it ends. */
async function send(bytes: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk.toString()));
  socket.on("error", () => undefined);
  socket.write(bytes);
  await once(socket, "close");
  return answer;
}

const get = (path: string, host: string, more = "", method = "GET"): string =>
  `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`;

test.each([
  [
    "headers that name its neighbour",
    get("/", "mallory.localhost", "X-Forwarded-Host: bob.localhost\r\nForwarded: host=bob.localhost\r\n"),
  ],
  [
    "headers that rewrite the path",
    get("/", "mallory.localhost", "X-Original-URL: http://bob.localhost/\r\nX-Rewrite-URL: //bob.localhost/\r\n"),
  ],
  ["a whole URL in the request line", get("http://bob.localhost/webhook/x", "mallory.localhost")],
  ["a second Host header", get("/", "mallory.localhost", "Host: bob.localhost\r\n")],
  ["a host name with its neighbour's in front", get("/", "bob.localhost.mallory.localhost")],
  ["a host name with user information", get("/", "bob.localhost@mallory.localhost")],
  ["a path that looks like a host", get("//bob.localhost/webhook/x", "mallory.localhost")],
  [
    "a body that is a second request",
    `POST / HTTP/1.1\r\nHost: mallory.localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${get("/", "bob.localhost")}`,
  ],
  ["its neighbour's health path", get("/healthz", "bob.localhost")],
  ["its neighbour's readiness, with a query", get("/healthz/readiness?x=/webhook/y", "bob.localhost", "", "HEAD")],
  ["a scanner's path", get("/wp-login.php", "bob.localhost", "", "POST")],
  [
    "a scanner's path, with a token of its own workspace",
    get("/.env", "bob.localhost", "Authorization: Bearer mallory\r\nCookie: n8n-auth=mallory\r\n"),
  ],
])("a tenant does not wake its neighbour by %s", async (_how, bytes) => {
  const answer = await send(bytes);
  expect(answer).toMatch(/^HTTP\/1\.1 [245]/);
  expect(used).not.toContain("bob");
});

test("a request to the neighbour's own address wakes it, with or without a valid token, as its webhooks are public", async () => {
  await send(get("/webhook/x", "bob.localhost"));
  expect(used).toContain("bob");
});

test("a response that a tenant declares cacheable is requested again each time, and redirects nobody", async () => {
  answered = 0;
  for (let turn = 0; turn < 2; turn += 1) expect(await send(get("/", "mallory.localhost"))).toContain("\r\nmallory\r\n");
  expect(answered).toBe(2);
  expect(used).not.toContain("bob");
});
