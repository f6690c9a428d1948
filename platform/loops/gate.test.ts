import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { createGate } from "./gate.ts";

/** Work that ends when told to. */
function heldWork() {
  const ends: (() => void)[] = [];
  return { ends, work: () => new Promise<string>((resolve) => ends.push(() => resolve("done"))) };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a limited number work, a limited number wait in order, and the rest are asked to retry", async () => {
  const { ends, work } = heldWork();
  const gate = createGate({ atOnce: 2, mostWaiting: 2, what: "tests" });
  const order: number[] = [];
  const inside = [0, 1, 2, 3].map((number) => gate.run(work).then(() => order.push(number)));
  await turn();
  expect(ends).toHaveLength(2);
  await expect(gate.run(work)).rejects.toMatchObject({
    code: "unavailable",
    details: { retryAfterSeconds: 2 },
    message: expect.stringContaining("too many tests"),
  });
  for (let done = 0; done < 4; done += 1) {
    ends[done]!();
    await turn();
  }
  await Promise.all(inside);
  expect(order).toEqual([0, 1, 2, 3]);
  expect(await gate.run(() => Promise.resolve("again"))).toBe("again");
});

test("failed work passes on its place, and a caller who has left takes none", async () => {
  const gate = createGate({ atOnce: 1, mostWaiting: 5, what: "tests" });
  const failing = gate.run(() => delay(5).then(() => Promise.reject(new Error("it broke"))));
  let isDone = false;
  const gone = gate.run(
    () => Promise.resolve((isDone = true)),
    () => true,
  );
  const next = gate.run(() => Promise.resolve("next"));
  await expect(failing).rejects.toThrow("it broke");
  await expect(gone).rejects.toMatchObject({ code: "unavailable" });
  expect(await next).toBe("next");
  expect(isDone).toBe(false);
});

test("a delayed refusal is delayed", async () => {
  const { ends, work } = heldWork();
  const gate = createGate({ atOnce: 1, mostWaiting: 0, what: "tests", refuseAfterMs: 50 });
  const held = gate.run(work);
  const from = performance.now();
  await expect(gate.run(work)).rejects.toMatchObject({ code: "unavailable" });
  // Timers count whole milliseconds.
  expect(performance.now() - from).toBeGreaterThan(48);
  ends[0]!();
  await held;
});
