/** Within one piece of work, what was read from another service is not read again. Follows awaits. */
import { AsyncLocalStorage } from "node:async_hooks";

const storage = new AsyncLocalStorage<Map<string, Promise<unknown>>>();

/** Runs work that takes what it reads for one state, such as a sync and the copies that follow it; takes over nothing that was read before. */
export const readingAfresh = <T>(run: () => T): T => storage.run(new Map(), run);

/** Like `readingAfresh`, but inside such work it only runs it: for a part of that work, which is also done alone. */
export const readingOnce = <T>(run: () => T): T => (storage.getStore() ? run() : readingAfresh(run));

/**
 * The answer under this key, read now unless this work has read it before; outside such work always read. A failed read is not kept, nor
 * an answer that is none by `isAnswer`.
 */
export function readOnce<T>(key: string, read: () => Promise<T>, isAnswer: (answer: T) => boolean = () => true): Promise<T> {
  const known = storage.getStore();
  if (!known) return read();
  const before = known.get(key) as Promise<T> | undefined;
  if (before) return before;
  const answer = read();
  known.set(key, answer);
  const forget = (): void => void (known.get(key) === answer && known.delete(key));
  answer.then((given) => (isAnswer(given) ? undefined : forget()), forget);
  return answer;
}

/** The work has changed something: from now on everything is read again. */
export const forgetReads = (): void => storage.getStore()?.clear();
