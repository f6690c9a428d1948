/** Something took longer than it may. */
export class TookTooLong extends Error {
  override readonly name = "TookTooLong";
}

/** What `work` resolves with; rejects with TookTooLong after `mostMs`, whatever becomes of the work. */
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

/** The items one by one; throws TookTooLong where the next one takes longer than `mostMs`, and waits for its source no more. */
export async function* eachWithin<Item>(mostMs: number, what: string, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await within(mostMs, what, iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // A source that hangs hears of it when it comes back.
    iterator.return?.().catch(() => undefined);
  }
}
