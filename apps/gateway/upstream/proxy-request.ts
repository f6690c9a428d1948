/** Forwards one request to a workspace and its response back, streamed both ways with backpressure. The hot path. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Dispatcher } from "undici";
import type { CountingDay } from "../execution-counts.ts";
import { drainRequest, hasBody, RequestBody } from "./request-body.ts";
import { responseHeaders } from "../headers/response-headers.ts";
import type { Upstream } from "./upstreams.ts";

/**
 * Why there was no response. `not-sent`: no connection was made, so sending again is safe. `stale`: an idle connection
 * died under a request that is safe to repeat. With the others, the request may have had an effect.
 */
export type ProxyFailure = "not-sent" | "stale" | "broke-off" | "timed-out" | "malformed";

export interface ProxyRequest {
  req: IncomingMessage;
  res: ServerResponse;
  upstream: Upstream;
  workspaceId: string;
  /** The day in which an execution started by this request counts; null: it starts none. */
  countingDay: CountingDay | null;
  headers: string[];
  headersTimeoutMs: number;
  /** Called at most once, and only if no response was sent and the visitor is still connected. */
  onFailure(failure: ProxyFailure, error: Error): void;
}

/** Sends the request and streams the response. If the response breaks off, the visitor's connection is broken too. */
export function proxyRequest(request: ProxyRequest): void {
  const { req, upstream } = request;
  const withBody = hasBody(req);
  upstream.inFlight += 1;
  upstream.usedSinceSweep = true;
  upstream.pool.dispatch(
    {
      path: req.url!,
      method: req.method as Dispatcher.HttpMethod,
      headers: request.headers,
      body: withBody ? new RequestBody(req) : null,
      // undici's limit starts with the request's first byte. Uploads may take longer, so they use the timer below.
      headersTimeout: withBody ? 0 : request.headersTimeoutMs,
    },
    new Exchange(request, withBody),
  );
}

/** Up to this size, copying a body costs less than writing it separately. */
const joinedBytes = 16 * 1024;

class HeadersLate extends Error {}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: ProxyRequest;
  readonly #res: ServerResponse;
  readonly #withBody: boolean;
  #controller: Dispatcher.DispatchController | null = null;
  #late: NodeJS.Timeout | null = null;
  #isAnswered = false;
  #isEnded = false;
  #isOver = false;
  #remaining = -1;

  constructor(request: ProxyRequest, withBody: boolean) {
    this.#request = request;
    this.#res = request.res;
    this.#withBody = withBody;
    this.#res.on("close", this.#onClose);
  }

  readonly #onClose = () => {
    if (!this.#isOver) this.#controller?.abort(new Error("the visitor went away"));
  };
  readonly #onDrain = () => this.#controller!.resume();

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#res.destroyed) controller.abort(new Error("the visitor went away"));
  }

  onRequestSent(): void {
    if (!this.#withBody || this.#isAnswered || this.#isOver) return;
    this.#late = setTimeout(() => this.#controller?.abort(new HeadersLate("no answer in time")), this.#request.headersTimeoutMs);
  }

  onResponseStart(controller: Dispatcher.DispatchController, statusCode: number, _headers: unknown, statusMessage?: string): void {
    // Interim responses concern only our connection to the workspace; Node has already sent its own 100.
    if (statusCode < 200) return;
    if (this.#late !== null) clearTimeout(this.#late);
    const { headers, contentLength } = responseHeaders(controller.rawHeaders as Buffer[], statusCode);
    this.#isAnswered = true;
    this.#request.countingDay?.noteAnswer(this.#request.workspaceId, headers);
    this.#res.writeHead(statusCode, statusMessage ?? "", headers);
    if (contentLength !== null && this.#request.req.method !== "HEAD") this.#remaining = contentLength;
    // Usually the body is in the same packet and is sent with the headers; if not, the headers must not wait for it.
    process.nextTick(flushHead, this.#res);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#remaining === chunk.length) {
      this.#isEnded = true;
      endWith(this.#res, chunk);
      return;
    }
    if (this.#remaining > 0) this.#remaining -= chunk.length;
    if (this.#res.write(chunk)) return;
    controller.pause();
    if (this.#res.listenerCount("drain") === 0) this.#res.on("drain", this.#onDrain);
  }

  onResponseEnd(): void {
    this.#finish();
    if (!this.#isEnded) this.#res.end();
    if (this.#withBody) drainRequest(this.#request.req);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#isOver) return;
    this.#finish();
    if (this.#res.destroyed) return;
    if (this.#isAnswered) breakOff(this.#request.req, this.#res);
    else this.#request.onFailure(this.#failure(error), error);
  }

  #finish(): void {
    this.#isOver = true;
    this.#request.upstream.inFlight -= 1;
    if (this.#late !== null) clearTimeout(this.#late);
    this.#res.off("close", this.#onClose);
  }

  #failure(error: Error & { code?: string }): ProxyFailure {
    if (error.code === "UND_ERR_INVALID_ARG") return "malformed";
    if (this.#controller === null) return "not-sent";
    if (error instanceof HeadersLate || error.code === "UND_ERR_HEADERS_TIMEOUT") return "timed-out";
    const { method } = this.#request.req;
    const isConnectionLoss = error.code === "UND_ERR_SOCKET" || error.code === "ECONNRESET" || error.code === "EPIPE";
    return isConnectionLoss && !this.#withBody && (method === "GET" || method === "HEAD") ? "stale" : "broke-off";
  }
}

/** Ends the answer. Node writes a string together with the headers in one piece, and a buffer as a second piece beside them. */
function endWith(res: ServerResponse, chunk: Buffer): void {
  if (chunk.length <= joinedBytes) res.end(chunk.toString("latin1"), "latin1");
  else res.end(chunk);
}

function flushHead(res: ServerResponse): void {
  if (!res.writableEnded && !res.destroyed) res.flushHeaders();
}

/** A partial response must not look complete. Without chunks or a length (HTTP/1.0), only a reset shows it. */
function breakOff(req: IncomingMessage, res: ServerResponse): void {
  if (req.httpVersionMinor === 0 && "resetAndDestroy" in req.socket) req.socket.resetAndDestroy();
  else res.destroy();
}
