/** Looks at the certificate that visitors of the panel get. */
import { connect } from "node:tls";
import { secondMs } from "#platform/clock.ts";

export interface SeenCertificate {
  until: Date;
  /** Why browsers would refuse it; null: they would not. */
  problem: string | null;
}

const timeoutMs = 10 * secondMs;

/** Null for an address without https. Rejects if the address does not answer within ten seconds. */
export async function readCertificate(url: string): Promise<SeenCertificate | null> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== "https:") return null;
  const { promise, resolve, reject } = Promise.withResolvers<SeenCertificate>();
  // Refused certificates are read as well: the date of one that has ended is what counts.
  const socket = connect({ host: hostname, port: Number(port) || 443, servername: hostname, rejectUnauthorized: false });
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`${hostname} does not answer within ${timeoutMs / secondMs} s`)));
  socket.on("error", reject);
  socket.on("secureConnect", () => {
    const { valid_to: until } = socket.getPeerCertificate();
    resolve({ until: new Date(until), problem: socket.authorized ? null : String(socket.authorizationError) });
  });
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}
