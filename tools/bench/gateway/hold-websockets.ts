/** Holds many WebSockets through a server and measures what one costs it. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { memoryOf } from "./report-memory.ts";

/** Of several workspaces, because each has its own limit of concurrent tunnels. */
const workspaces = 4;

/** Resident bytes of the server for each of `count` sockets, all open, each with one frame echoed. */
export async function bytesPerWebSocket(server: ChildProcess, port: number, count: number): Promise<number> {
  // The first ones load code and fill pools, which the later ones share.
  const first = await openMany(port, 50);
  const before = await memoryOf(server);
  const sockets = await openMany(port, count);
  const after = await memoryOf(server);
  for (const socket of [...first, ...sockets]) socket.destroy();
  await delay(200);
  return (after - before) / count;
}

async function openMany(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  // A few at a time, as the listen queue is limited.
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(50, count - sockets.length) }, (_, index) => openOne(port, index % workspaces));
    sockets.push(...(await Promise.all(some)));
  }
  return sockets;
}

async function openOne(port: number, workspace: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  socket.on("error", () => socket.destroy());
  socket.write(
    `GET /rest/push HTTP/1.1\r\nHost: bench-${workspace}.localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  const [head] = (await once(socket, "data")) as [Buffer];
  if (!head.toString("latin1").startsWith("HTTP/1.1 101 ")) throw new Error(`no upgrade: ${head.toString("latin1")}`);
  socket.write("one frame");
  await once(socket, "data");
  return socket;
}
