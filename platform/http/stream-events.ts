/** Server-sent events: the current state immediately, and again after each change. */
import type { FastifyReply, FastifyRequest } from "fastify";

export interface EventSource<State> {
  event: string;
  /** The current state; null if the client may no longer know it, which ends the stream. */
  read(): Promise<State | null>;
  /** Calls back after changes, and when the source ends, until the returned function is called. */
  follow(onChange: () => void, onEnd: () => void): () => void;
  /** Called once when the stream is over, even if the client left before it began. */
  left?(): void;
}

/** Emitted on the response once it is a stream: it may stay open as long as the client wants. */
export const streamBegan = Symbol("stream began");

/** Some proxies close a silent connection after 30 s, most after 60 s. */
const heartbeatMs = 15_000;

/**
 * Streams until the client disconnects. Changes during a read are combined into one more read,
 * so that a fast writer never queues work for a slow reader.
 */
export async function streamEvents<State>(request: FastifyRequest, reply: FastifyReply, source: EventSource<State>): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  // The caller was looked up first. If the client left meanwhile, no event will say so any more, and it would be followed without end.
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
  // With each heartbeat the state is read again: an ended session ends the stream, an unannounced change is seen.
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
