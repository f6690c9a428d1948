/** Server-sent events: the current state immediately, and again after each change. */
import type { FastifyReply, FastifyRequest } from "fastify";

interface EventSource<State> {
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

export interface EventStream {
  send(event: string, data: string): void;
  /** More is on its way to the client than it has read for a while. */
  readonly isBehind: boolean;
  /** Ends it now; what the client has not read yet may still reach it for two seconds. */
  end(): void;
  /** Called once when the stream is over: it was ended, or the client has left. */
  onEnd(ended: () => void): void;
  /** Called every 15 s, in which the client is told that the stream is alive. */
  onBeat(beat: () => void): void;
}

/** What a client may have left unread: two seconds of a slow line. */
const mostUnreadBytes = 512 * 1024;

/** As long as a slow line needs for them. A client that does not read would otherwise keep its connection as long as it likes. */
const readOutMs = 2_000;

/** Begins a stream of events; null if the client has left. */
export function openEventStream(reply: FastifyReply): EventStream | null {
  reply.hijack();
  const { raw } = reply;
  // The caller was looked up first. If the client has left since, no event will say so any more, and it would be followed forever.
  if (raw.destroyed) return null;
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
  const beats: (() => void)[] = [];
  const heartbeat = setInterval(() => {
    write(": still here\n\n");
    for (const beat of beats) beat();
  }, heartbeatMs);
  const endings: (() => void)[] = [];
  let isOver = false;
  const over = (): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(heartbeat);
    for (const ended of endings) ended();
  };
  raw.on("close", over);
  return {
    send: (event, data) => write(`event: ${event}\ndata: ${data}\n\n`),
    get isBehind() {
      return raw.writableLength > mostUnreadBytes;
    },
    end() {
      if (raw.destroyed || raw.writableEnded) return;
      const timer = setTimeout(() => raw.destroy(), readOutMs);
      raw.on("close", () => clearTimeout(timer));
      raw.end();
      // Its place is free now: the connection closes when the client has read everything, which may never happen.
      over();
    },
    onEnd: (ended) => void (isOver ? ended() : endings.push(ended)),
    onBeat: (beat) => void beats.push(beat),
  };
}

/**
 * Streams until the client disconnects. Changes during a read are combined into one more read,
 * so that a fast writer never queues work for a slow reader.
 */
export async function streamEvents<State>(request: FastifyRequest, reply: FastifyReply, source: EventSource<State>): Promise<void> {
  const stream = openEventStream(reply);
  if (!stream) return source.left?.();
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
        if (state === null) return stream.end();
        const data = JSON.stringify(state);
        if (data !== last) stream.send(source.event, data);
        last = data;
      } while (again);
    } catch (error) {
      request.log.warn({ err: error }, "an event stream could not read its state");
      stream.end();
    } finally {
      reading = false;
    }
  };
  const unfollow = source.follow(() => void send(), stream.end);
  // With each heartbeat the state is read again: an ended session ends the stream, an unannounced change is seen.
  stream.onBeat(() => void send());
  stream.onEnd(() => {
    unfollow();
    source.left?.();
  });
  await send();
}
