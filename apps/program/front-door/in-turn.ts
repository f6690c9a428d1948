/** Requests that a client sends on one connection without waiting for the answers (HTTP pipelining). */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

/** Clients that do this send a few. A request that waits costs about 3 KB, and its headers. */
const mostWaiting = 100;
/** Of the paths and headers of those that wait: a hundred ordinary ones, or two that are as large as a head may be. */
const mostWaitingBytes = 64 * 1024;

/**
 * Begins each request when those before it on its connection have been answered, because the answers are sent in that order: at the same time,
 * one connection would take all places of a workspace. With a hundred waiting, or 64 KB of heads, one more is given to `refuse`.
 */
export function inTurn(answer: Handler, refuse: Handler): Handler {
  const waiting = new WeakMap<Socket, { requests: number; bytes: number }>();
  return (req, res) => {
    // Node gives a response its socket when its turn comes.
    if (res.socket !== null) return answer(req, res);
    const { socket } = req;
    const held = waiting.get(socket) ?? { requests: 0, bytes: 0 };
    const bytes = req.rawHeaders.reduce((sum, text) => sum + text.length, req.url!.length);
    if (held.requests >= mostWaiting || held.bytes + bytes > mostWaitingBytes) return refuse(req, res);
    held.requests += 1;
    held.bytes += bytes;
    waiting.set(socket, held);
    res.once("socket", () => {
      held.requests -= 1;
      held.bytes -= bytes;
      answer(req, res);
    });
  };
}
