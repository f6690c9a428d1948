/** The service's clock. It is passed in, so that tests and the sandbox can move it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that can be moved ahead of the machine's, and never back. */
export interface MovableClock extends Clock {
  /** How far it is ahead, in milliseconds. */
  aheadMs(): number;
  /** Sets how far; a smaller value comes from an older message and is ignored. */
  setAhead(ms: number): void;
}

/** Keeps running from wherever it was set. */
export function createMovableClock(machine: Clock = systemClock): MovableClock {
  let ahead = 0;
  return {
    now: () => new Date(machine.now().getTime() + ahead),
    aheadMs: () => ahead,
    setAhead: (ms) => void (ahead = Math.max(ahead, ms)),
  };
}

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The clocks of two hosts differ by less; a time further ahead was written before a clock was set back. */
export const mostAheadMs = 5 * minuteMs;

/**
 * The milliseconds from `past` to `now`. A last time that is in the future says nothing, because a clock was set back since: it counts as
 * infinitely long ago, so that whatever waits for it happens now instead of when the clock has caught up.
 */
export function sinceMs(past: Date, now: Date): number {
  const ms = now.getTime() - past.getTime();
  return ms < -mostAheadMs ? Infinity : Math.max(0, ms);
}

/** The moment `ms` milliseconds after `at`. */
export const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
