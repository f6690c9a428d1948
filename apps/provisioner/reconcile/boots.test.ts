import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createBoots, Stopping, type Boot, type BootOf, type Boots } from "./boots.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** Begins this many starts of a kind; returns how many have begun. */
function begin(
  boots: Boots,
  kind: string,
  count: number,
  { what, whose = kind }: { what?: BootOf; whose?: string } = {},
): { boots: Boot[]; begun(): Promise<number> } {
  let begun = 0;
  const all = Array.from({ length: count }, (_, index) => boots.of(kind, `${whose} ${index}`));
  for (const boot of all)
    void boot.begin(what).then(
      () => (begun += 1),
      () => undefined,
    );
  return { boots: all, begun: () => new Promise((resolve) => setImmediate(() => resolve(begun))) };
}

test("on a busy host a few workspaces start at a time, and the next when one answers", async () => {
  const herd = begin(
    createBoots(() => true),
    "death",
    100,
  );
  expect(await herd.begun()).toBe(6);
  vi.advanceTimersByTime(50_000);
  expect(await herd.begun()).toBe(6);
  herd.boots[0]!.end();
  herd.boots[1]!.end();
  expect(await herd.begun()).toBe(8);
});

test("many starts of one kind do not delay starts of another kind", async () => {
  const boots = createBoots(() => true);
  begin(boots, "death", 100);
  expect(await begin(boots, "start", 1).begun()).toBe(1);
  expect(await begin(boots, "retry", 1).begun()).toBe(1);
});

test("hanging starts release their places within seconds if the host has capacity, and otherwise within a minute", async () => {
  const boots = createBoots(() => false);
  const hanging = begin(boots, "start", 30);
  for (const begun of [6, 12, 18, 24, 30]) {
    expect(await hanging.begun()).toBe(begun);
    vi.advanceTimersByTime(2_000);
  }
  const onBusyHost = begin(
    createBoots(() => true),
    "start",
    12,
  );
  expect(await onBusyHost.begun()).toBe(6);
  vi.advanceTimersByTime(62_000);
  expect(await onBusyHost.begun()).toBe(12);
});

test("a start that ends before it gets a place, or twice, keeps no place", async () => {
  const boots = createBoots(() => true);
  const first = begin(boots, "start", 6);
  const waiting = begin(boots, "start", 6);
  waiting.boots.forEach((boot) => boot.end());
  for (const boot of [...first.boots, ...first.boots]) boot.end();
  expect(await begin(boots, "start", 6).begun()).toBe(6);
});

test("a stopping worker begins none of the starts still queued", async () => {
  const boots = createBoots(() => true);
  begin(boots, "start", 6);
  setImmediate(() => boots.stop());
  await expect(boots.of("start", "another").begin()).rejects.toThrow(Stopping);
});

test("a storm of wakes that need a start delays no launch and no thaw", async () => {
  const boots = createBoots(() => true);
  const storm = begin(boots, "wake", 50);
  expect(await storm.begun()).toBe(3);
  expect(await begin(boots, "start", 1).begun()).toBe(1);
  expect(await begin(boots, "wake", 50, { what: "thaw" }).begun()).toBe(4);
  storm.boots[0]!.end();
  expect(await storm.begun()).toBe(4);
});

test("a launch does not wait behind wakes that the previous worker has begun", async () => {
  const boots = createBoots(() => true);
  expect(await begin(boots, "start", 50, { what: "wake", whose: "sleeper" }).begun()).toBe(3);
  expect(await begin(boots, "start", 1).begun()).toBe(1);
});

test("a launch that only thaws a blank does not wait behind starts or wakes", async () => {
  const boots = createBoots(() => true);
  expect(await begin(boots, "start", 50).begun()).toBe(6);
  expect(await begin(boots, "wake", 50, { what: "thaw" }).begun()).toBe(4);
  expect(await begin(boots, "look", 50, { what: "thaw" }).begun()).toBe(4);
  expect(await begin(boots, "start", 1, { what: "thaw" }).begun()).toBe(1);
});

test("while the host is short of memory, starts and thaws wait in order, and for ten seconds at most", async () => {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout", "performance"] });
  let isShort = true;
  const boots = createBoots(
    () => true,
    () => isShort,
  );
  const thaws = begin(boots, "wake", 2, { what: "thaw" });
  const starts = begin(boots, "start", 2);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([await thaws.begun(), await starts.begun()]).toEqual([0, 0]);
  isShort = false;
  await vi.advanceTimersByTimeAsync(200);
  expect([await thaws.begun(), await starts.begun()]).toEqual([2, 2]);
  isShort = true;
  const late = begin(boots, "death", 1);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(await late.begun()).toBe(0);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(await late.begun()).toBe(1);
});

test("wakes that are slow on purpose delay others once for a while, and never again", async () => {
  const boots = createBoots(() => true);
  const hostile = begin(boots, "wake", 30, { whose: "hostile" });
  const customer = begin(boots, "wake", 1, { whose: "customer" });
  // Nine others are before it at each look, and all of them take as long as they may.
  for (let turn = 0; turn < 10; turn += 1) {
    expect(await customer.begun()).toBe(0);
    vi.advanceTimersByTime(32_000);
  }
  expect(await customer.begun()).toBe(1);
  for (const boot of [...hostile.boots, ...customer.boots]) boot.end();
  const again = begin(boots, "wake", 30, { whose: "hostile" });
  expect(await again.begun()).toBe(1);
  expect(await begin(boots, "wake", 3, { whose: "customer" }).begun()).toBe(3);
});

test("thaws that are slow on purpose delay others once for a while, and never again", async () => {
  const boots = createBoots(() => true);
  const hostile = begin(boots, "wake", 20, { what: "thaw", whose: "hostile" });
  const customer = begin(boots, "wake", 1, { what: "thaw", whose: "customer" });
  // Four others are before it at each look, and all of them take as long as they may.
  for (let turn = 0; turn < 5; turn += 1) {
    expect(await customer.begun()).toBe(0);
    vi.advanceTimersByTime(6_000);
  }
  expect(await customer.begun()).toBe(1);
  for (const boot of [...hostile.boots, ...customer.boots]) boot.end();
  const again = begin(boots, "wake", 20, { what: "thaw", whose: "hostile" });
  expect(await again.begun()).toBe(1);
  const customers = begin(boots, "wake", 4, { what: "thaw", whose: "customer" });
  expect(await customers.begun()).toBe(4);
  // Once it has thawed quickly, it queues with the others again.
  again.boots[0]!.end();
  const quick = begin(boots, "wake", 1, { what: "thaw", whose: "hostile" });
  expect(await quick.begun()).toBe(0);
  customers.boots[0]!.end();
  expect(await quick.begun()).toBe(1);
});

test("a wake that is fast again queues with the others", async () => {
  const boots = createBoots(() => true);
  const slow = begin(boots, "wake", 1);
  expect(await slow.begun()).toBe(1);
  vi.advanceTimersByTime(35_000);
  slow.boots[0]!.end();
  const first = begin(boots, "wake", 2);
  expect(await first.begun()).toBe(2);
  for (const each of first.boots) each.end();
  // If the slow one had its own place, there would be a fourth.
  expect(await begin(boots, "wake", 4).begun()).toBe(3);
});

test("a wake does not count as slow because the host was short of memory before it", async () => {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout", "performance"] });
  let isShort = true;
  const boots = createBoots(
    () => true,
    () => isShort,
  );
  const { boots: all, begun } = begin(boots, "wake", 1);
  await vi.advanceTimersByTimeAsync(10_500);
  expect(await begun()).toBe(1);
  isShort = false;
  await vi.advanceTimersByTimeAsync(25_000);
  all[0]!.end();
  // If the slow one had its own place, there would be a fourth.
  expect(await begin(boots, "wake", 4).begun()).toBe(3);
});
