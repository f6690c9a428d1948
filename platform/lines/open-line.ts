/**
 * Connections to servers at addresses that another server may have by now. An address can say who is expected there. Then the server proves
 * its name before anything is sent: TLS 1.3 with a key that only it and the service have, without certificates. Another server at that address
 * gets nothing but the beginning of a handshake, whatever it answers, and cannot pass it on to the right one either.
 */
import { randomBytes } from "node:crypto";
import { connect, type OnReadOpts, type Socket } from "node:net";
import { connect as connectTls, createSecureContext, type ConnectionOptions } from "node:tls";
import { secondMs } from "../clock.ts";
import type { LineKeys } from "./line-keys.ts";

export interface Line {
  host: string;
  port: number;
  /** What the server must prove to have; absent if no other server can have its address. */
  key?: Buffer;
}

export interface LineOptions {
  allowHalfOpen?: boolean;
  /** When the other side is first asked whether it still exists; never by default. */
  keepAliveMs?: number;
  onread?: OnReadOpts;
}

/** A server proves its name within milliseconds. One that computes meanwhile takes as long as it computes. */
const provingMs = 15 * secondMs;

/** An address as it is stored: `host:port`, with `mark@` before it if the server there proves its name. */
export const writeAddress = (host: string, port: number | string, mark?: string): string =>
  `${mark === undefined ? "" : `${mark}@`}${host.includes(":") ? `[${host}]` : host}:${port}`;

/** The line to an address. A mark without a known key leads nowhere: the line has a key that no server has. */
export function readAddress(address: string, keys?: LineKeys): Line {
  const { hostname, port, username } = new URL(`http://${address}`);
  const place = { host: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? 80 : Number(port) };
  return username === "" ? place : { ...place, key: keys?.keyOf(username) ?? randomBytes(32) };
}

/** The event of the socket after which what is written reaches the expected server and no other. */
export const openedEvent = ({ key }: Line): "connect" | "secureConnect" => (key === undefined ? "connect" : "secureConnect");

/** No certificate is trusted, whatever its signature. The cipher is the one that TLS 1.3 allows for a key without a hash of its own. */
const context = createSecureContext({ ca: [], ciphers: "TLS_AES_128_GCM_SHA256", minVersion: "TLSv1.3", maxVersion: "TLSv1.3" });

/** How a client of TLS accepts the server with this key, and no other. */
export const proving = (key: Buffer): ConnectionOptions => ({
  secureContext: context,
  // The name is not said: another server at the address has no use for it.
  pskCallback: () => ({ psk: key, identity: "slipway" }),
  // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
  rejectUnauthorized: true,
  // Asked only about a server with a certificate, and that one is not ours.
  checkServerIdentity: () => new Error("the server has a certificate in place of the key"),
});

/** Connects. Nothing may be written before `openedEvent`; a server that does not prove its name ends the socket with an error instead. */
export function openLine(line: Line, { allowHalfOpen = false, keepAliveMs, onread }: LineOptions = {}): Socket {
  const { host, port, key } = line;
  const keepAlive = keepAliveMs === undefined ? {} : { keepAlive: true, keepAliveInitialDelay: keepAliveMs };
  if (key === undefined) return connect({ host, port, allowHalfOpen, noDelay: true, ...keepAlive, ...(onread && { onread }) });
  // Node's documentation has both; its types lack them.
  const options: ConnectionOptions & { allowHalfOpen: boolean; onread?: OnReadOpts } = {
    ...proving(key),
    host,
    port,
    allowHalfOpen,
    ...(onread && { onread }),
  };
  const socket = connectTls(options);
  let limit: NodeJS.Timeout | undefined;
  const settle = () => clearTimeout(limit);
  return socket
    .once("connect", () => {
      socket.setNoDelay(true);
      if (keepAliveMs !== undefined) socket.setKeepAlive(true, keepAliveMs);
      limit = setTimeout(() => socket.destroy(new Error("the server did not prove its name in time")), provingMs);
    })
    .once("secureConnect", settle)
    .once("close", settle);
}
