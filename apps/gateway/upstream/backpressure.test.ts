/** Large bodies in both directions: a slow reader slows the sender down, instead of filling the gateway's memory. */
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";
import { startPair } from "#testing/network/start-test-gateway.ts";

const megabyte = 1024 * 1024;
const block = Buffer.alloc(megabyte, "x");
const blocks = 100;
const total = blocks * megabyte;
/** What the sockets and streams between both ends may hold, far below 100 MB. */
const heldAtMost = 24 * megabyte;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes of live buffers, without garbage. */
function heldBytes(): number {
  // A separate thread frees what the first collection finds; the second waits for it.
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** Reads a stream to its end and checks the memory every 10 MB. */
async function readAll(from: AsyncIterable<unknown>): Promise<{ received: number; mostHeld: number }> {
  let received = 0;
  let mostHeld = 0;
  let looks = 0;
  for await (const chunk of from) {
    received += (chunk as Buffer).length;
    if (received < looks * 10 * megabyte) continue;
    looks += 1;
    mostHeld = Math.max(mostHeld, heldBytes());
  }
  return { received, mostHeld };
}

async function writeAll(to: NodeJS.WritableStream, onWritten: (bytes: number) => void): Promise<void> {
  for (let index = 0; index < blocks; index += 1) {
    if (!to.write(block)) await once(to, "drain");
    onWritten((index + 1) * megabyte);
  }
  to.end();
}

/** Waits until the number stops growing, when backpressure holds. */
async function standstill(read: () => number): Promise<number> {
  let before = -1;
  await vi.waitFor(
    () => {
      const now = read();
      const stands = now === before && now > 0;
      before = now;
      expect(stands).toBe(true);
    },
    { timeout: 20_000, interval: 300 },
  );
  return read();
}

test("a 100 MB download waits for a slow visitor and arrives complete, without growing memory", async () => {
  let written = 0;
  await using front = await startPair((_req, res) => void writeAll(res, (bytes) => (written = bytes)));
  const req = request({ port: front.port, host: "127.0.0.1", headers: { host: "acme.localhost" } }).end();
  const [res] = (await once(req, "response")) as [IncomingMessage];
  expect(await standstill(() => written)).toBeLessThan(heldAtMost);
  const { received, mostHeld } = await readAll(res);
  expect(received).toBe(total);
  expect(mostHeld).toBeLessThan(heldAtMost);
});

test("a 100 MB upload waits for a slow workspace and arrives complete, without growing memory", async () => {
  let written = 0;
  const start = Promise.withResolvers<void>();
  await using front = await startPair(async (req, res) => {
    await start.promise;
    res.end(JSON.stringify(await readAll(req)));
  });
  const req = request({ port: front.port, host: "127.0.0.1", method: "PUT", headers: { host: "acme.localhost", "content-length": total } });
  const sending = writeAll(req, (bytes) => (written = bytes));
  expect(await standstill(() => written)).toBeLessThan(heldAtMost);
  start.resolve();
  await sending;
  const [res] = (await once(req, "response")) as [IncomingMessage];
  const { received, mostHeld } = JSON.parse((await res.setEncoding("utf8").toArray()).join(""));
  expect(received).toBe(total);
  expect(mostHeld).toBeLessThan(heldAtMost);
});
