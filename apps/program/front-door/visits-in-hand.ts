/** The requests that this process is answering, so that a shutdown can wait for them. */
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { streamBegan } from "#platform/http/stream-events.ts";

export interface VisitsInHand {
  /** A request began; it counts until its response has ended, or until it turns out to be an event stream. */
  begin(res: ServerResponse): void;
  /** An upgraded connection, which its server no longer tracks. */
  upgraded(socket: Duplex): void;
  /** From now on every response closes its connection. */
  leave(): void;
  /** Cuts off the upgraded connections. */
  cutOff(): void;
  /** Resolves when none is left, or after `mostMs`. `onEnd` is called whenever one ends. */
  finished(mostMs: number, onEnd: () => void): Promise<void>;
}

export function createVisitsInHand(): VisitsInHand {
  const inHand = new Set<ServerResponse>();
  const upgraded = new Set<Duplex>();
  let isLeaving = false;
  let onChange: (() => void) | undefined;
  const end = (res: ServerResponse): void => {
    inHand.delete(res);
    onChange?.();
  };
  const endConnection = (res: ServerResponse): void => {
    if (!res.headersSent) res.shouldKeepAlive = false;
  };
  return {
    begin(res) {
      inHand.add(res);
      if (isLeaving) endConnection(res);
      res.once("close", () => end(res)).once(streamBegan, () => end(res));
    },
    upgraded(socket) {
      upgraded.add(socket);
      socket.once("close", () => upgraded.delete(socket));
    },
    cutOff: () => upgraded.forEach((socket) => socket.destroy()),
    leave() {
      isLeaving = true;
      inHand.forEach(endConnection);
    },
    finished(mostMs, onEnd) {
      const done = Promise.withResolvers<void>();
      const timer = setTimeout(done.resolve, mostMs);
      onChange = () => {
        onEnd();
        if (inHand.size === 0) done.resolve();
      };
      onChange();
      return done.promise.finally(() => clearTimeout(timer));
    },
  };
}
