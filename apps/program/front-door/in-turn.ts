/** Requests that a client sends on one connection without waiting for the answers (HTTP pipelining). */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

/** Clients that do this send a few. A request that waits costs about 3 KB. */
const mostWaiting = 100;

/**
 * Begins each request when those before it on its connection have been answered, because the answers are sent in that order: at the same time,
 * one connection would take all places of a workspace. With a hundred waiting, one more is given to `refuse`.
 */
export function inTurn(answer: Handler, refuse: Handler): Handler {
  const waiting = new WeakMap<Socket, number>();
  return (req, res) => {
    // Node gives a response its socket when its turn comes.
    if (res.socket !== null) return answer(req, res);
    const { socket } = req;
    const count = waiting.get(socket) ?? 0;
    if (count >= mostWaiting) return refuse(req, res);
    waiting.set(socket, count + 1);
    res.once("socket", () => {
      waiting.set(socket, waiting.get(socket)! - 1);
      answer(req, res);
    });
  };
}
