/**
 * Lets a workspace work on only so many calls at a time. The others wait in the order in which they came, and each is let in
 * when one has been answered: what waited for a start must not all arrive at once and end it again.
 */
import type { GatewayLimits } from "../gateway-limits.ts";
import { slowestOf, type SlowReader } from "../upstream/slow-reader.ts";
import { refuseUnlessArrived, shareForUploads, waitsBeyondShare, type Upload } from "./uploads.ts";

/** Gives the place back; a second time it does nothing. */
export type LeaveCall = () => void;

export interface QueuedCall extends Upload {
  /**
   * How many places it takes, as its body needs memory; it may change until the body has arrived. A call that needs more than there are is
   * let in alone, and until its body has arrived, it takes at most the share for uploads.
   */
  weight(): number;
  /** Its caller, once its workspace had to wait until that has read the answer. */
  slowReader?(): SlowReader | null;
}

export interface CallQueue {
  /**
   * A place among the current calls under this key, which weigh at most `atOnce` together: now, or once there is room. "full" if too many
   * wait already; "late" if there was no room within `forMs`, if `gone` was aborted, or if the queue was closed.
   */
  enter(key: string, atOnce: number, forMs: number, gone: AbortSignal, call?: QueuedCall): LeaveCall | "full" | Promise<LeaveCall | "late">;
  /** Ends all waiting. */
  close(): void;
}

interface Waiter {
  readonly upload: QueuedCall;
  letIn(leave: LeaveCall): void;
  giveUp(): void;
}

/** The calls under one key. */
interface Calls {
  readonly current: Set<QueuedCall>;
  atOnce: number;
  /** In the order in which they came. */
  readonly waiting: Set<Waiter>;
  /** While calls wait whose turn may come without another's end: when a body has arrived. */
  timer: NodeJS.Timeout | null;
}

const checkUploadsMs = 50;
/** Beside the places, for all short bodies together: as many short calls are let in as there are places. */
const slackShare = 1 / 64;

/** Of the places, for calls whose answer is read slowly, when others wait. */
const shareForSlowReaders = 0.5;

export function createCallQueue(limits: Pick<GatewayLimits, "maxWaitingPerWorkspace" | "maxWaiting">): CallQueue {
  const all = new Map<string, Calls>();
  let waiting = 0;

  const callsOf = (key: string): Calls => {
    const known = all.get(key);
    if (known) return known;
    const calls: Calls = { current: new Set(), atOnce: 0, waiting: new Set(), timer: null };
    all.set(key, calls);
    return calls;
  };

  const begin = (key: string, calls: Calls, call: QueuedCall): LeaveCall => {
    calls.current.add(call);
    return () => {
      if (calls.current.delete(call)) letIn(key, calls);
    };
  };

  /** The plan may have changed meanwhile: there may be room for several, or for none. */
  const letIn = (key: string, calls: Calls): void => {
    const take = roomOf(calls);
    for (const next of calls.waiting) {
      const turn = take(next.upload);
      if (turn === "now") next.letIn(begin(key, calls, next.upload));
      if (turn !== "later") continue;
      makeRoom(calls);
      break;
    }
    if (calls.waiting.size > 0) calls.timer ??= setInterval(() => letIn(key, calls), checkUploadsMs).unref();
    else if (calls.timer) {
      clearInterval(calls.timer);
      calls.timer = null;
    }
    if (calls.current.size === 0 && calls.waiting.size === 0) all.delete(key);
  };

  return {
    enter(key, atOnce, forMs, gone, call = { weight: () => 1, isUploading: () => false }) {
      const calls = callsOf(key);
      calls.atOnce = atOnce;
      const take = roomOf(calls);
      if (mayOvertake(calls.waiting, take) && take(call) === "now") return begin(key, calls, call);
      // Bounded by the number of free places, so that no workspace's storm takes those of all others.
      const places = Math.min(limits.maxWaitingPerWorkspace, limits.maxWaiting - waiting);
      if (calls.waiting.size >= places) return "full";
      waiting += 1;
      return new Promise((resolve) => {
        const end = (result: LeaveCall | "late"): void => {
          clearTimeout(timer);
          clearTimeout(arrival);
          gone.removeEventListener("abort", giveUp);
          calls.waiting.delete(waiter);
          waiting -= 1;
          resolve(result);
        };
        const giveUp = (): void => {
          if (!calls.waiting.has(waiter)) return;
          end("late");
          // It may have been the one for which the others had to wait.
          letIn(key, calls);
        };
        const waiter: Waiter = { upload: call, letIn: end, giveUp };
        const timer = setTimeout(giveUp, Math.max(0, forMs));
        const arrival = waitsBeyondShare(call, calls.waiting, places) ? refuseUnlessArrived(call, giveUp) : undefined;
        gone.addEventListener("abort", giveUp);
        calls.waiting.add(waiter);
        letIn(key, calls);
      });
    },
    close: () => all.forEach((calls) => [...calls.waiting].forEach(({ giveUp }) => giveUp())),
  };
}

function mayOvertake(waiting: Iterable<Waiter>, take: (call: QueuedCall) => Turn): boolean {
  for (const { upload } of waiting) if (take(upload) !== "uploading") return false;
  return true;
}

/** "uploading": it must wait for other uploads, and others may overtake it. "later": it is next as soon as there is room. */
type Turn = "now" | "uploading" | "later";

/** The workspace holds what its callers have not read yet. If more than their share of the places is for that, the slowest loses its answer. */
function makeRoom({ current, atOnce }: Calls): void {
  const readers: SlowReader[] = [];
  let taken = 0;
  for (const call of current) {
    const reader = call.slowReader?.() ?? null;
    if (reader === null || reader.slowRate() === null) continue;
    readers.push(reader);
    taken += call.weight();
  }
  if (taken > atOnce * shareForSlowReaders) slowestOf(readers)?.breakOff();
}

/** What is free now. The function that it returns takes a call's part of it if it is the call's turn. */
function roomOf({ current, atOnce }: Calls): (call: QueuedCall) => Turn {
  const mostUploads = Math.max(1, atOnce * shareForUploads);
  const weigh = (call: QueuedCall, isUploading: boolean): number => (isUploading ? Math.min(call.weight(), mostUploads) : call.weight());
  const slack = atOnce * slackShare;
  let taken = 0;
  let uploads = 0;
  for (const call of current) {
    const isUploading = call.isUploading();
    const weight = weigh(call, isUploading);
    taken += weight;
    if (isUploading) uploads += weight;
  }
  return (call) => {
    const isUploading = call.isUploading();
    const weight = weigh(call, isUploading);
    if (isUploading && uploads > 0 && uploads + weight > mostUploads + slack) return "uploading";
    if (taken > 0 && taken + weight > atOnce + slack) return "later";
    taken += weight;
    if (isUploading) uploads += weight;
    return "now";
  };
}
