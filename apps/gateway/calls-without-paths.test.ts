/** Calls of a workspace whose nodes may serve any path, such as those of Node-RED: each request may be one, with a body or not. */
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ask, startPair } from "#testing/network/start-test-gateway.ts";

const maxInFlight = 16;

/** A workspace that takes a moment for each answer, and accepts WebSockets. `most` is the largest number of requests at a time. */
async function startSlow(limits: object = {}) {
  const seen = { now: 0, most: 0 };
  const front = await startPair(
    (_req, res) => {
      seen.most = Math.max(seen.most, (seen.now += 1));
      setTimeout(() => {
        seen.now -= 1;
        res.end("done");
      }, 20);
    },
    { limits: { maxInFlight, ...limits } },
  );
  front.workspace.server.on("upgrade", (_req, socket) => {
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined).write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  });
  return { ...front, seen };
}

async function statusesOf(port: number, count: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const answers = await Promise.all(Array.from({ length: count }, () => ask(port, { path: "/hook" })));
  for (const { status, headers } of answers) {
    counts[status] = (counts[status] ?? 0) + 1;
    if (status === 429) expect(headers["retry-after"]).toBe("5");
  }
  return counts;
}

test("calls without a body wait in the queue like those with one", async () => {
  await using front = await startSlow();
  expect(await statusesOf(front.port, 5 * maxInFlight)).toEqual({ 200: 5 * maxInFlight });
  expect(front.seen.most).toBe(maxInFlight / 2);
});

test("too many of them are answered 429", async () => {
  await using front = await startSlow({ maxWaitingPerWorkspace: 10 });
  const counts = await statusesOf(front.port, 5 * maxInFlight);
  expect(Object.keys(counts)).toEqual(["200", "429"]);
});

test("they wait beside as many WebSockets as a workspace may have", async () => {
  await using front = await startSlow();
  for (let at = 0; at < maxInFlight / 2; at += 1) {
    const socket = connect({ port: front.port, host: "127.0.0.1" });
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined);
    socket.write(
      "GET /comms HTTP/1.1\r\nhost: acme.localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n" +
        "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    );
  }
  await expect.poll(() => front.gateway.openWebSockets()).toBe(maxInFlight / 2);
  expect(await statusesOf(front.port, 3 * maxInFlight)).toEqual({ 200: 3 * maxInFlight });
});
