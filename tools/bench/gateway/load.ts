/** The client of the gateway's measurements, in its own process: each message is one request, each answer one number. */
import autocannon from "autocannon";
import { connect } from "node:net";
import { once } from "node:events";

export interface LoadOrder {
  port: number;
  path: string;
  kind: "requests-per-second" | "median-latency-ms";
  seconds: number;
}

const host = "bench.localhost";
/** Of the bare server. */
const bodyLength = 1024;

process.on("message", (order: LoadOrder) => {
  const measuring = order.kind === "requests-per-second" ? requestsPerSecond(order) : medianLatencyMs(order);
  measuring.then(
    (value) => process.send!({ value }),
    (error: unknown) => process.send!({ error: String(error) }),
  );
});
process.once("disconnect", () => process.exit());

async function requestsPerSecond({ port, path, seconds }: LoadOrder): Promise<number> {
  const result = await autocannon({ url: `http://127.0.0.1:${port}${path}`, connections: 64, duration: seconds, headers: { host } });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals and ${result.errors} errors under load`);
  return result.requests.total / result.duration;
}

/** One connection, one request after the other, on a bare socket: an HTTP client's own time would hide ours. */
async function medianLatencyMs({ port, path, seconds }: LoadOrder): Promise<number> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const start = performance.now();
    socket.write(request);
    await wholeAnswer(socket);
    times.push(performance.now() - start);
  }
  socket.destroy();
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}

async function wholeAnswer(socket: ReturnType<typeof connect>): Promise<void> {
  let text = "";
  while (true) {
    const [chunk] = (await once(socket, "data")) as [Buffer];
    text += chunk.toString("latin1");
    const head = text.indexOf("\r\n\r\n");
    if (head !== -1 && text.length >= head + 4 + bodyLength) return;
  }
}
