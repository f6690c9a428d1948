/**
 * The upstream of the gateway's measurements: answers 1 KB, after as much work as requested (milliseconds of CPU). `/large?bytes=…` answers
 * that many bytes, a POST is read to its end, and every upgrade is accepted and echoed.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const workMs = Number(process.argv[2] ?? 0);
/** CPU time rather than wall time: a real workspace does not have less to do on a busy machine. */
const cpuUs = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
const body = Buffer.alloc(1024, "x");

const block = Buffer.alloc(64 * 1024, "x");

const server = createServer((req, res) => {
  if (req.method === "POST") return void req.resume().on("end", () => res.end("read"));
  const large = /^\/large\?bytes=(\d+)$/.exec(req.url!)?.[1];
  if (large !== undefined) return writeLarge(res, Number(large));
  const endUs = cpuUs() + workMs * 1000;
  while (cpuUs() < endUs);
  res.writeHead(200, { "content-type": "text/plain", "content-length": body.length });
  res.end(body);
});

server.on("upgrade", (_req, socket) => {
  socket.on("error", () => socket.destroy());
  socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  socket.pipe(socket);
});

function writeLarge(res: ServerResponse, bytes: number): void {
  res.writeHead(200, { "content-length": bytes });
  let left = bytes;
  const writeOn = (): void => {
    while (left > 0) {
      const piece = block.subarray(0, Math.min(left, block.length));
      left -= piece.length;
      if (!res.write(piece)) return void res.once("drain", writeOn);
    }
    res.end();
  };
  writeOn();
}

server.listen(0, "127.0.0.1", () => process.send!({ port: (server.address() as AddressInfo).port }));
process.once("disconnect", () => process.exit());
