/**
 * Node-RED listens before its flows run, so an early webhook would get "not found". It counts as ready only when its flows run, or when it
 * has said why they will not.
 */
import { connect } from "node:net";
import type { Events } from "./internals.mts";

/** After this time it counts as ready anyway: its owner needs the editor to see why. */
const mostMs = 30_000;

/** Whether its flows have started, or will not for now. Calls `onEnd` once that is so. */
export function watchFirstStart(events: Events, onEnd: () => void): () => boolean {
  let isOver = false;
  const end = (): void => {
    if (!isOver) onEnd();
    isOver = true;
  };
  events.on("flows:started", end);
  // With a payload it reports missing nodes, unreadable credentials or stopped flows.
  events.on("runtime-event", ({ id, payload }) => {
    if (id === "runtime-state" && payload) end();
  });
  setTimeout(end, mostMs).unref();
  return () => isOver;
}

/** Calls back once a server listens there: on a slow machine, flows can start before Node-RED listens. */
export function onceListening(port: number, host: string, call: () => void): void {
  const socket = connect(port, host);
  socket.once("connect", () => {
    socket.destroy();
    call();
  });
  socket.once("error", () => setTimeout(onceListening, 50, port, host, call).unref());
}
