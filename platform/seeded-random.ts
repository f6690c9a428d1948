/** Repeatable random numbers: the same seed gives the same ones, on every machine. For tests and simulations, never for secrets. */

/** Numbers from 0 to below 1 (mulberry32, with 32 bits of state). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Choices from such numbers; each uses one. */
export interface SeededChoices {
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  /** True in `chance` of 100 cases. */
  percent(chance: number): boolean;
  pick<T>(from: readonly T[]): T;
}

export function seededChoices(seed: number): SeededChoices {
  const next = seededRandom(seed);
  const below = (end: number): number => Math.floor(next() * end);
  return { below, percent: (chance) => next() * 100 < chance, pick: (from) => from[below(from.length)]! };
}
