/** Chance that can be repeated: the same seed gives the same numbers, on every machine. */
export interface Dice {
  /** A whole number from 0 up to, and without, `limit`. */
  below(limit: number): number;
  pick<Item>(from: readonly Item[]): Item;
}

/** Mulberry32: 32 bits of state are plenty for choosing what to kill. */
export function throwDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, pick: (from) => from[below(from.length)]! };
}
