/** Runs work for the same key one after another, and for different keys in parallel. */
export type OneAtATime = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** A queue for each key, dropped when it is empty; a failure does not stop the work queued behind it. */
export function createOneAtATime(): OneAtATime {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        if (last.get(key) === settled) last.delete(key);
        return undefined;
      });
    last.set(key, settled);
    return mine;
  };
}
