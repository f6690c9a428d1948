import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createWakeLoop } from "./wake-loop.ts";

/** Work that ends when told to. */
function build() {
  const begun: PromiseWithResolvers<void>[] = [];
  const errors: unknown[] = [];
  const work = () => {
    const one = Promise.withResolvers<void>();
    begun.push(one);
    return one.promise;
  };
  return { begun, errors, loop: createWakeLoop({ work, onError: (error) => errors.push(error) }) };
}

test("however often it is woken during a run, it runs once more, and never twice at a time", async () => {
  const { begun, loop } = build();
  for (let index = 0; index < 5; index++) loop.wake();
  await turn();
  expect(begun.length).toBe(1);
  begun[0]!.resolve();
  await turn();
  expect(begun.length).toBe(2);
  begun[1]!.resolve();
  await turn();
  expect(begun.length).toBe(2);
  loop.wake();
  expect(begun.length).toBe(3);
});

test("failed work is reported, and done again on the next wake", async () => {
  const { begun, errors, loop } = build();
  loop.wake();
  begun[0]!.reject(new Error("no database"));
  await turn();
  expect(errors).toEqual([new Error("no database")]);
  loop.wake();
  expect(begun.length).toBe(2);
});

test("without a wake, work is found periodically", async () => {
  const { begun, loop } = build();
  loop.start(10);
  for (let index = 0; index < 3; index++) {
    await expect.poll(() => begun.length, { interval: 5 }).toBeGreaterThan(index);
    begun[index]!.resolve();
  }
  begun.at(-1)!.resolve();
  await loop.stop();
});

test("a stop waits for the current run, and nothing starts after it", async () => {
  const { begun, loop } = build();
  loop.start(10);
  loop.wake();
  let stopped = false;
  const stop = loop.stop().then(() => (stopped = true));
  await turn();
  expect(stopped).toBe(false);
  begun[0]!.resolve();
  await stop;
  await loop.stop();
  loop.wake();
  expect(begun.length).toBe(1);
});

test("work runs in the context in which the loop was created, not in that of a wake-up", async () => {
  const storage = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const loop = storage.run("creator", () =>
    createWakeLoop({
      work: () => {
        seen.push(storage.getStore());
        return Promise.resolve();
      },
      onError: () => undefined,
    }),
  );
  storage.run("one account", () => loop.wake());
  await turn();
  loop.wake();
  await turn();
  expect(seen).toEqual(["creator", "creator"]);
});
