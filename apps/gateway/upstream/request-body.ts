/** A request's body on its way to a workspace. It stays unread until a connection is made, so that it can be sent elsewhere. */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { secondMs } from "#platform/clock.ts";

/** As long as common servers linger: closing while the client is still sending would lose the response. */
const drainMs = 10 * secondMs;

/**
 * Reads the request's body with backpressure, starting with the first read. Fails if the visitor disconnects before
 * the end. Destroying it leaves the visitor's connection open, unlike passing on the request itself.
 */
export class RequestBody extends Readable {
  readonly #req: IncomingMessage;
  #isReading = false;

  constructor(req: IncomingMessage) {
    super();
    this.#req = req;
  }

  readonly #onData = (chunk: Buffer) => {
    if (!this.push(chunk)) this.#req.pause();
  };
  readonly #onEnd = () => {
    this.push(null);
  };
  readonly #onClose = () => {
    if (!this.#req.complete) this.destroy(new Error("the visitor went away"));
  };

  override _read(): void {
    if (!this.#isReading) {
      this.#isReading = true;
      this.#req.on("data", this.#onData).on("end", this.#onEnd).on("close", this.#onClose);
    }
    this.#req.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#req.off("data", this.#onData).off("end", this.#onEnd).off("close", this.#onClose);
    callback(error);
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
