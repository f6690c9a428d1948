/** Tracks whether this process's loops still run. From outside, a loop that waits for an answer that never comes looks idle. */
import { secondMs } from "../clock.ts";

export interface Round {
  /** The loop looked for work, or checked between two parts of it whether it should end. */
  went(): void;
  /** The loop was stopped on purpose. */
  end(): void;
}

export interface Rounds {
  /** Follows the loop `name`, which runs at least every `everyMs`, from now on. */
  follow(name: string, everyMs: number): Round;
  /** Names of overdue loops, in order. */
  standing(): string[];
}

/** The longest round: with the two to five seconds between rounds, a hanging loop is named within 20 s. */
const roundTakesMs = 15 * secondMs;

/** `now` in milliseconds, from a clock that is never set. */
export function createRounds(now: () => number = () => performance.now(), takesMs = roundTakesMs): Rounds {
  const overdueAt = new Map<string, number>();
  return {
    follow(name, everyMs) {
      const went = (): void => void overdueAt.set(name, now() + everyMs + takesMs);
      went();
      return { went, end: () => void overdueAt.delete(name) };
    },
    standing: () =>
      [...overdueAt]
        .filter(([, at]) => now() > at)
        .map(([name]) => name)
        .toSorted(),
  };
}
