/** Follows the workspace by the API's stream of events, and on SPEC's polling schedule from the stream's first failure until it speaks again. */
import type { Instance } from "#contract/workspace.ts";
import { runPolls, type PollOutcome } from "./polling-schedule.ts";

export type WatchTrouble = Extract<PollOutcome, "failed" | "timed-out">;

/** The part of an EventSource that is listened to. */
export type EventStream = Pick<EventSource, "addEventListener" | "close">;

export interface WatchOptions {
  openStream: () => EventStream;
  accept: (instance: Instance) => void;
  /** Asks once; true when the workspace is online. */
  poll: () => Promise<boolean>;
  /** Why what is shown may be old; null when it is not. */
  onTrouble: (trouble: WatchTrouble | null) => void;
}

/** Watches until the returned function is called. */
export function watchWorkspace({ openStream, accept, poll, onTrouble }: WatchOptions): () => void {
  const stream = openStream();
  let polling: AbortController | null = null;
  const stopPolling = () => {
    polling?.abort();
    polling = null;
    onTrouble(null);
  };
  const pollUntilSettled = async (signal: AbortSignal) => {
    const outcome = await runPolls({ poll, wait, signal });
    if (!signal.aborted && (outcome === "failed" || outcome === "timed-out")) onTrouble(outcome);
  };
  stream.addEventListener("open", stopPolling);
  stream.addEventListener("instance", (event: Event) => {
    stopPolling();
    accept(JSON.parse((event as MessageEvent<string>).data) as Instance);
  });
  stream.addEventListener("error", () => {
    // One run at a time: the stream tries again by itself, and fails again, while this one goes on.
    if (polling) return;
    const { signal } = (polling = new AbortController());
    void pollUntilSettled(signal);
  });
  return () => {
    polling?.abort();
    stream.close();
  };
}

const wait = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs));
