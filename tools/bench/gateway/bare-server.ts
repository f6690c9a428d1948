/** The upstream of the gateway's measurements: answers 1 KB, after as much work as requested (milliseconds of CPU). */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const workMs = Number(process.argv[2] ?? 0);
/** CPU time rather than wall time: a real workspace does not have less to do on a busy machine. */
const cpuUs = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
const body = Buffer.alloc(1024, "x");

const server = createServer((_req, res) => {
  const endUs = cpuUs() + workMs * 1000;
  while (cpuUs() < endUs);
  res.writeHead(200, { "content-type": "text/plain", "content-length": body.length });
  res.end(body);
});
server.listen(0, "127.0.0.1", () => process.send!({ port: (server.address() as AddressInfo).port }));
process.once("disconnect", () => process.exit());
