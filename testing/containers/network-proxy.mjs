/**
 * Connects to addresses in the network it runs in: the first line names the address, a line confirms the connection, and everything after
 * that is passed on.
 */
import { connect, createServer } from "node:net";

createServer({ allowHalfOpen: true }, (incoming) => {
  incoming.on("error", () => incoming.destroy());
  incoming.once("data", (line) => {
    incoming.pause();
    const { hostname, port } = new URL(`http://${line}`);
    const onward = connect({ host: hostname, port: Number(port), allowHalfOpen: true }, () => {
      incoming.write("\n");
      incoming.pipe(onward).pipe(incoming);
    });
    onward.on("error", () => incoming.destroy());
    incoming.on("close", () => onward.destroy());
  });
}).listen(process.argv[2]);
