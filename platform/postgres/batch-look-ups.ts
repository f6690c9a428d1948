/** Combines look-ups that arrive together into one query: a round trip to the database costs more than another row. */

/** Larger batches are split, so that no query grows without limit. */
const mostKeys = 100;

/**
 * Wraps a look-up of many as a look-up of one. All keys requested while the process reads its sockets go into one
 * query, which begins afterwards: each caller gets what was true after their call, never an answer begun before. A
 * missing key gives null; a failed query fails for all of its callers.
 */
export function batchLookUps<Found>(ask: (keys: string[]) => Promise<ReadonlyMap<string, Found>>): (key: string) => Promise<Found | null> {
  let waiting: { keys: Set<string>; answer: Promise<ReadonlyMap<string, Found>> } | undefined;

  const begin = () => {
    const keys = new Set<string>();
    const answer = new Promise<ReadonlyMap<string, Found>>((resolve, reject) => {
      setImmediate(() => {
        if (waiting?.keys === keys) waiting = undefined;
        ask([...keys]).then(resolve, reject);
      });
    });
    return { keys, answer };
  };

  return async (key) => {
    if (!waiting || waiting.keys.size >= mostKeys) waiting = begin();
    const { keys, answer } = waiting;
    keys.add(key);
    return (await answer).get(key) ?? null;
  };
}
