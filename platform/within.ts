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
