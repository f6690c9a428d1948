import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSlots } from "./slots.ts";
import { eachWithin, TookTooLong, within } from "./within.ts";

const never = (): Promise<void> => new Promise(() => undefined);

test("never more run together than there are slots, and all run in order", async () => {
  const slots = createSlots({ most: 3 });
  const order: number[] = [];
  let running = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 12 }, (_unused, index) =>
      slots.run(async () => {
        order.push(index);
        most = Math.max(most, (running += 1));
        await sleep(2);
        running -= 1;
      }),
    ),
  );
  expect(most).toBe(3);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(slots.free()).toBe(3);
});

test("work that waits outside takes no slot, and takes one again after the wait", async () => {
  const slots = createSlots({ most: 1 });
  let [inside, most, outsideAtOnce] = [0, 0, 0];
  const allOutside = Promise.withResolvers<void>();
  const work = () =>
    slots.run(async ({ outside }) => {
      most = Math.max(most, (inside += 1));
      inside -= 1;
      // Each waits for all the others.
      await outside(() => {
        if ((outsideAtOnce += 1) === 10) allOutside.resolve();
        return allOutside.promise;
      });
      most = Math.max(most, (inside += 1));
      await sleep(1);
      inside -= 1;
    });
  await Promise.all(Array.from({ length: 10 }, work));
  expect(most).toBe(1);
  expect(slots.free()).toBe(1);
});

test("work with patience keeps its slot while it waits briefly, leaves it for a long wait, and takes one again after it", async () => {
  const slots = createSlots({ most: 1 });
  const [brief, long] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let inside = "";
  void slots.run(async ({ outside }) => {
    await outside(() => brief.promise, 60_000);
    await outside(() => long.promise, 10);
    inside += "first";
  });
  const second = slots.run(async () => {
    inside += "second ";
    long.resolve();
    await sleep(20);
    inside += "to its end, ";
  });
  await sleep(30);
  expect(inside).toBe("");
  brief.resolve();
  await second;
  await slots.run(() => Promise.resolve());
  expect(inside).toBe("second to its end, first");
  expect(slots.free()).toBe(1);
});

test("work that ends while one of its waits continues takes no slot for it again", async () => {
  const slots = createSlots({ most: 1 });
  const wait = Promise.withResolvers<void>();
  const failing = slots.run(({ outside }) => Promise.all([outside(() => wait.promise), Promise.reject(new Error("the other part"))]));
  await expect(failing).rejects.toThrow("the other part");
  wait.resolve();
  await sleep(1);
  expect(slots.free()).toBe(1);
});

test("work that fails, inside or outside, releases its slot", async () => {
  const slots = createSlots({ most: 1 });
  await expect(slots.run(() => Promise.reject(new Error("inside")))).rejects.toThrow("inside");
  await expect(slots.run(({ outside }) => outside(() => Promise.reject(new Error("outside"))))).rejects.toThrow("outside");
  expect(slots.free()).toBe(1);
});

test("work that exceeds its patience releases its slot to the next, up to the overdue limit", async () => {
  const slots = createSlots({ most: 1, patienceMs: 10, mostOverdue: 2 });
  void slots.run(never);
  void slots.run(never);
  expect(await slots.run(() => Promise.resolve("done"))).toBe("done");
  void slots.run(never);
  await sleep(50);
  expect(slots.free()).toBe(0);
});

test("work over its time limit is given up, and work that ends in time is not", async () => {
  await expect(within(10, "waiting", never())).rejects.toThrow(TookTooLong);
  expect(await within(1_000, "answering", Promise.resolve(1))).toBe(1);
});

test("items are read until one of them takes too long", async () => {
  const read: number[] = [];
  async function* items() {
    yield 1;
    yield 2;
    await never();
    yield 3;
  }
  const reading = async () => {
    for await (const item of eachWithin(10, "the next one", items())) read.push(item);
  };
  await expect(reading()).rejects.toThrow(TookTooLong);
  expect(read).toEqual([1, 2]);
});
