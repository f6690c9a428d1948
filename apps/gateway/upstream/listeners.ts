/** Those who stay at one workspace for as long as they like: with a stream of events or a WebSocket. */
import { secondMs } from "#platform/clock.ts";

/** Of the requests of a workspace at a time. The others come and go. */
const shareForListeners = 0.5;
/** Strangers leave the rest of it to the people in the editor. */
const shareForStrangers = 0.25;
/** A workspace answers a handshake within milliseconds, or never: tools leave those unanswered that none of their parts expects. */
const slowHandshakeMs = secondMs;

export const tooManyListenersLine = "a workspace has too many listeners: one more was refused";
export const displacedListenerLine = "a workspace has too many listeners: one was closed for a visitor with fewer";

export interface Listener {
  readonly isStranger: boolean;
  /** Where the visitor is; those of one site share what there is. */
  readonly site: string;
  /** Whether the workspace has accepted it. */
  isAnswered: boolean;
  /** Ends it now, to make room for another; it has left already. */
  breakOff(): void;
}

export class Listeners {
  readonly #maxInFlight: number;
  /** With the time at which each came, the oldest first. */
  readonly #all = new Map<Listener, number>();

  constructor(maxInFlight: number) {
    this.#maxInFlight = maxInFlight;
  }

  /**
   * Lets one more in, and returns what ends that. If there are too many, one must leave for it: the oldest that the workspace has left
   * unanswered, or else the newest of the site that has the most, if that has at least two more. Null if none must.
   */
  enter(listener: Listener): (() => void) | null {
    const strangers = [...this.#all.keys()].filter(({ isStranger }) => isStranger);
    if (listener.isStranger && strangers.length >= this.#maxInFlight * shareForStrangers) {
      if (!this.#makeRoom(listener, strangers)) return null;
    } else if (this.#all.size >= this.#maxInFlight * shareForListeners && !this.#makeRoom(listener, [...this.#all.keys()])) {
      return null;
    }
    this.#all.set(listener, performance.now());
    return () => void this.#all.delete(listener);
  }

  #makeRoom({ site }: Listener, among: readonly Listener[]): boolean {
    const goes = this.#unansweredOf(among) ?? newestOfLargestSite(among, site);
    if (!goes) return false;
    this.#all.delete(goes);
    goes.breakOff();
    return true;
  }

  #unansweredOf(among: readonly Listener[]): Listener | undefined {
    const latest = performance.now() - slowHandshakeMs;
    return among.find((listener) => !listener.isAnswered && this.#all.get(listener)! <= latest);
  }
}

/** Of the site with the most listeners. Undefined if `site`, with the one that comes, would then have more than that. */
function newestOfLargestSite(among: readonly Listener[], site: string): Listener | undefined {
  const counts = new Map<string, number>();
  for (const listener of among) counts.set(listener.site, (counts.get(listener.site) ?? 0) + 1);
  let [largest, most] = ["", 0];
  for (const [name, count] of counts) if (count > most) [largest, most] = [name, count];
  return most > (counts.get(site) ?? 0) + 1 ? among.findLast((listener) => listener.site === largest) : undefined;
}
