/** A request's body on its way to a workspace. It stays unread until a connection is made, so that it can be sent elsewhere. */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { secondMs } from "#platform/clock.ts";

/** As long as common servers linger: closing while the client is still sending would lose the response. */
const drainMs = 10 * secondMs;

/** Writes the request's body with backpressure, in chunks if its length is not known. */
export class BodySender {
  readonly #req: IncomingMessage;
  readonly #socket: Socket;
  readonly #isChunked: boolean;
  readonly #onSent: (bytes: number) => void;
  readonly #onProgress: () => void;
  /** Whether the workspace has not yet read what was written; its socket no longer tells once it is destroyed. */
  isHeldUp = false;
  #bytes = 0;

  /**
   * Starts now. `onProgress` is called whenever the sender sent something or the workspace read something, `onSent` after the last byte was
   * written, with their number; neither is called after `stop`.
   */
  constructor(req: IncomingMessage, socket: Socket, onSent: (bytes: number) => void, onProgress: () => void) {
    this.#onProgress = onProgress;
    this.#req = req;
    this.#socket = socket;
    this.#isChunked = req.headers["transfer-encoding"] !== undefined;
    this.#onSent = onSent;
    socket.on("drain", this.#onDrain);
    req.on("data", this.#onData).on("end", this.#onEnd);
    req.resume();
  }

  /** Leaves the rest unread, and the visitor's connection open. */
  stop(): void {
    this.#socket.off("drain", this.#onDrain);
    this.#req.off("data", this.#onData).off("end", this.#onEnd);
    if (!this.#req.readableEnded) this.#req.pause();
  }

  readonly #onData = (chunk: Buffer) => {
    this.#onProgress();
    this.#bytes += chunk.length;
    if (this.#write(chunk)) return;
    this.isHeldUp = true;
    this.#req.pause();
  };
  readonly #onDrain = () => {
    this.isHeldUp = false;
    this.#onProgress();
    this.#req.resume();
  };
  readonly #onEnd = () => {
    if (this.#isChunked) this.#socket.write("0\r\n\r\n", "latin1");
    this.stop();
    this.#onSent(this.#bytes);
  };

  #write(chunk: Buffer): boolean {
    if (!this.#isChunked) return this.#socket.write(chunk);
    this.#socket.cork();
    this.#socket.write(`${chunk.length.toString(16)}\r\n`, "latin1");
    this.#socket.write(chunk);
    const hasRoom = this.#socket.write("\r\n", "latin1");
    this.#socket.uncork();
    return hasRoom;
  }
}

/** Whether the request announces a body. */
export function hasBody(req: IncomingMessage): boolean {
  const length = req.headers["content-length"];
  return req.headers["transfer-encoding"] !== undefined || (length !== undefined && Number(length) !== 0);
}

/** Discards the rest of a request that was already answered, and closes the connection if it does not end. */
export function drainRequest(req: IncomingMessage): void {
  if (req.complete || req.destroyed || !hasBody(req)) return;
  req.resume();
  const timer = setTimeout(() => req.socket.destroy(), drainMs);
  timer.unref();
  const stop = () => clearTimeout(timer);
  req.once("end", stop).once("close", stop);
}
