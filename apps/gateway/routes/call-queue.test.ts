import { expect, test, vi } from "vitest";
import { createCallQueue, type LeaveCall } from "./call-queue.ts";

const stays = new AbortController().signal;
const limits = { maxWaitingPerWorkspace: 3, maxWaiting: 100 };
const minute = 60_000;

/** Notes what each call got, under its name, as soon as it is known. */
function follow(entered: ReturnType<ReturnType<typeof createCallQueue>["enter"]>, name: string, seen: Map<string, LeaveCall | string>) {
  if (entered instanceof Promise) void entered.then((result) => seen.set(name, result));
  else seen.set(name, entered);
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("calls beyond the limit are let in one by one, in the order in which they came", async () => {
  const queue = createCallQueue(limits);
  const seen = new Map<string, LeaveCall | string>();
  for (const name of ["a", "b", "c", "d", "e", "f"]) follow(queue.enter("w", 2, minute, stays), name, seen);
  await settle();
  expect([...seen.keys()]).toEqual(["a", "b", "f"]);
  expect(seen.get("f")).toBe("full");
  (seen.get("b") as LeaveCall)();
  await settle();
  expect([...seen.keys()]).toEqual(["a", "b", "f", "c"]);
  // A place is given back once, however often its call ends.
  (seen.get("b") as LeaveCall)();
  await settle();
  expect(seen.has("d")).toBe(false);
  for (const name of ["a", "c", "d", "e"]) {
    (seen.get(name) as LeaveCall)();
    await settle();
  }
  expect([...seen.keys()]).toEqual(["a", "b", "f", "c", "d", "e"]);
  expect(typeof queue.enter("w", 2, minute, stays)).toBe("function");
});

test("a call that left or waited too long makes way for the next; another workspace's calls need not wait", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const queue = createCallQueue(limits);
    const seen = new Map<string, LeaveCall | string>();
    const left = new AbortController();
    follow(queue.enter("w", 1, minute, stays), "first", seen);
    follow(queue.enter("w", 1, minute, left.signal), "left", seen);
    follow(queue.enter("w", 1, 500, stays), "late", seen);
    follow(queue.enter("w", 1, minute, stays), "patient", seen);
    follow(queue.enter("other", 1, minute, stays), "other", seen);
    left.abort();
    await vi.advanceTimersByTimeAsync(600);
    expect(Object.fromEntries(seen)).toEqual({ first: expect.any(Function), other: expect.any(Function), left: "late", late: "late" });
    (seen.get("first") as LeaveCall)();
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.get("patient")).toEqual(expect.any(Function));
  } finally {
    vi.useRealTimers();
  }
});

test("one workspace's storm leaves room for another's calls; a larger plan lets in several at once; closing ends all waiting", async () => {
  const queue = createCallQueue({ maxWaitingPerWorkspace: 10, maxWaiting: 6 });
  const seen = new Map<string, LeaveCall | string>();
  for (const name of ["a", "b", "c", "d"]) follow(queue.enter("w", 1, minute, stays), name, seen);
  follow(queue.enter("other", 1, minute, stays), "other-a", seen);
  follow(queue.enter("other", 1, minute, stays), "other-b", seen);
  await settle();
  expect([...seen.keys()]).toEqual(["a", "other-a"]);
  follow(queue.enter("w", 3, minute, stays), "too many", seen);
  expect(seen.get("too many")).toBe("full");
  (seen.get("a") as LeaveCall)();
  await settle();
  expect([...seen.keys()].slice(-3)).toEqual(["b", "c", "d"]);
  queue.close();
  await settle();
  expect(seen.get("other-b")).toBe("late");
});

test("a heavy call takes several places, one heavier than all is let in alone, and none is overtaken by lighter ones", async () => {
  const queue = createCallQueue({ maxWaitingPerWorkspace: 10, maxWaiting: 100 });
  const seen = new Map<string, LeaveCall | string>();
  const enter = (name: string, weight: number) =>
    follow(queue.enter("w", 4, minute, stays, { weight: () => weight, isUploading: () => false }), name, seen);
  enter("three", 3);
  enter("two", 2);
  enter("one", 1);
  enter("nine", 9);
  await settle();
  expect([...seen.keys()]).toEqual(["three"]);
  (seen.get("three") as LeaveCall)();
  await settle();
  expect([...seen.keys()]).toEqual(["three", "two", "one"]);
  (seen.get("two") as LeaveCall)();
  await settle();
  expect(seen.has("nine")).toBe(false);
  (seen.get("one") as LeaveCall)();
  enter("last", 1);
  await settle();
  expect([...seen.keys()].slice(3)).toEqual(["nine"]);
  (seen.get("nine") as LeaveCall)();
  await settle();
  expect(seen.get("last")).toEqual(expect.any(Function));
});

test("uploads take half of the places; others overtake those that wait for that, and each is let in when its body has arrived", async () => {
  const queue = createCallQueue({ maxWaitingPerWorkspace: 10, maxWaiting: 100 });
  const seen = new Map<string, LeaveCall | string>();
  const arrived = new Set<string>();
  for (const name of ["a", "b", "c"])
    follow(queue.enter("w", 4, minute, stays, { weight: () => 1, isUploading: () => !arrived.has(name) }), name, seen);
  follow(queue.enter("w", 4, minute, stays), "short", seen);
  await settle();
  expect([...seen.keys()]).toEqual(["a", "b", "short"]);
  arrived.add("c");
  await expect.poll(() => seen.has("c")).toBe(true);
  queue.close();
});

test("uploads that wait take half of the room to wait; beyond it, a body has a moment to arrive, and the others keep theirs", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  try {
    const queue = createCallQueue({ maxWaitingPerWorkspace: 6, maxWaiting: 100 });
    const seen = new Map<string, LeaveCall | string>();
    const arrived = new Set<string>();
    const upload = (name: string) =>
      follow(queue.enter("w", 1, minute, stays, { weight: () => 1, isUploading: () => !arrived.has(name) }), name, seen);
    for (const name of ["current", "a", "b", "c", "slow", "soon"]) upload(name);
    arrived.add("soon");
    await vi.advanceTimersByTimeAsync(1_500);
    await settle();
    expect([...seen.keys()]).toEqual(["current", "slow"]);
    expect(seen.get("slow")).toBe("late");
    follow(queue.enter("w", 1, minute, stays), "short", seen);
    follow(queue.enter("w", 1, minute, stays), "shorter", seen);
    expect(seen.size).toBe(2);
    // Those whose bodies have arrived overtake the slow ones.
    (seen.get("current") as LeaveCall)();
    await vi.advanceTimersByTimeAsync(100);
    expect(seen.has("a")).toBe(true);
    queue.close();
  } finally {
    vi.useRealTimers();
  }
});
