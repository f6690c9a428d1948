/** Those who stay at one workspace for as long as they like: with a stream of events or a WebSocket. */

/** Of the requests of a workspace at a time. The others come and go. */
const shareForListeners = 0.5;
/** Strangers leave the rest of it to the people in the editor. */
const shareForStrangers = 0.25;

export const tooManyListenersLine = "a workspace has too many listeners: one more was refused";

export class Listeners {
  readonly #maxInFlight: number;
  #strangers = 0;
  #all = 0;

  constructor(maxInFlight: number) {
    this.#maxInFlight = maxInFlight;
  }

  /** Counts one more and returns what ends that; null if there are too many. */
  enter(isStranger: boolean): (() => void) | null {
    if (this.#all >= this.#maxInFlight * shareForListeners) return null;
    if (isStranger && this.#strangers >= this.#maxInFlight * shareForStrangers) return null;
    const own = isStranger ? 1 : 0;
    this.#all += 1;
    this.#strangers += own;
    return () => {
      this.#all -= 1;
      this.#strangers -= own;
    };
  }
}
