/** Chance that can be repeated: the same seed makes the same choices, on every machine. */
export interface SeededRandom {
  /** From 0 to below `end`. */
  below(end: number): number;
  /** True in so many of a hundred cases. */
  percent(chance: number): boolean;
  pick<T>(choices: readonly T[]): T;
}

/** Mulberry32: enough for choosing tests, nothing else. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return { below, percent: (chance) => next() * 100 < chance, pick: (choices) => choices[below(choices.length)]! };
}
