/**
 * Node-RED listens before its flows run: a webhook that came between the two would be told that there is none. Until they run, or
 * Node-RED has said why they will not, it is not ready.
 */
import type { Events } from "./internals.mts";

/** One that says neither is let in all the same: its owner needs the editor to see why. */
const mostMs = 30_000;

/** Whether its flows have begun, or will not for now. */
export function watchFirstStart(events: Events): () => boolean {
  let isOver = false;
  const end = (): void => void (isOver = true);
  events.on("flows:started", end);
  // With a payload it speaks of missing nodes, of credentials that cannot be read, of flows that were stopped.
  events.on("runtime-event", ({ id, payload }) => {
    if (id === "runtime-state" && payload) end();
  });
  setTimeout(end, mostMs).unref();
  return () => isOver;
}
