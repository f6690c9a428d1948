/** Server-sent events: the newest state at once, and again after each change. */
import type { FastifyReply, FastifyRequest } from "fastify";

export interface EventSource<State> {
  event: string;
  /** The state now; null when the client may not know it any more, which ends the stream. */
  read(): Promise<State | null>;
  /** Calls back after changes, and at the end of the source, until the returned function is called. */
  follow(onChange: () => void, onEnd: () => void): () => void;
  /** Called once when the stream is over, also where the client had left before it began. */
  left?(): void;
}

/** Emitted on the response once it is a stream: it may stay open for as long as the client likes. */
export const streamBegan = Symbol("stream began");

/** Proxies close a silent connection after 60 s, some after 30. */
const heartbeatMs = 15_000;

/**
 * Streams until the client goes away. Changes that come while one is being read are folded into one more read,
 * so that a fast writer never queues work for a slow reader.
 */
export async function streamEvents<State>(request: FastifyRequest, reply: FastifyReply, source: EventSource<State>): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  // Who asked was looked up first. A client that left meanwhile was said to be gone already, and would be followed for ever.
  if (raw.destroyed) return source.left?.();
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  raw.emit(streamBegan);
  const write = (text: string): void => {
    if (!raw.destroyed && !raw.writableEnded) raw.write(text);
  };
  let last = "";
  let reading = false;
  let again = false;
  const send = async () => {
    if (reading) {
      again = true;
      return;
    }
    reading = true;
    try {
      do {
        again = false;
        const state = await source.read();
        if (state === null) return void raw.end();
        const data = JSON.stringify(state);
        if (data !== last) write(`event: ${source.event}\ndata: ${data}\n\n`);
        last = data;
      } while (again);
    } catch (error) {
      request.log.warn({ err: error }, "an event stream could not read its state");
      raw.end();
    } finally {
      reading = false;
    }
  };
  const unfollow = source.follow(
    () => void send(),
    () => void raw.end(),
  );
  // With each beat the state is read again: a session that ended ends the stream, a change that nobody announced is seen.
  const heartbeat = setInterval(() => {
    write(": still here\n\n");
    void send();
  }, heartbeatMs);
  raw.on("close", () => {
    clearInterval(heartbeat);
    unfollow();
    source.left?.();
  });
  await send();
}
