/**
 * Lets a workspace work on only so many calls of its webhooks at a time. The others wait in the order in which they came, and each is let in
 * when one has been answered: what waited for a start must not all arrive at once and end it again.
 */
import type { GatewayLimits } from "../gateway-limits.ts";

/** Gives the place back; a second time it does nothing. */
export type LeaveCall = () => void;

export interface CallQueue {
  /**
   * A place among the workspace's current calls, of which there are at most `atOnce`: now, or once one is free. "full" if too many wait
   * already; "late" if none became free within `forMs`, if `gone` was aborted, or if the queue was closed.
   */
  enter(workspaceId: string, atOnce: number, forMs: number, gone: AbortSignal): LeaveCall | "full" | Promise<LeaveCall | "late">;
  /** Ends all waiting. */
  close(): void;
}

interface Waiter {
  letIn(leave: LeaveCall): void;
  giveUp(): void;
}

/** The calls of one workspace. */
interface Calls {
  current: number;
  atOnce: number;
  /** In the order in which they came. */
  readonly waiting: Set<Waiter>;
}

export function createCallQueue(limits: Pick<GatewayLimits, "maxWaitingPerWorkspace" | "maxWaiting">): CallQueue {
  const all = new Map<string, Calls>();
  let waiting = 0;

  const callsOf = (workspaceId: string): Calls => {
    const known = all.get(workspaceId);
    if (known) return known;
    const calls: Calls = { current: 0, atOnce: 0, waiting: new Set() };
    all.set(workspaceId, calls);
    return calls;
  };

  const begin = (workspaceId: string, calls: Calls): LeaveCall => {
    calls.current += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      calls.current -= 1;
      // The plan may have changed meanwhile: there may be room for several, or for none.
      for (const next of calls.waiting) {
        if (calls.current >= calls.atOnce) break;
        next.letIn(begin(workspaceId, calls));
      }
      if (calls.current === 0 && calls.waiting.size === 0) all.delete(workspaceId);
    };
  };

  return {
    enter(workspaceId, atOnce, forMs, gone) {
      const calls = callsOf(workspaceId);
      calls.atOnce = atOnce;
      if (calls.current < atOnce && calls.waiting.size === 0) return begin(workspaceId, calls);
      // Bounded by the number of free places, so that no workspace's storm takes those of all others.
      if (calls.waiting.size >= Math.min(limits.maxWaitingPerWorkspace, limits.maxWaiting - waiting)) return "full";
      waiting += 1;
      return new Promise((resolve) => {
        const end = (result: LeaveCall | "late"): void => {
          clearTimeout(timer);
          gone.removeEventListener("abort", waiter.giveUp);
          calls.waiting.delete(waiter);
          waiting -= 1;
          resolve(result);
        };
        const waiter: Waiter = { letIn: end, giveUp: () => end("late") };
        const timer = setTimeout(waiter.giveUp, Math.max(0, forMs));
        gone.addEventListener("abort", waiter.giveUp);
        calls.waiting.add(waiter);
      });
    },
    close: () => all.forEach((calls) => calls.waiting.forEach(({ giveUp }) => giveUp())),
  };
}
