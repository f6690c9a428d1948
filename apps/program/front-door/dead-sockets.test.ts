import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { Writable } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { createSandboxApi } from "#testing/payments/sandbox-api.ts";
import { findFreePort } from "#testing/program/start-slipway.ts";
import { createGateway } from "../../gateway/create-gateway.ts";
import { startTestWorkspace } from "#testing/network/start-test-gateway.ts";
import { buildApi } from "../../api/build-api.ts";
import { buildHealth } from "../readiness.ts";
import { openFrontDoor } from "./front-door.ts";

const run = promisify(execFile);

/** Connects, sends and resets. */
const sendAndReset = `
  const [port, head] = process.argv.slice(1);
  let open = 60;
  for (let at = open; at > 0; at -= 1) {
    const socket = require("node:net").connect({ port: Number(port), host: "127.0.0.1" }, () => {
      socket.write(head, () => socket.resetAndDestroy());
    });
    socket.on("close", () => (open -= 1)).on("error", () => undefined);
  }
`;

test("a client that connects, sends and resets causes no error or warning in the log, at the panel, a workspace, the sandbox's pages and elsewhere", async () => {
  const said: string[] = [];
  const log = createLog(
    "warn",
    undefined,
    new Writable({ write: (chunk: Buffer, _encoding, done) => (said.push(chunk.toString()), done()) }),
  );
  await using sandbox = await createSandboxApi();
  const api = await buildApi({ ...sandbox.services, log });
  await using workspace = await startTestWorkspace((_req, res) => res.end("ok"));
  const gateway = createGateway({
    lookUp: async () => ({ workspaceId: "w", state: "online", address: workspace.address, open: true }),
    panelUrl: "http://localhost:3000",
    publicScheme: "http",
    probeToken: "",
    log,
    clock: systemClock,
  });
  const port = await findFreePort();
  const door = await openFrontDoor({
    panelHost: "localhost:3000",
    port,
    hosts: ["127.0.0.1"],
    api,
    health: await buildHealth(async () => ({})),
    gateway,
    log,
  });
  onTestFinished(async () => {
    await door.close();
    await gateway.close();
    await api.close();
  });
  const body = "Content-Type: application/json\r\nContent-Length: 200\r\n\r\n{";
  const upgrade =
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  const heads = [
    "GET /api/auth/me HTTP/1.1\r\nHost: localhost:3000\r\n\r\n",
    `POST /api/auth/login HTTP/1.1\r\nHost: localhost:3000\r\nOrigin: http://localhost:3000\r\n${body}`,
    "GET /sandbox/checkout/cs_1 HTTP/1.1\r\nHost: localhost:3000\r\n\r\n",
    `POST /sandbox/checkout/cs_1 HTTP/1.1\r\nHost: localhost:3000\r\n${body}`,
    "GET / HTTP/1.1\r\nHost: acme.localhost:3000\r\n\r\n",
    `POST /webhook/a HTTP/1.1\r\nHost: acme.localhost:3000\r\n${body}`,
    `GET /rest/push HTTP/1.1\r\nHost: acme.localhost:3000\r\n${upgrade}`,
    "GET /healthz HTTP/1.1\r\nHost: elsewhere\r\n\r\n",
  ];
  for (const head of heads) {
    // First while this process does not accept connections, so that each is reset before; then while it does.
    execFileSync(process.execPath, ["-e", sendAndReset, String(port), head]);
    await run(process.execPath, ["-e", sendAndReset, String(port), head]);
    await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200), 20_000);
  }
  expect(said).toEqual([]);
});
