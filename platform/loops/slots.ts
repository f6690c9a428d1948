/** Limits how much work of one kind runs together. Work that waits for something else releases its slot during the wait. */
interface SlotsOptions {
  most: number;
  /** Work that takes longer than this releases its slot and continues without one; if absent, work keeps its slot to the end. */
  patienceMs?: number;
  /** Called every `patienceMs`: while true, the work keeps its slot anyway. */
  keeps?: (heldMs: number) => boolean;
  /** At most this many run on without a slot; further ones keep theirs. */
  mostOverdue?: number;
  /** Called when a slot is free and nothing is queued. */
  onFree?: () => void;
}

export interface Slot {
  /**
   * Runs `wait` without the slot, then takes a slot again, last in the queue; with `patienceMs`, it gives the slot up only if `wait` takes
   * longer. Once the work has ended, it only runs `wait`.
   */
  outside<T>(wait: () => Promise<T>, patienceMs?: number): Promise<T>;
}

export interface Slots {
  /** How many more could start now. */
  free(): number;
  /** How many wait for a slot. */
  waiting(): number;
  /** Runs the work in a slot, first come, first served. */
  run<T>(work: (slot: Slot) => Promise<T>): Promise<T>;
}

export function createSlots({ most, patienceMs, keeps, mostOverdue = Infinity, onFree }: SlotsOptions): Slots {
  const queue: (() => void)[] = [];
  let taken = 0;
  let overdue = 0;

  function take(): Promise<void> {
    if (taken >= most) return new Promise((resolve) => queue.push(resolve));
    taken += 1;
    return Promise.resolve();
  }
  function give(): void {
    const next = queue.shift();
    if (next) return next();
    taken -= 1;
    onFree?.();
  }

  return {
    free: () => Math.max(0, most - taken - queue.length),
    waiting: () => queue.length,
    async run(work) {
      let place: "in" | "out" | "overdue" = "out";
      let isEnded = false;
      let patience: NodeJS.Timeout | undefined;
      let heldSince = 0;
      const enter = async (): Promise<void> => {
        if (isEnded) return;
        await take();
        // The work may have failed in another part, such as one that runs in parallel to this wait.
        if (isEnded) return give();
        place = "in";
        heldSince = performance.now();
        patience = patienceMs === undefined ? undefined : setInterval(leaveOverdue, patienceMs);
      };
      const leave = (): void => {
        clearInterval(patience);
        if (place === "in") give();
        if (place === "overdue") overdue -= 1;
        place = "out";
      };
      const leaveOverdue = (): void => {
        if (overdue >= mostOverdue || keeps?.(performance.now() - heldSince)) return;
        clearInterval(patience);
        overdue += 1;
        place = "overdue";
        give();
      };
      await enter();
      try {
        return await work({
          async outside(wait, afterMs = 0) {
            if (place !== "in") return wait();
            let hasLeft = false;
            const go = (): void => {
              hasLeft = place === "in";
              if (hasLeft) leave();
            };
            const timer = afterMs > 0 ? setTimeout(go, afterMs) : void go();
            try {
              return await wait();
            } finally {
              clearTimeout(timer);
              if (hasLeft) await enter();
            }
          },
        });
      } finally {
        leave();
        isEnded = true;
      }
    },
  };
}
