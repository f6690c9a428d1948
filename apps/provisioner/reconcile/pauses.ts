/** Pauses between two passes over a workspace in hand: they keep its lease, but no slot. */
import { setTimeout as sleep } from "node:timers/promises";

/** A launch ends at most this long after the workspace answers. */
const askEveryMs = 100;

interface Sooner {
  until?: (() => Promise<boolean>) | undefined;
  told?: Promise<void> | undefined;
}

interface Pauses {
  /**
   * Resolves with false after `mostMs`, or with true as soon as `until` resolves to true, `told` resolves or the pause is ended. A pending
   * `until` is awaited first.
   */
  pause(id: string, mostMs: number, sooner?: Sooner): Promise<boolean>;
  end(id: string): void;
  /** Ends current and future pauses. */
  endAll(): void;
}

export function createPauses(): Pauses {
  const underWay = new Map<string, AbortController>();
  let isOver = false;
  return {
    async pause(id, mostMs, { until, told } = {}) {
      const ending = new AbortController();
      const { signal } = ending;
      underWay.set(id, ending);
      void told?.then(() => ending.abort());
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
