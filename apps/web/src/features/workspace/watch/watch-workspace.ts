/**
 * Follows the workspace through the API's event stream, and by polling until the stream delivers: a proxy may cut the stream or delay it
 * without an error.
 */
import type { Instance } from "#contract/workspaces/workspace.ts";
import { runPolls, type PollOutcome } from "./polling-schedule.ts";

export type WatchTrouble = Extract<PollOutcome, "failed" | "timed-out">;

/** The parts of an EventSource that are used here. */
export type EventStream = Pick<EventSource, "addEventListener" | "close" | "readyState">;

/** `EventSource.CLOSED`: it was refused, and the browser does not open it again. It does after a lost connection. */
const closed = 2;
/** As the service asks of a session that has too many streams. */
const refusedMs = 60_000;

interface WatchOptions {
  page: Pick<Document, "visibilityState" | "addEventListener" | "removeEventListener">;
  openStream: () => EventStream;
  accept: (instance: Instance) => void;
  /** Polls once; true when the workspace is online. */
  poll: () => Promise<boolean>;
  /** Why the data shown may be old; null if it is not. */
  onTrouble: (trouble: WatchTrouble | null) => void;
}

/**
 * Opens the stream, starts a run of polls that ends with the stream's first event, and watches until the returned function is called. A
 * refused stream is opened again after a minute. Hidden pages have no stream, because a browser opens six connections to one address at
 * most: with as many tabs, no call of any would be answered. A stream begins with the workspace, so it is current again on return.
 */
export function watchWorkspace({ page, openStream, accept, poll, onTrouble }: WatchOptions): () => void {
  let stream: EventStream | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let polling: AbortController | null = null;
  const startPolling = async () => {
    // One run at a time: the browser reopens a lost stream, which may fail again during the run.
    if (polling) return;
    const { signal } = (polling = new AbortController());
    const outcome = await runPolls({ poll, wait, signal });
    // The next failure of the stream may hide another change.
    if (!signal.aborted && outcome === "settled") polling = null;
    if (!signal.aborted && (outcome === "failed" || outcome === "timed-out")) onTrouble(outcome);
  };
  const stopPolling = () => {
    polling?.abort();
    polling = null;
  };
  const open = () => {
    stream = openStream();
    stream.addEventListener("instance", (event: Event) => {
      stopPolling();
      onTrouble(null);
      accept(JSON.parse((event as MessageEvent<string>).data) as Instance);
    });
    stream.addEventListener("error", () => {
      void startPolling();
      if (stream?.readyState === closed) reopening = setTimeout(open, refusedMs);
    });
  };
  const end = () => {
    stopPolling();
    clearTimeout(reopening);
    stream?.close();
    stream = undefined;
  };
  const follow = () => {
    end();
    if (page.visibilityState !== "visible") return;
    open();
    void startPolling();
  };
  follow();
  page.addEventListener("visibilitychange", follow);
  return () => {
    page.removeEventListener("visibilitychange", follow);
    end();
  };
}

const wait = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs));
