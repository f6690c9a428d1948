import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import fastify from "fastify";
import { expect, onTestFinished, test, vi } from "vitest";
import { openEventStream, type EventStream } from "./stream-events.ts";

/** A stream whose client has received its first event, and reads no further. */
async function openToPausedClient() {
  const api = fastify();
  const opened = Promise.withResolvers<EventStream>();
  api.get("/", async (_request, reply) => {
    const stream = openEventStream(reply)!;
    stream.send("a", "first");
    opened.resolve(stream);
  });
  await api.listen({ port: 0, host: "127.0.0.1" });
  const client = connect({ port: (api.server.address() as AddressInfo).port, host: "127.0.0.1" });
  client.on("error", () => undefined);
  onTestFinished(async () => {
    client.destroy();
    await api.close();
  });
  client.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const stream = await opened.promise;
  await once(client, "data");
  client.pause();
  const connections = () => new Promise<number>((resolve) => api.server.getConnections((_error, count) => resolve(count)));
  return { stream, client, connections };
}

/** More than the system keeps for a connection. */
const flood = "x".repeat(32 * 1024 * 1024);

test("a stream that was ended is over immediately, and its connection soon, whether its client reads or not", async () => {
  const { stream, connections } = await openToPausedClient();
  const ended = vi.fn<() => void>();
  stream.onEnd(ended);
  stream.send("a", flood);
  expect(stream.isBehind).toBe(true);
  stream.end();
  expect(ended).toHaveBeenCalledTimes(1);
  await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 20_000, interval: 100 });
  stream.end();
  expect(ended).toHaveBeenCalledTimes(1);
});

test("a client that reads gets all that was sent before the end", async () => {
  const { stream, client } = await openToPausedClient();
  stream.send("a", "last");
  stream.end();
  let read = "";
  client.on("data", (chunk) => (read += String(chunk)));
  client.resume();
  await vi.waitFor(() => expect(read).toMatch(/data: last\n\n[^]*0\r\n\r\n$/), 20_000);
});

test("a client that leaves ends its stream once", async () => {
  const { stream, client } = await openToPausedClient();
  const ended = vi.fn<() => void>();
  stream.onEnd(ended);
  client.destroy();
  await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(1), 20_000);
  stream.end();
  expect(ended).toHaveBeenCalledTimes(1);
});
