/** One piece of work at a time for each key, such as a user: no one's work of a kind keeps others waiting for more than one piece. */
import { createGate } from "./gate.ts";

type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Throws AppError `unavailable` if `mostWaiting` pieces already wait for this key. Only within this process. */
export function createTurns({ mostWaiting, what }: { mostWaiting: number; what: string }): Turns {
  const lines = new Map<string, { gate: ReturnType<typeof createGate>; callers: number }>();
  return async (key, work) => {
    const line = lines.get(key) ?? { gate: createGate({ atOnce: 1, mostWaiting, what }), callers: 0 };
    lines.set(key, line);
    line.callers += 1;
    try {
      return await line.gate.run(work);
    } finally {
      line.callers -= 1;
      if (line.callers === 0) lines.delete(key);
    }
  };
}
