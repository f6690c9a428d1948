import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { probeThroughGateway } from "./probe-workspace.ts";

let server: Server | undefined;
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
  const gateway = await gatewayThat(({ socket }) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    const dripping = setInterval(() => socket.write("x: y\r\n"), 200);
    socket.once("close", () => clearInterval(dripping)).on("error", () => undefined);
  });
  const begunMs = performance.now();
  expect(await probeThroughGateway(gateway, "acme.localhost", "/ready")).toBe(false);
  expect(performance.now() - begunMs).toBeLessThan(10_000);
});

test("a closed port fails the probe", async () => {
  const gateway = await gatewayThat(() => undefined);
  await new Promise((resolve) => server!.close(resolve));
  expect(await probeThroughGateway(gateway, "acme.localhost", "/ready")).toBe(false);
});
