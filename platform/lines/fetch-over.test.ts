import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { lineKeys, startProvingWorkspace, startRawWorkspace } from "#testing/network/start-test-gateway.ts";
import { fetchOver, type LineRequest } from "./fetch-over.ts";
import { readAddress } from "./open-line.ts";

const call = (address: string, asked: Partial<LineRequest> = {}) =>
  fetchOver(readAddress(address, lineKeys), { path: "/", signal: AbortSignal.timeout(10_000), ...asked });

async function answering(listener: RequestListener, asked: Partial<LineRequest> = {}): Promise<[number, string]> {
  await using server = await startProvingWorkspace("mine", listener);
  const response = await call(server.address, asked);
  return [response.status, await response.text()];
}

test("a call reaches the expected server completely, and its answer comes back", async () => {
  const heard: unknown[] = [];
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, url, headers } = request;
    heard.push(method, url, headers["x-own"], headers.connection, Buffer.concat(await request.toArray()).toString());
    response.writeHead(409, { location: "/elsewhere" }).end("ü".repeat(100_000));
  };
  const asked = { path: "/a?b=1", method: "POST", headers: { "x-own": "yes" }, body: "ä" } as const;
  expect(await answering((request, response) => void listener(request, response), asked)).toEqual([409, "ü".repeat(100_000)]);
  expect(heard).toEqual(["POST", "/a?b=1", "yes", "close", "ä"]);
});

test("answers without a body and redirects are answers, and anything but HTTP is an error", async () => {
  expect(await answering((_request, response) => response.writeHead(204).end())).toEqual([204, ""]);
  expect(await answering((_request, response) => response.writeHead(307, { location: "http://127.0.0.1:9/" }).end("there"))).toEqual([
    307,
    "there",
  ]);
  await expect(answering((_request, response) => response.writeHead(999).end("?"))).rejects.toThrow(RangeError);
  await expect(answering((request) => void request.socket.end("what?\r\n\r\n"))).rejects.toThrow();
  await expect(answering((request) => request.socket.destroy())).rejects.toThrow();
});

test("a server that switches to another protocol instead of answering is an error, and is not waited for forever", async () => {
  const switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: anything\r\n\r\nhello";
  await expect(answering((request) => void request.socket.write(switching))).rejects.toThrow("without an answer");
});

test.each<[string, RequestListener]>([
  ["says nothing", () => undefined],
  ["never ends its headers", (request) => void request.socket.write("HTTP/1.1 200 OK\r\n")],
  ["never ends its answer", (_request, response) => void response.write("a")],
])("a server that %s is waited for only so long", async (_how, listener) => {
  await expect(answering(listener, { signal: AbortSignal.timeout(200) })).rejects.toMatchObject({ name: "TimeoutError" });
});

test("a server that does not answer the handshake is waited for only so long, and another server is not an answer", async () => {
  const { mark } = lineKeys.named("mine");
  await using silent = await startRawWorkspace(() => undefined);
  await expect(call(`${mark}@${silent.address}`, { signal: AbortSignal.timeout(200) })).rejects.toMatchObject({ name: "TimeoutError" });
  await using stranger = await startRawWorkspace((socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"));
  await expect(call(`${mark}@${stranger.address}`)).rejects.toThrow();
  await using leaving = await startRawWorkspace((socket) => void socket.end());
  await expect(call(`${mark}@${leaving.address}`)).rejects.toThrow();
  await expect(call(`${mark}@127.0.0.1:9`)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("an answer that is not read to its end closes its connection", async () => {
  const closed = Promise.withResolvers<void>();
  await using server = await startProvingWorkspace("mine", (_request, response) => {
    response.on("close", () => closed.resolve());
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on("drain", write);
    write();
  });
  const response = await call(server.address);
  for await (const _chunk of response.body!) break;
  await closed.promise;
  await once(server.server.close(), "close");
});
