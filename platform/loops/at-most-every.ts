/** Passes a call on unless one was passed on less than `everyMs` ago: for a flood, one line in the log is enough. */
export function atMostEvery<Given extends unknown[]>(everyMs: number, act: (...given: Given) => void): (...given: Given) => void {
  let actedAt = -Infinity;
  return (...given) => {
    if (performance.now() - actedAt < everyMs) return;
    actedAt = performance.now();
    act(...given);
  };
}
