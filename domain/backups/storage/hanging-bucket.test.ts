/** A bucket that accepts connections and then sends nothing, or stops in the middle. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, expect, test, vi } from "vitest";
import { createS3Storage } from "./s3-storage.ts";

let server: Server | undefined;
const sockets = new Set<Socket>();
afterEach(async () => {
  sockets.forEach((socket) => socket.destroy());
  server?.close();
});

/** A storage over a server that answers each request with `words` and keeps the connection open. */
async function storageThatSays(words: string) {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => words && socket.write(words));
    socket.resume();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return createS3Storage(
    {
      endpoint: `http://127.0.0.1:${port}`,
      region: "eu-central-1",
      bucket: "backups",
      prefix: "",
      pathStyle: true,
      credentials: { accessKeyId: "key", secretAccessKey: "secret" },
    },
    { connectMs: 1000, silenceMs: 500, callMs: 1500 },
  );
}

test("a bucket that never answers ends a write, a read, a removal and a list in time", async () => {
  const storage = await storageThatSays("");
  const content = Readable.from([Buffer.alloc(1000)], { objectMode: false });
  await expect(storage.write("backups/one", content)).rejects.toThrow();
  await expect(storage.read("backups/one")).rejects.toThrow();
  await expect(storage.remove("backups/one")).rejects.toThrow();
  await expect(storage.list("backups")).rejects.toThrow();
  expect(content.destroyed).toBe(true);
});

test("a bucket that stalls in the middle of an answer ends the reading", async () => {
  const storage = await storageThatSays("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf");
  // On a busy machine the beginning of the answer may come too late, but not every time.
  const begun = await vi.waitFor(() => storage.read("backups/one"), 60_000);
  await expect(buffer(begun)).rejects.toThrow();
});
