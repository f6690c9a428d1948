/** Forwards one request to a workspace and its response back, streamed both ways with backpressure. The hot path. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { isReading } from "../headers/is-reading.ts";
import { streamBegan } from "#platform/http/stream-events.ts";
import type { CountingDay } from "../execution-counts.ts";
import { responseHeaders } from "../headers/response-headers.ts";
import { ConnectionLost, HeadersLate, ReaderLate, type Connection, type Exchange } from "./connection.ts";
import { BodySender, drainRequest, hasBody } from "./request-body.ts";
import { requestHead } from "./request-head.ts";
import { SlowReader } from "./slow-reader.ts";
import type { Upstream } from "./upstreams.ts";

/**
 * Why there was no response. `not-sent`: no connection was made, so sending again is safe. `stale`: an idle connection
 * died under a request that is safe to repeat. `body-late`: its sender paused too long. With the others, the request may have had an effect.
 */
export type ProxyFailure = "not-sent" | "stale" | "broke-off" | "timed-out" | "body-late" | "malformed";

interface ProxyRequest {
  req: IncomingMessage;
  res: ServerResponse;
  upstream: Upstream;
  workspaceId: string;
  /** The day in which an execution started by this request counts; null: it starts none. */
  countingDay: CountingDay | null;
  headers: string[];
  headersTimeoutMs: number;
  uploadSilenceMs: number;
  readSilenceMs: number;
  slowReadMs: number;
  /** Whether it keeps the workspace awake while it is open. */
  isUse: boolean;
  /** Called at most once, and only if no response was sent and the visitor is still connected. */
  onFailure(failure: ProxyFailure, error: Error): void;
  /** Called when the whole body was passed on, with its size. */
  onBody?: ((bytes: number) => void) | undefined;
  /**
   * Called if the response is a stream of events that a GET opens, with what breaks it off. Null refuses it: nothing of the response is sent,
   * nor anything else called.
   */
  listen(breakOff: () => void): (() => void) | null;
  /** Called when the response's head has come. */
  onHead?: (() => void) | undefined;
  /** Called once, when the workspace must wait for its visitor to read. */
  onSlowReader?: ((reader: SlowReader) => void) | undefined;
  /** Called when the workspace holds nothing of the response any more: it has come as a whole, or its slow reader was broken off. */
  onEnd?: (() => void) | undefined;
  /** Called if the response breaks off after its head was sent, and the visitor is still connected, perhaps without reading. */
  onBreakOff(because: BreakOffReason): void;
}

/** `listener`: one of many streams of events made room for another. */
export type BreakOffReason = "workspace" | "slow reader" | "listener";

/** Up to this size, copying a body into one string with the headers costs less than writing it separately. */
const joinedBytes = 16 * 1024;

/** Sends the request and streams the response. If the response breaks off, the visitor's connection is broken too. */
export function proxyRequest(request: ProxyRequest): void {
  const { req, upstream } = request;
  const withBody = hasBody(req);
  let head: string;
  try {
    head = requestHead({ method: req.method!, path: req.url!, headers: request.headers, hasBody: withBody });
  } catch (error) {
    return request.onFailure("malformed", error as Error);
  }
  upstream.inFlight += 1;
  if (request.isUse) upstream.uses += 1;
  upstream.usedSinceSweep = true;
  const exchange = new VisitorExchange(request, head, withBody);
  exchange.awaited = upstream.send(exchange);
}

class VisitorExchange implements Exchange {
  readonly isHeadRequest: boolean;
  isSent = false;
  /**
   * Set until it is connected. A workspace may be silent for 15 s before it proves its id, and a visitor who left is no longer counted: if
   * the connection stayed, visitors who leave and come again could take all sockets of the gateway.
   */
  awaited: Connection | null = null;
  readonly #request: ProxyRequest;
  readonly #res: ServerResponse;
  readonly #head: string;
  readonly #withBody: boolean;
  #connection: Connection | null = null;
  #body: BodySender | null = null;
  #isAnswered = false;
  /** Whether the headers were written, alone or with the start of the body. */
  #isHeadWritten = false;
  #isOver = false;
  #stopListening: (() => void) | null = null;
  /** Set once the workspace had to wait for the visitor. */
  #slowReader: SlowReader | null = null;
  /** Bytes left of a response with a known length; otherwise -1. */
  #remaining = -1;

  constructor(request: ProxyRequest, head: string, withBody: boolean) {
    this.isHeadRequest = request.req.method === "HEAD";
    this.#request = request;
    this.#res = request.res;
    this.#head = head;
    this.#withBody = withBody;
    this.#res.on("close", this.#onClose);
  }

  readonly #onClose = () => {
    if (this.#isOver) return;
    this.#finish();
    (this.#connection ?? this.awaited)?.abort();
  };

  onConnected(connection: Connection): void {
    this.#connection = connection;
    if (this.#isOver) return connection.abort();
    const { req, headersTimeoutMs, uploadSilenceMs } = this.#request;
    const { socket } = connection;
    if (!this.#withBody) {
      socket.write(this.#head, "latin1");
      this.isSent = true;
      return connection.expectWithin(headersTimeoutMs);
    }
    // The body that came with the head is read in this tick, and leaves in one packet with it.
    socket.cork();
    socket.write(this.#head, "latin1");
    const expectWithin = (ms: number): void => {
      if (!this.#isAnswered) connection.expectWithin(ms);
    };
    expectWithin(uploadSilenceMs);
    this.#body = new BodySender(
      req,
      socket,
      (bytes) => {
        this.isSent = true;
        this.#request.onBody?.(bytes);
        // Uploads may take any time, so the limit starts at their end.
        expectWithin(headersTimeoutMs);
      },
      () => expectWithin(uploadSilenceMs),
    );
    process.nextTick(() => socket.uncork());
  }

  onHead(statusCode: number, message: string, raw: string[]): void {
    const { headers, contentLength } = responseHeaders(raw, statusCode);
    // It has no end: a process that stops does not wait for it.
    const isStream = contentLength === null && isEventStream(headers);
    if (isStream && this.#request.req.method === "GET") {
      this.#stopListening = this.#request.listen(() => this.#breakOff("listener"));
      if (this.#stopListening === null) {
        this.#finish();
        return this.#connection!.abort();
      }
    }
    // Throws if a name or value is invalid, or the visitor left.
    this.#res.writeHead(statusCode, message, headers);
    this.#isAnswered = true;
    this.#connection!.stopExpecting();
    this.#request.onHead?.();
    this.#request.countingDay?.noteAnswer(this.#request.workspaceId, headers);
    if (contentLength !== null && !this.isHeadRequest) this.#remaining = contentLength;
    if (isStream) this.#res.emit(streamBegan);
  }

  onData(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#isHeadWritten = true;
    const res = this.#res;
    const isLast = this.#remaining === chunk.length;
    if (isLast && chunk.length <= joinedBytes) return void res.end(chunk.toString("latin1"), "latin1");
    // The chunk's memory is reused, and the visitor may be slow.
    const copy = Buffer.from(chunk);
    if (isLast) return void res.end(copy);
    if (this.#remaining > 0) this.#remaining -= chunk.length;
    this.#slowReader?.noteTaken(chunk.length);
    if (res.write(copy)) return;
    this.#connection!.pause(this.#request.readSilenceMs);
    if (this.#slowReader) return;
    this.#slowReader = new SlowReader(this.#request.slowReadMs, () => this.#breakOff("slow reader"));
    this.#request.upstream.slowReaders.add(this.#slowReader);
    this.#request.onSlowReader?.(this.#slowReader);
    res.on("drain", () => {
      if (!this.#isOver) this.#connection!.resume();
    });
  }

  #breakOff(because: BreakOffReason): void {
    if (this.#isOver) return;
    this.#finish();
    this.#connection!.abort();
    this.#request.onBreakOff(because);
    breakOff(this.#request.req, this.#res);
    this.#request.onEnd?.();
  }

  /** Usually the body is in the same packet and is sent with the headers; if not, the headers must not wait for it. */
  onPause(): void {
    if (!this.#isAnswered || this.#isHeadWritten || this.#res.destroyed) return;
    this.#isHeadWritten = true;
    this.#res.flushHeaders();
  }

  onEnd(): void {
    this.#finish();
    if (!this.#res.writableEnded) this.#res.end();
    this.#request.onEnd?.();
    if (this.#withBody) drainRequest(this.#request.req);
  }

  onError(error: Error): void {
    if (this.#isOver) return;
    this.#finish();
    if (this.#res.destroyed) return;
    if (!this.#isAnswered) return this.#request.onFailure(this.#failure(error), error);
    this.#request.onBreakOff(error instanceof ReaderLate ? "slow reader" : "workspace");
    breakOff(this.#request.req, this.#res);
  }

  #finish(): void {
    this.#isOver = true;
    this.#request.upstream.inFlight -= 1;
    this.#stopListening?.();
    if (this.#slowReader) this.#request.upstream.slowReaders.delete(this.#slowReader);
    if (this.#request.isUse) this.#request.upstream.uses -= 1;
    this.#res.off("close", this.#onClose);
    this.#body?.stop();
  }

  #failure(error: Error & { code?: string }): ProxyFailure {
    if (this.#connection === null) return "not-sent";
    if (error instanceof HeadersLate) return this.#withBody && !this.isSent && !this.#body!.isHeldUp ? "body-late" : "timed-out";
    const isConnectionLoss = error instanceof ConnectionLost || error.code === "ECONNRESET" || error.code === "EPIPE";
    return isConnectionLoss && !this.#withBody && isReading(this.#request.req.method) ? "stale" : "broke-off";
  }
}

/** A partial response must not look complete. Without chunks or a length (HTTP/1.0), only a reset shows it. */
function breakOff(req: IncomingMessage, res: ServerResponse): void {
  if (req.httpVersionMinor === 0 && "resetAndDestroy" in req.socket) req.socket.resetAndDestroy();
  else res.destroy();
}

/** Whether the flat list of headers announces server-sent events. */
function isEventStream(headers: readonly string[]): boolean {
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "content-type");
  return at >= 0 && /^\s*text\/event-stream\b/i.test(headers[at + 1]!);
}
