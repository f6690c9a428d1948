/** The minimum between visitor and workspace in Node: joins each connection to one of the given port, and reads nothing. */
import { connect, createServer, type AddressInfo } from "node:net";
import { reportMemory } from "./report-memory.ts";

const port = Number(process.argv[2]);
const server = createServer({ noDelay: true }, (socket) => {
  const upstream = connect({ port, host: "127.0.0.1", noDelay: true });
  socket.on("error", () => upstream.destroy()).on("close", () => upstream.destroy());
  upstream.on("error", () => socket.destroy()).on("close", () => socket.destroy());
  socket.pipe(upstream).pipe(socket);
});
reportMemory();
server.listen(0, "127.0.0.1", () => process.send!({ port: (server.address() as AddressInfo).port }));
process.once("disconnect", () => process.exit());
