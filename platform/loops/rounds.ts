/** Which loops of this process still go round. A loop that waits for an answer that never comes looks from outside as if there were nothing to do. */
import { secondMs } from "../clock.ts";

export interface Round {
  /** The loop looked for work, or asked between two parts of it whether it should end. */
  went(): void;
  /** The loop was stopped on purpose. */
  end(): void;
}

export interface Rounds {
  /** Follows the loop `name`, which goes round every `everyMs` at least, from now on. */
  follow(name: string, everyMs: number): Round;
  /** Names of loops that are overdue, in order. */
  standing(): string[];
}

/** A round may take this long: with the two to five seconds between rounds, one that hangs is named within 20 s. */
const roundTakesMs = 15 * secondMs;

/** `now` in milliseconds, of a clock that nobody sets. */
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
