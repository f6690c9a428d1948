/** Look-ups that come together are asked together: the way to the database and back costs more than one row more. */

/** Above it a batch is cut, so that no query grows without bound. */
const mostKeys = 100;

/**
 * Wraps a look-up of many as a look-up of one. Everything asked for while the process reads its sockets goes into one
 * query, which begins afterwards: each caller gets what was true after they asked, never an answer begun before. What is
 * not found is null; a query that fails fails for all of its callers.
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
