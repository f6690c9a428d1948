/**
 * Tunnels a WebSocket to a workspace. Raw bytes flow only after the workspace has accepted the upgrade;
 * before that they could be requests that bypass the gateway's checks.
 */
import { request, type IncomingMessage } from "node:http";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { minuteMs } from "#platform/clock.ts";
import { openedEvent, openLine } from "#platform/lines/open-line.ts";
import { responseHeaders } from "../headers/response-headers.ts";
import type { Upstream } from "./upstreams.ts";

interface TunnelUpgrade {
  req: IncomingMessage;
  socket: Duplex;
  head: Buffer;
  upstream: Upstream;
  headers: string[];
  connectTimeoutMs: number;
  handshakeTimeoutMs: number;
  /** Called once when the workspace has accepted or declined. */
  onAnswer(): void;
  /** Called once when nothing of it is left. */
  onOver(): void;
  /** Called at most once, and only if nothing was written to the visitor. */
  onFailure(error: Error): void;
}

/** After one side has ended, the other may be idle for this long before the tunnel is closed. */
const halfClosedIdleMs = minuteMs;
/** Detects visitors and workspaces that disappeared without closing. */
const keepAliveMs = minuteMs;

/** Whether this is a WebSocket handshake and nothing else: other upgrades (h2c) would carry requests past our checks. */
export function isWebSocketHandshake(req: IncomingMessage): boolean {
  return (
    req.method === "GET" &&
    req.headers.upgrade?.toLowerCase() === "websocket" &&
    req.headers["content-length"] === undefined &&
    req.headers["transfer-encoding"] === undefined
  );
}

/**
 * Forwards the handshake and joins both sockets. If the workspace declines, its response is passed back. Returns a function that ends it
 * without a word, and leaves the visitor's socket as it is.
 */
export function tunnelUpgrade(tunnel: TunnelUpgrade): () => void {
  const { req, socket, upstream } = tunnel;
  const { line } = upstream;
  const finish = occupy(upstream, tunnel.onOver);
  const own = openLine(line, { allowHalfOpen: true });
  const outgoing = request({
    method: "GET",
    path: req.url!,
    headers: [...tunnel.headers, "connection", "Upgrade", "upgrade", "websocket"],
    setHost: false,
    createConnection: (_options, use) => void own.once(openedEvent(line), () => use(null, own)),
  });
  const fail = (error: Error) => {
    if (!finish()) return;
    own.destroy();
    outgoing.destroy();
    tunnel.onFailure(error);
  };
  const connecting = setTimeout(() => fail(new Error("no connection in time")), tunnel.connectTimeoutMs);
  const handshake = setTimeout(() => fail(new Error("no answer to the handshake in time")), tunnel.handshakeTimeoutMs);
  const settle = () => {
    clearTimeout(connecting);
    clearTimeout(handshake);
    socket.off("close", onGone);
    own.off("error", onError);
  };
  const onGone = () => {
    settle();
    finish();
    own.destroy();
    outgoing.destroy();
  };
  const onError = (error: Error) => {
    settle();
    fail(error);
  };
  socket.on("close", onGone);
  own.once("connect", () => clearTimeout(connecting)).on("error", onError);
  outgoing.on("error", onError);
  outgoing.on("response", (answer) => {
    settle();
    tunnel.onAnswer();
    // From here on an error breaks off the response; a refusal would be read as part of it.
    outgoing.removeAllListeners("error").on("error", () => socket.destroy());
    passBack(socket, answer);
    answer.on("close", finish);
  });
  outgoing.on("upgrade", (answer, _socket, ownHead) => {
    settle();
    tunnel.onAnswer();
    socket.write(headOf(answer, ["Connection: Upgrade", "Upgrade: websocket"]), "latin1");
    if (ownHead.length > 0) socket.write(ownHead);
    if (tunnel.head.length > 0) own.write(tunnel.head);
    join(socket, own, finish);
  });
  outgoing.end();
  return onGone;
}

/**
 * Takes a place of the workspace. Returns a function that gives it back, which returns true the first time. Keeps no other references,
 * because a tunnel may last for days.
 */
function occupy(upstream: Upstream, onOver: () => void): () => boolean {
  let isOver = false;
  upstream.inFlight += 1;
  upstream.uses += 1;
  return () => {
    if (isOver) return false;
    isOver = true;
    upstream.inFlight -= 1;
    upstream.uses -= 1;
    onOver();
    return true;
  };
}

function join(one: Duplex, other: Duplex, onOver: () => void): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    if ("setKeepAlive" in from) (from as import("node:net").Socket).setKeepAlive(true, keepAliveMs).setNoDelay(true);
    from.pipe(to);
    from.on("end", () => limitIdle(to));
    from.on("error", () => to.destroy());
    from.on("close", () => {
      // The pipe passes on an orderly end; after anything else the other socket must be closed too.
      if (!from.readableEnded) to.destroy();
      if (one.destroyed && other.destroyed) onOver();
    });
  }
  if (one.destroyed || other.destroyed) {
    one.destroy();
    other.destroy();
  }
}

function limitIdle(socket: Duplex): void {
  if ("setTimeout" in socket) (socket as import("node:net").Socket).setTimeout(halfClosedIdleMs, () => socket.destroy());
}

/** Passes back the response of a workspace that declines, and closes the connection. */
function passBack(socket: Duplex, answer: IncomingMessage): void {
  socket.write(headOf(answer, ["Connection: close"]), "latin1");
  answer.pipe(socket);
  // A visitor that never ends its side would hold the connection forever.
  socket.once("finish", () => socket.destroy());
  answer.on("error", () => socket.destroy());
  answer.on("close", () => (answer.complete ? undefined : socket.destroy()));
  socket.on("close", () => answer.destroy());
}

function headOf(answer: IncomingMessage, own: string[]): string {
  const status = answer.statusCode!;
  const { headers } = responseHeaders(answer.rawHeaders, status);
  const lines = [`HTTP/1.1 ${status} ${answer.statusMessage || STATUS_CODES[status] || ""}`, ...own];
  for (let index = 0; index < headers.length; index += 2) lines.push(`${headers[index]}: ${headers[index + 1]}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}
