/**
 * Holds requests that arrive while their workspace wakes or starts, so that a webhook sent during a restart is late but
 * not lost. Limited per workspace and in total: a waiting request costs a socket, and its body stays unread.
 */
import { secondMs } from "#platform/clock.ts";
import { isComing } from "../admission.ts";
import type { GatewayLimits } from "../gateway-limits.ts";
import type { GatewayRoute } from "./gateway-route.ts";
import type { RouteTable } from "./route-table.ts";
import { refuseUnlessArrived, waitsBeyondShare, type Upload } from "./uploads.ts";

interface WaitingRoomOptions {
  routes: RouteTable;
  limits: Pick<GatewayLimits, "maxWaitMs" | "maxWaitingPerWorkspace" | "maxWaiting">;
  /** How often the route is read when there is no notification. */
  pollMs?: number;
}

export interface WaitingRoom {
  /**
   * Resolves with the route once it is no longer asleep or starting, the `known` one as starting when the time is up, null when the
   * workspace is gone, or "full" if too many requests are waiting, or too many whose body is on its way. `signal` gives up the place. Even
   * for a workspace that is known as online the route is read again before requests continue, because it may have died unnoticed.
   */
  wait(
    accountName: string,
    known: GatewayRoute,
    signal: AbortSignal,
    forMs?: number,
    upload?: Upload | null,
  ): Promise<GatewayRoute | null | "full">;
  /** Reads the route now, because something changed. */
  wake(accountName: string): void;
  wakeAll(): void;
  /** Releases every request as if its time were up. */
  close(): void;
}

interface Waiter {
  readonly upload: Upload | null;
  leave(route: GatewayRoute | null | "full"): void;
  /** Leaves without news. */
  giveUp(): void;
}

export function createWaitingRoom({ routes, limits, pollMs = secondMs }: WaitingRoomOptions): WaitingRoom {
  const queues = new Map<string, Queue>();
  let waiting = 0;

  const queueOf = (accountName: string): Queue => {
    const known = queues.get(accountName);
    if (known !== undefined) return known;
    const queue = new Queue(() => routes.refresh(accountName), pollMs);
    queues.set(accountName, queue);
    return queue;
  };

  return {
    wait(accountName, known, signal, forMs = limits.maxWaitMs, upload = null) {
      const before = queues.get(accountName)?.waiters.size ?? 0;
      // Bounded by the number of free places, so that workspaces that are slow to wake, however many, leave room for the first request to
      // another.
      const places = Math.min(limits.maxWaitingPerWorkspace, limits.maxWaiting - waiting);
      if (before >= places) return Promise.resolve("full");
      const queue = queueOf(accountName);
      waiting += 1;
      return new Promise((resolve) => {
        const leave = (route: GatewayRoute | null | "full"): void => {
          if (!queue.waiters.has(waiter)) return;
          clearTimeout(timer);
          clearTimeout(arrival);
          signal.removeEventListener("abort", giveUp);
          waiting -= 1;
          queue.waiters.delete(waiter);
          if (queue.waiters.size === 0) {
            queue.stop();
            queues.delete(accountName);
          }
          resolve(route);
        };
        const giveUp = (): void => leave({ ...known, state: "starting", address: null, open: false });
        const waiter: Waiter = { upload, leave, giveUp };
        const timer = setTimeout(giveUp, Math.max(0, forMs));
        const arrival = waitsBeyondShare(upload, queue.waiters, places) ? refuseUnlessArrived(upload, () => leave("full")) : undefined;
        signal.addEventListener("abort", giveUp);
        queue.waiters.add(waiter);
      });
    },
    wake: (accountName) => queues.get(accountName)?.look(),
    wakeAll: () => queues.forEach((queue) => queue.look()),
    close: () => queues.forEach((queue) => queue.waiters.forEach(({ giveUp }) => giveUp())),
  };
}

/** The requests waiting for one workspace, and the one reader that they share. */
class Queue {
  readonly waiters = new Set<Waiter>();
  readonly #read: () => Promise<GatewayRoute | null>;
  readonly #timer: NodeJS.Timeout;
  #isLooking = false;
  #lookAgain = false;

  constructor(read: () => Promise<GatewayRoute | null>, pollMs: number) {
    this.#read = read;
    this.#timer = setInterval(() => this.look(), pollMs);
  }

  look(): void {
    if (this.#isLooking) {
      // The running read may have missed the change.
      this.#lookAgain = true;
      return;
    }
    this.#isLooking = true;
    void this.#lookOnce();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #lookOnce(): Promise<void> {
    try {
      const route = await this.#read();
      if (!isComing(route)) this.waiters.forEach(({ leave }) => leave(route));
    } catch {
      // The database is unreachable: a later read may succeed, and each request keeps its own time limit.
    }
    this.#isLooking = false;
    if (!this.#lookAgain) return;
    this.#lookAgain = false;
    if (this.waiters.size > 0) this.look();
  }
}
