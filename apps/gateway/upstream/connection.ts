/** One connection to a workspace. It carries one request at a time, and rests between them until it is used again or closed. */
import type { Socket } from "node:net";
import { minuteMs } from "#platform/clock.ts";
import { openedEvent, openLine, type Line } from "#platform/lines/open-line.ts";
import { ResponseReader, type ResponseSink } from "./response-reader.ts";

/** One request and its response. Exactly one of `onEnd` and `onError` is called, unless the exchange leaves its connection. */
export interface Exchange extends ResponseSink {
  readonly isHeadRequest: boolean;
  /** Whether the whole request was written. */
  readonly isSent: boolean;
  /** The exchange may write its request. */
  onConnected(connection: Connection): void;
  /** Everything that was received so far has been passed on, and more is to come. */
  onPause(): void;
  onEnd(): void;
  onError(error: Error): void;
}

/** The workspace, and where its connections rest. */
export interface ConnectionOwner {
  readonly line: Line;
  rest(connection: Connection): void;
  forget(connection: Connection): void;
}

/** The connection could not be made, or not to this workspace: nothing was sent. */
class NotConnected extends Error {}
/** The connection ended before the response did. */
export class ConnectionLost extends Error {}
/** The response did not begin in time. */
export class HeadersLate extends Error {}
/** The visitor took nothing of the response for too long. */
export class ReaderLate extends Error {}

/** Detects a workspace that disappeared without closing. */
const keepAliveMs = minuteMs;

/**
 * Node's servers close an idle connection after 5 s. With a shorter limit, none is closed while we write to it. A workspace that announces
 * its own limit is given two seconds less than that.
 */
const mostIdleMs = 4000;
const idleMarginMs = 2000;

/** All connections read into the same memory: what is read is passed on before the next read. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

export class Connection {
  readonly socket: Socket;
  readonly #owner: ConnectionOwner;
  readonly #reader = new ResponseReader();
  readonly #connecting: NodeJS.Timeout;
  #exchange: Exchange | null;
  #isConnected = false;
  #isPaused = false;
  /** When the response must have begun, or the connection has rested too long, in the time of `performance.now`. */
  #untilMs = Infinity;

  /** Connects, and starts with this exchange. */
  constructor(owner: ConnectionOwner, exchange: Exchange, connectTimeoutMs: number) {
    this.#owner = owner;
    this.#exchange = exchange;
    this.socket = openLine(owner.line, { keepAliveMs, onread: { buffer: readBuffer, callback: (length) => this.#onRead(length) } });
    this.#connecting = setTimeout(() => this.#fail(new NotConnected("no connection in time")), connectTimeoutMs);
    this.socket
      .on("connect", () => clearTimeout(this.#connecting))
      .on(openedEvent(owner.line), () => {
        this.#isConnected = true;
        if (this.#exchange !== null) this.start(this.#exchange);
      })
      .on("error", (error) => this.#fail(this.#isConnected ? error : new NotConnected(error.message, { cause: error })))
      .on("end", () => (this.#reader.endsHere() ? this.#finish() : this.#fail(new ConnectionLost("the workspace closed the connection"))))
      .on("close", () => {
        if (this.#exchange !== null) this.#fail(new ConnectionLost("the connection was closed"));
        clearTimeout(this.#connecting);
        owner.forget(this);
      });
  }

  /** Whether it may carry another request. */
  isFresh(nowMs: number): boolean {
    return this.socket.writable && nowMs < this.#untilMs;
  }

  /** Carries the next request. */
  start(exchange: Exchange): void {
    this.#exchange = exchange;
    this.#untilMs = Infinity;
    this.#reader.begin(exchange, exchange.isHeadRequest);
    exchange.onConnected(this);
  }

  /** The response must begin within this time. */
  expectWithin(ms: number): void {
    this.#untilMs = performance.now() + ms;
  }

  /** The response has begun: its body may take any time, as server-sent events are silent for long. */
  stopExpecting(): void {
    this.#untilMs = Infinity;
  }

  /** Called regularly, for the time limits. */
  check(nowMs: number): void {
    if (nowMs < this.#untilMs) return;
    if (this.#exchange === null) this.socket.destroy();
    else this.#fail(this.#isPaused ? new ReaderLate("the answer was not read") : new HeadersLate("no answer in time"));
  }

  /** Stops reading until `resume`, which must come within this time. */
  pause(forMs: number): void {
    this.#isPaused = true;
    this.expectWithin(forMs);
  }

  resume(): void {
    this.#isPaused = false;
    this.stopExpecting();
    this.socket.resume();
  }

  /** The exchange leaves: its response cannot be read to the end, so the connection is closed. */
  abort(): void {
    this.#exchange = null;
    this.socket.destroy();
  }

  /** Returns whether to continue reading. */
  #onRead(length: number): boolean {
    const exchange = this.#exchange;
    if (exchange === null) {
      // This was not requested. It must not be taken for the response to the next request.
      this.socket.destroy();
      return false;
    }
    try {
      const used = this.#reader.read(readBuffer.subarray(0, length));
      // The exchange may have left in the meantime.
      if (this.#exchange !== exchange) return false;
      if (this.#reader.isDone) this.#finish(used === length);
      else exchange.onPause();
    } catch (error) {
      this.#fail(error as Error);
    }
    return !this.#isPaused;
  }

  #finish(isExact = false): void {
    const exchange = this.#exchange!;
    this.#exchange = null;
    const { isReusable, keepAliveMs: announcedMs } = this.#reader;
    const idleMs = announcedMs === null ? mostIdleMs : Math.min(mostIdleMs, announcedMs - idleMarginMs);
    if (isExact && isReusable && exchange.isSent && idleMs > 0) {
      // A slow visitor no longer matters, because the response has been read.
      if (this.#isPaused) this.resume();
      this.#untilMs = performance.now() + idleMs;
      this.#owner.rest(this);
    } else this.socket.destroy();
    exchange.onEnd();
  }

  #fail(error: Error): void {
    const exchange = this.#exchange;
    this.#exchange = null;
    this.socket.destroy();
    exchange?.onError(error);
  }
}
