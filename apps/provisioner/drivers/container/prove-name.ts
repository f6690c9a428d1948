/**
 * Loaded into the tool of a container before anything of the tool. Addresses of containers are reused, so before a client of the tool sends
 * anything, a handshake proves that this is the workspace it wants: TLS 1.3 with a key that only the workspace and the control plane have.
 * It answers no other caller either, so that neighbours that get through the network find a closed door. The tool sees ordinary
 * connections.
 */
import { Server, type AddressInfo, type Socket } from "node:net";
import { createServer } from "node:tls";
import { provingVariable } from "./image-places.ts";

/** A client proves its key within milliseconds, even while this process is busy computing. */
const handshakeTimeout = 10_000;

/** From now on the server accepts only connections whose other side has proved that it has this key. */
export function proveTo(server: Server, key: Buffer): void {
  const emit = server.emit.bind(server) as (event: string | symbol, ...values: unknown[]) => boolean;
  const door = createServer(
    // The same as on the other side: platform/lines/open-line.ts.
    { ciphers: "TLS_AES_128_GCM_SHA256", minVersion: "TLSv1.3", handshakeTimeout, pskCallback: () => key },
    (socket) => {
      // Whether visitors use TLS is said in headers, as everywhere else.
      (socket as { encrypted: boolean }).encrypted = false;
      emit("connection", socket);
    },
  );
  server.emit = ((event: string | symbol, ...values: unknown[]) =>
    event === "connection" ? door.emit("connection", values[0] as Socket) : emit(event, ...values)) as Server["emit"];
}

/**
 * Removed from the environment, so that the tool gets exactly the one that was ordered. Processes and threads that the tool starts find
 * nothing here.
 */
const given = process.env[provingVariable];
delete process.env[provingVariable];

if (given !== undefined) {
  const [port, key] = given.split(":") as [string, string];
  const proved = new WeakSet<Server>();
  const { listen } = Server.prototype as { listen: (...options: unknown[]) => Server };
  Server.prototype.listen = function (this: Server, ...options: unknown[]): Server {
    this.prependOnceListener("listening", () => {
      if ((this.address() as AddressInfo | null)?.port !== Number(port) || proved.has(this)) return;
      proved.add(this);
      proveTo(this, Buffer.from(key, "base64"));
    });
    return listen.apply(this, options);
  } as Server["listen"];
}
