/** The service's one clock. Time is passed in, so that tests and the sandbox can move it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The moment `ms` milliseconds after `at`. */
export const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
