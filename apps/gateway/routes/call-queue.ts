/**
 * Lets a workspace work on only so many calls at a time. The others wait in the order in which they came, and each is let in
 * when one has been answered: what waited for a start must not all arrive at once and end it again.
 */
import type { GatewayLimits } from "../gateway-limits.ts";

/** Gives the place back; a second time it does nothing. */
export type LeaveCall = () => void;

export interface QueuedCall {
  /**
   * How many places it takes, as its body needs memory. One that needs more than there are is let in alone; until its body has arrived, it
   * takes at most the share for uploads.
   */
  weight: number;
  /** Whether its body is still on its way. */
  isUploading(): boolean;
}

export interface CallQueue {
  /**
   * A place among the workspace's current calls, which weigh at most `atOnce` together: now, or once there is room. "full" if too many wait
   * already; "late" if there was no room within `forMs`, if `gone` was aborted, or if the queue was closed.
   */
  enter(
    workspaceId: string,
    atOnce: number,
    forMs: number,
    gone: AbortSignal,
    call?: QueuedCall,
  ): LeaveCall | "full" | Promise<LeaveCall | "late">;
  /** Ends all waiting. */
  close(): void;
}

interface Waiter {
  readonly call: QueuedCall;
  letIn(leave: LeaveCall): void;
  giveUp(): void;
}

/** The calls of one workspace. */
interface Calls {
  readonly current: Set<QueuedCall>;
  atOnce: number;
  /** In the order in which they came. */
  readonly waiting: Set<Waiter>;
  /** While calls wait whose turn may come without another's end: when a body has arrived. */
  timer: NodeJS.Timeout | null;
}

/** The share of the places for calls whose body is still on its way: senders who take their time must leave room for the others. */
const shareForUploads = 0.5;
const checkUploadsMs = 50;

const plainCall = (): QueuedCall => ({ weight: 1, isUploading: () => false });

export function createCallQueue(limits: Pick<GatewayLimits, "maxWaitingPerWorkspace" | "maxWaiting">): CallQueue {
  const all = new Map<string, Calls>();
  let waiting = 0;

  const callsOf = (workspaceId: string): Calls => {
    const known = all.get(workspaceId);
    if (known) return known;
    const calls: Calls = { current: new Set(), atOnce: 0, waiting: new Set(), timer: null };
    all.set(workspaceId, calls);
    return calls;
  };

  const begin = (workspaceId: string, calls: Calls, call: QueuedCall): LeaveCall => {
    calls.current.add(call);
    return () => {
      if (calls.current.delete(call)) letIn(workspaceId, calls);
    };
  };

  /** The plan may have changed meanwhile: there may be room for several, or for none. */
  const letIn = (workspaceId: string, calls: Calls): void => {
    for (const next of calls.waiting) {
      const turn = turnOf(calls, next.call);
      if (turn === "now") next.letIn(begin(workspaceId, calls, next.call));
      if (turn === "later") break;
    }
    watchUploads(workspaceId, calls);
    if (calls.current.size === 0 && calls.waiting.size === 0) all.delete(workspaceId);
  };

  const watchUploads = (workspaceId: string, calls: Calls): void => {
    if (calls.waiting.size === 0) {
      if (calls.timer) clearInterval(calls.timer);
      calls.timer = null;
    } else calls.timer ??= setInterval(() => letIn(workspaceId, calls), checkUploadsMs).unref();
  };

  return {
    enter(workspaceId, atOnce, forMs, gone, call = plainCall()) {
      const calls = callsOf(workspaceId);
      calls.atOnce = atOnce;
      const isNext = [...calls.waiting].every((other) => turnOf(calls, other.call) === "uploading");
      if (isNext && turnOf(calls, call) === "now") return begin(workspaceId, calls, call);
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
        const giveUp = (): void => {
          end("late");
          // It may have been the one for which the others had to wait.
          letIn(workspaceId, calls);
        };
        const waiter: Waiter = { call, letIn: end, giveUp };
        const timer = setTimeout(waiter.giveUp, Math.max(0, forMs));
        gone.addEventListener("abort", waiter.giveUp);
        calls.waiting.add(waiter);
        watchUploads(workspaceId, calls);
      });
    },
    close: () => all.forEach((calls) => [...calls.waiting].forEach(({ giveUp }) => giveUp())),
  };
}

/** "uploading": it must wait for other uploads, and others may overtake it. "later": it is next as soon as there is room. */
function turnOf({ current, atOnce }: Calls, call: QueuedCall): "now" | "uploading" | "later" {
  const mostUploads = Math.max(1, atOnce * shareForUploads);
  const isUploading = call.isUploading();
  let taken = 0;
  let uploads = 0;
  for (const other of current) {
    if (other.isUploading()) uploads += Math.min(other.weight, mostUploads);
    else taken += other.weight;
  }
  const weight = isUploading ? Math.min(call.weight, mostUploads) : call.weight;
  if (isUploading && uploads > 0 && uploads + weight > mostUploads) return "uploading";
  return current.size === 0 || taken + uploads + weight <= atOnce ? "now" : "later";
}
