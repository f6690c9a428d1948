import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../settings/config.ts";
import { doorOf, probeThroughGateway } from "./probe-workspace.ts";

const folder = mkdtempSync(join(tmpdir(), "slipway-door-"));
let server: Server | undefined;
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function gatewayThat(answers: RequestListener): Promise<{ host: string; port: number }> {
  server = createServer(answers).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { host: "127.0.0.1", port: (server.address() as AddressInfo).port };
}

test("it requests the path under the workspace's name, and only 200 counts", async () => {
  const heard: unknown[] = [];
  const gateway = await gatewayThat(({ headers, url }, response) => {
    heard.push([headers.host, url]);
    response.writeHead(url === "/ready" ? 200 : 503).end("{}");
  });
  expect(await probeThroughGateway(gateway, "acme.localhost", "/ready")).toBe(true);
  expect(await probeThroughGateway(gateway, "acme.localhost", "/starting")).toBe(false);
  expect(heard).toEqual([
    ["acme.localhost", "/ready"],
    ["acme.localhost", "/starting"],
  ]);
});

test("another process's gateway is called at GATEWAY_URL, or else at the public URL; its own at its own port", () => {
  const doors = (env: Record<string, string>) =>
    doorOf(readConfig({ DATA_DIR: folder, PUBLIC_URL: "https://app.example.com", ...env }), "gateway");
  expect(doors({ ROLES: "worker" })).toEqual({ host: "app.example.com", port: 443, secure: true });
  expect(doors({ ROLES: "worker", GATEWAY_URL: "http://gateway.slipway:3000" })).toEqual({
    host: "gateway.slipway",
    port: 3000,
    secure: false,
  });
  expect(doors({ GATEWAY_URL: "http://gateway.slipway:3000" })).toMatchObject({ host: "127.0.0.1", port: 3000 });
});

test("an endless response is aborted once its status is known", async () => {
  const block = Buffer.alloc(64 * 1024);
  let poured = 0;
  let ended: Promise<unknown> | undefined;
  const gateway = await gatewayThat((_request, response) => {
    ended = once(response, "close");
    const pour = (): void => {
      do poured += block.length;
      while (!response.destroyed && response.write(block));
    };
    response.writeHead(200).on("drain", pour);
    pour();
  });
  expect(await probeThroughGateway(gateway, "acme.localhost", "/ready")).toBe(true);
  await ended;
  expect(poured).toBeLessThan(32 * 1024 * 1024);
});

test("headers that arrive byte by byte fail the probe after 3 s", async () => {
  const gateway = await gatewayThat(({ socket, headers }, response) => {
    if (headers.host === "-.localhost") return void response.writeHead(404).end();
    socket.write("HTTP/1.1 200 OK\r\n");
    const dripping = setInterval(() => socket.write("x: y\r\n"), 200);
    socket.once("close", () => clearInterval(dripping)).on("error", () => undefined);
  });
  const { timeout } = AbortSignal;
  const limits: number[] = [];
  AbortSignal.timeout = (ms) => (limits.push(ms), timeout(500));
  onTestFinished(() => void (AbortSignal.timeout = timeout));
  expect(await probeThroughGateway(gateway, "acme.localhost", "/ready")).toBe(false);
  expect(limits).toEqual([3_000, 3_000]);
});

test("a gateway that does not answer for itself says nothing about the workspace", async () => {
  const gateway = await gatewayThat(() => undefined);
  await new Promise((resolve) => server!.close(resolve));
  await expect(probeThroughGateway(gateway, "acme.localhost", "/ready")).rejects.toThrow("the gateway does not answer");
});

test("a workspace that does not answer through a gateway that does is not reached", async () => {
  const { timeout } = AbortSignal;
  AbortSignal.timeout = () => timeout(500);
  onTestFinished(() => void (AbortSignal.timeout = timeout));
  const gateway = await gatewayThat(({ headers }, response) => {
    if (headers.host === "-.localhost") response.writeHead(404).end();
  });
  expect(await probeThroughGateway(gateway, "acme.localhost", "/ready")).toBe(false);
});
