/** Every 5 s for the first 12 polls, then every 15 s, at most 28 polls, one run at a time. */
const quickPolls = 12;
const quickMs = 5_000;
const slowMs = 15_000;
const mostPolls = 28;

/** How long to wait before the next poll when `done` of them are over; null when that was the last one. */
export function pollDelayMs(done: number): number | null {
  if (done >= mostPolls) return null;
  return done < quickPolls ? quickMs : slowMs;
}

export type PollOutcome = "settled" | "failed" | "timed-out" | "stopped";

interface Polling {
  /** Polls once; true when there is nothing left to wait for. */
  poll: () => Promise<boolean>;
  wait: (delayMs: number) => Promise<void>;
  signal: AbortSignal;
}

/** Polls on the schedule until the workspace has settled, a poll fails, the polls are used up, or it is stopped. */
export async function runPolls({ poll, wait, signal }: Polling): Promise<PollOutcome> {
  for (let done = 0; ; done++) {
    const delayMs = pollDelayMs(done);
    if (delayMs === null) return "timed-out";
    await wait(delayMs);
    if (signal.aborted) return "stopped";
    try {
      if (await poll()) return "settled";
    } catch {
      return signal.aborted ? "stopped" : "failed";
    }
  }
}
