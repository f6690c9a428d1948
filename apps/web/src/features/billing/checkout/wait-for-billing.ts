/** After a checkout or a resubscription the user is reloaded, up to 15 times, until the subscription is active. */

export const mostTries = 15;
const longestSeconds = 15;

/** How long to wait before attempt `attempt` (counted from 0), in seconds; `random` is from 0 to 1. */
export const waitSeconds = (attempt: number, random: number): number => Math.min(1 + 1.1 * attempt + 2 * random, longestSeconds);

export type WaitOutcome = "active" | "still-waiting" | "stopped";

interface Waiting {
  /** Reads the user; true when billing is active. A failure counts as an attempt. */
  isActive: () => Promise<boolean>;
  wait: (ms: number) => Promise<void>;
  signal: AbortSignal;
  random?: () => number;
  onTry?: (attempt: number) => void;
}

/** Waits on that schedule; never rejects. */
export async function waitForBilling({ isActive, wait, signal, random = Math.random, onTry }: Waiting): Promise<WaitOutcome> {
  for (let attempt = 0; attempt < mostTries; attempt += 1) {
    await wait(waitSeconds(attempt, random()) * 1_000);
    if (signal.aborted) return "stopped";
    onTry?.(attempt + 1);
    // A failed call is not an answer: the next attempt may get one.
    if (await isActive().catch(() => false)) return "active";
    if (signal.aborted) return "stopped";
  }
  return "still-waiting";
}
