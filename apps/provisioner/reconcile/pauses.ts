/** Pauses between two passes over a workspace that stays in hand: they hold its lease, and no slot. */
import { setTimeout as sleep } from "node:timers/promises";

/** A launch is over this much after the workspace answers, at most. */
const askEveryMs = 100;

export interface Pauses {
  /**
   * Resolves after `mostMs` with false, or with true as soon as `until` answers true or the pause is ended. A question that is still open
   * by then is waited for.
   */
  pause(id: string, mostMs: number, until?: () => Promise<boolean>): Promise<boolean>;
  end(id: string): void;
  /** Ends those under way, and all to come. */
  endAll(): void;
}

export function createPauses(): Pauses {
  const underWay = new Map<string, AbortController>();
  let isOver = false;
  return {
    async pause(id, mostMs, until) {
      const ending = new AbortController();
      const { signal } = ending;
      underWay.set(id, ending);
      const endsAt = performance.now() + mostMs;
      try {
        for (;;) {
          const left = endsAt - performance.now();
          if (isOver || signal.aborted) return true;
          if (left <= 0) return false;
          await sleep(Math.min(until ? askEveryMs : Infinity, left), undefined, { signal }).catch(() => undefined);
          if (until && !isOver && !signal.aborted && (await until())) return true;
        }
      } finally {
        underWay.delete(id);
      }
    },
    end: (id) => underWay.get(id)?.abort(),
    endAll() {
      isOver = true;
      for (const each of underWay.values()) each.abort();
    },
  };
}
