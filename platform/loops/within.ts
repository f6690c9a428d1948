/** Time limits for work. */
export class TookTooLong extends Error {
  override readonly name = "TookTooLong";
}

/** Resolves with the result of `work`; rejects with TookTooLong after `mostMs`, while the work may continue. */
export async function within<T>(mostMs: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TookTooLong(`${what} took longer than ${mostMs} ms`)), mostMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Yields the items; throws TookTooLong if the next one takes longer than `mostMs`, without waiting for the source. */
export async function* eachWithin<Item>(mostMs: number, what: string, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await within(mostMs, what, iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // A hanging source learns of it when it resumes.
    iterator.return?.().catch(() => undefined);
  }
}
