/**
 * Holds requests that arrive while their workspace starts, so that a webhook sent during a restart is late and
 * not lost. Bounded for each workspace and in all: a waiting request costs a socket, and its body stays unread.
 */
import { secondMs } from "#platform/clock.ts";
import { isStarting } from "../admission.ts";
import type { GatewayLimits } from "../gateway-limits.ts";
import type { GatewayRoute } from "./gateway-route.ts";
import type { RouteTable } from "./route-table.ts";

export interface WaitingRoomOptions {
  routes: RouteTable;
  limits: Pick<GatewayLimits, "maxWaitMs" | "maxWaitingPerWorkspace" | "maxWaiting">;
  /** How often the route is read while nobody tells us of a change. */
  pollMs?: number;
}

export interface WaitingRoom {
  /**
   * The route once it is no longer starting, a starting one when the time is up, null when there is no workspace
   * any more, "full" at once when too many wait already. `signal` gives the place up. A workspace that is said to be online is
   * looked at once more before anybody goes on: it may have died without a word.
   */
  wait(accountName: string, signal: AbortSignal, forMs?: number): Promise<GatewayRoute | null | "full">;
  /** Looks again at once, because something changed. */
  wake(accountName: string): void;
  wakeAll(): void;
  /** Sends everybody on, still starting. */
  close(): void;
}

type Leave = (route: GatewayRoute | null) => void;

/** What those who leave without news are told. */
const stillStarting: GatewayRoute = { workspaceId: "", state: "starting", address: null, open: false };

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
    wait(accountName, signal, forMs = limits.maxWaitMs) {
      const before = queues.get(accountName)?.waiters.size ?? 0;
      if (before >= limits.maxWaitingPerWorkspace || waiting >= limits.maxWaiting) return Promise.resolve("full");
      const queue = queueOf(accountName);
      waiting += 1;
      return new Promise((resolve) => {
        const leave: Leave = (route) => {
          clearTimeout(timer);
          signal.removeEventListener("abort", giveUp);
          waiting -= 1;
          queue.waiters.delete(leave);
          if (queue.waiters.size === 0) {
            queue.stop();
            queues.delete(accountName);
          }
          resolve(route);
        };
        const giveUp = () => leave(stillStarting);
        const timer = setTimeout(giveUp, Math.max(0, forMs));
        signal.addEventListener("abort", giveUp);
        queue.waiters.add(leave);
      });
    },
    wake: (accountName) => queues.get(accountName)?.look(),
    wakeAll: () => queues.forEach((queue) => queue.look()),
    close: () => queues.forEach((queue) => queue.release(stillStarting)),
  };
}

/** Those waiting for one workspace, and the one reader that looks for all of them. */
class Queue {
  readonly waiters = new Set<Leave>();
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
      // The read under way may have missed what woke us.
      this.#lookAgain = true;
      return;
    }
    this.#isLooking = true;
    void this.#lookOnce();
  }

  release(route: GatewayRoute | null): void {
    this.waiters.forEach((leave) => leave(route));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #lookOnce(): Promise<void> {
    try {
      const route = await this.#read();
      if (!isStarting(route)) this.release(route);
    } catch {
      // The database is out of reach: a later look may succeed, and each request's own time runs on.
    }
    this.#isLooking = false;
    if (!this.#lookAgain) return;
    this.#lookAgain = false;
    if (this.waiters.size > 0) this.look();
  }
}
