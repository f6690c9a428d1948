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
  // Two loops of one name are followed separately: neither hides that the other hangs.
  const followed = new Set<{ name: string; overdueAt: number }>();
  return {
    follow(name, everyMs) {
      const loop = { name, overdueAt: 0 };
      const went = (): void => void (loop.overdueAt = now() + everyMs + takesMs);
      went();
      followed.add(loop);
      return { went, end: () => void followed.delete(loop) };
    },
    standing: () => [...new Set([...followed].filter(({ overdueAt }) => now() > overdueAt).map(({ name }) => name))].toSorted(),
  };
}
