/** Tracks whether this process's loops still run. From outside, a loop that waits for an answer that never comes looks idle. */
import { secondMs } from "../clock.ts";

export interface Round {
  /** The loop looked for work, or checked between two parts of it whether it should end. */
  went(): void;
  /** One look for work ended, with or without an error: what counts as a success is what the loop itself did not report as a failure. */
  ended(isOk: boolean): void;
  /** The loop was stopped on purpose. */
  end(): void;
}

/** What a loop of this process has achieved since it began. */
export interface LoopState {
  name: string;
  /** Seconds since its newest round without an error, or since it began. */
  successSeconds: number;
  /** Rounds that ended with an error. */
  failures: number;
}

export interface Rounds {
  /** Follows the loop `name`, which runs at least every `everyMs`, from now on. */
  follow(name: string, everyMs: number): Round;
  /** Names of overdue loops, in order. */
  standing(): string[];
  /** Every loop by its name; of several with one name, the longest success and all failures. */
  loops(): LoopState[];
}

/** The longest round: with the two to five seconds between rounds, a hanging loop is named within 20 s. */
const roundTakesMs = 15 * secondMs;

/** `now` in milliseconds, from a clock that is never set. */
export function createRounds(now: () => number = () => performance.now(), takesMs = roundTakesMs): Rounds {
  // Two loops of one name are followed separately: neither hides that the other hangs.
  const followed = new Set<{ name: string; overdueAt: number; okAt: number; failures: number }>();
  return {
    follow(name, everyMs) {
      const loop = { name, overdueAt: 0, okAt: now(), failures: 0 };
      const went = (): void => void (loop.overdueAt = now() + everyMs + takesMs);
      went();
      followed.add(loop);
      const ended = (isOk: boolean): void => {
        went();
        if (isOk) loop.okAt = now();
        else loop.failures += 1;
      };
      return { went, ended, end: () => void followed.delete(loop) };
    },
    standing: () => [...new Set([...followed].filter(({ overdueAt }) => now() > overdueAt).map(({ name }) => name))].toSorted(),
    loops() {
      const byName = new Map<string, LoopState>();
      for (const { name, okAt, failures } of followed) {
        const known = byName.get(name);
        const successSeconds = Math.max(known?.successSeconds ?? 0, (now() - okAt) / secondMs);
        byName.set(name, { name, successSeconds, failures: (known?.failures ?? 0) + failures });
      }
      return [...byName.values()];
    },
  };
}
