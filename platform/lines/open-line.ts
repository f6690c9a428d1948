/**
 * Connections to servers whose addresses another server may have taken over. An address can name the expected server. Then the server
 * proves its name before anything is sent: TLS 1.3 with a key that only it and the service have, without certificates. Another server at
 * that address gets nothing but the start of a handshake, and cannot relay it to the right one either.
 */
import { randomBytes } from "node:crypto";
import { connect, type OnReadOpts, type Socket } from "node:net";
import { connect as connectTls, createSecureContext, type ConnectionOptions } from "node:tls";
import { secondMs } from "../clock.ts";
import type { LineKeys } from "./line-keys.ts";

export interface Line {
  host: string;
  port: number;
  /** The key that the server must prove to have; absent if no other server can have its address. */
  key?: Buffer;
}

interface LineOptions {
  allowHalfOpen?: boolean;
  /** When to start TCP keep-alive; by default it stays off. */
  keepAliveMs?: number;
  onread?: OnReadOpts;
}

/** A server proves its name within milliseconds, unless its process is busy computing. */
const provingMs = 15 * secondMs;

/** An address as it is stored: `host:port`, with `mark@` before it if the server there proves its name. */
export const writeAddress = (host: string, port: number | string, mark?: string): string =>
  `${mark === undefined ? "" : `${mark}@`}${host.includes(":") ? `[${host}]` : host}:${port}`;

/** The line to an address. A mark without a known key leads nowhere: the line then has a key that no server has. */
export function readAddress(address: string, keys?: LineKeys): Line {
  const { hostname, port, username } = new URL(`http://${address}`);
  const place = { host: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? 80 : Number(port) };
  return username === "" ? place : { ...place, key: keys?.keyOf(username) ?? randomBytes(32) };
}

/** The socket event after which anything written reaches the expected server and no other. */
export const openedEvent = ({ key }: Line): "connect" | "secureConnect" => (key === undefined ? "connect" : "secureConnect");

/**
 * No certificate is trusted, whatever its signature. The cipher is the one that TLS 1.3 allows for a pre-shared key without its own hash.
 */
const context = createSecureContext({ ca: [], ciphers: "TLS_AES_128_GCM_SHA256", minVersion: "TLSv1.3", maxVersion: "TLSv1.3" });

/** How a TLS client accepts the server with this key, and no other. */
export const proving = (key: Buffer): ConnectionOptions => ({
  secureContext: context,
  // No server name is sent: another server at the address has no need to know it.
  pskCallback: () => ({ psk: key, identity: "slipway" }),
  // Regardless of NODE_TLS_REJECT_UNAUTHORIZED.
  rejectUnauthorized: true,
  // Called only for a server with a certificate, which is never ours.
  checkServerIdentity: () => new Error("the server has a certificate in place of the key"),
});

/** Connects. Nothing may be written before `openedEvent`; a server that does not prove its name ends the socket with an error instead. */
export function openLine(line: Line, { allowHalfOpen = false, keepAliveMs, onread }: LineOptions = {}): Socket {
  const { host, port, key } = line;
  const keepAlive = keepAliveMs === undefined ? {} : { keepAlive: true, keepAliveInitialDelay: keepAliveMs };
  if (key === undefined) return connect({ host, port, allowHalfOpen, noDelay: true, ...keepAlive, ...(onread && { onread }) });
  // Node documents both; its types lack them.
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
