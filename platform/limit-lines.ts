/** Keeps what others cause from filling the log: each cause has a few lines a minute, and what is left out is counted. */
import { minuteMs } from "./clock.ts";

interface LimitLinesOptions {
  /** Lines of one key within a minute. */
  perMinute: number;
  /** Called at the end of a minute for each key whose lines were left out; keys beyond the first hundred are counted together. */
  onLeftOut(key: string, lines: number): void;
  /** Shorter for tests. */
  windowMs?: number;
}

/** Keys that are told apart within a minute; all others share one. */
const mostKeys = 10_000;
const mostNamed = 100;
const others = "others";

/** Returns whether the next line of this key may be written. */
export function limitLines({ perMinute, onLeftOut, windowMs = minuteMs }: LimitLinesOptions): (key: string) => boolean {
  let counts = new Map<string, number>();
  const endWindow = (): void => {
    const leftOut = [...counts].flatMap(([key, count]) => (count > perMinute ? [[key, count - perMinute] as const] : []));
    counts = new Map();
    for (const [key, lines] of leftOut.slice(0, mostNamed)) onLeftOut(key, lines);
    const rest = leftOut.slice(mostNamed).reduce((sum, [, lines]) => sum + lines, 0);
    if (rest > 0) onLeftOut(others, rest);
  };
  return (key) => {
    if (counts.size === 0) setTimeout(endWindow, windowMs).unref();
    const counted = counts.has(key) || counts.size < mostKeys ? key : others;
    const count = (counts.get(counted) ?? 0) + 1;
    counts.set(counted, count);
    return count <= perMinute;
  };
}
