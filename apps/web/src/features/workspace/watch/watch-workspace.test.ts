/** Polling, tested with a clock that is moved by hand. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { buildInstance } from "#testing/accounts/build-instance.ts";
import { watchWorkspace, type EventStream, type WatchTrouble } from "./watch-workspace.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A watch with a stream that the test controls, and counted polls. */
function watch(poll: () => Promise<boolean> = async () => false) {
  const listeners = new Map<string, (event: Event) => void>();
  let opened = 0;
  const stream = {
    readyState: 1,
    addEventListener: (name: string, listener: unknown) => void listeners.set(name, listener as (event: Event) => void),
    close: () => listeners.clear(),
  } satisfies EventStream;
  const accepted: Instance[] = [];
  const troubles: (WatchTrouble | null)[] = [];
  const polledAt: number[] = [];
  const begin = Date.now();
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" as DocumentVisibilityState });
  const stop = watchWorkspace({
    page: page as unknown as Document,
    openStream: () => {
      opened += 1;
      stream.readyState = 1;
      return stream;
    },
    accept: (instance) => void accepted.push(instance),
    poll: () => {
      polledAt.push((Date.now() - begin) / 1000);
      return poll();
    },
    onTrouble: (trouble) => void troubles.push(trouble),
  });
  const say = (name: string, data?: unknown) => listeners.get(name)?.({ data: JSON.stringify(data) } as unknown as Event);
  const refuse = () => {
    stream.readyState = 2;
    say("error");
  };
  const show = (isVisible: boolean) => {
    page.visibilityState = isVisible ? "visible" : "hidden";
    page.dispatchEvent(new Event("visibilitychange"));
  };
  return {
    stop,
    show,
    isOpen: () => listeners.size > 0,
    say,
    refuse,
    opened: () => opened,
    accepted,
    troubles,
    polledAt,
    pass: (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000),
  };
}

test("while the stream sends events, nothing is polled", async () => {
  const { say, accepted, polledAt, pass } = watch();
  say("open");
  await pass(1);
  say("instance", buildInstance());
  await pass(600);
  expect([accepted, polledAt]).toEqual([[buildInstance()], []]);
});

test.each(["error", "open", "nothing"])(
  "when the stream only says %s, there are 12 polls every 5 s, then 16 every 15 s, then a timeout",
  async (said) => {
    const { say, polledAt, troubles, pass } = watch();
    say(said);
    await pass(299.9);
    expect(polledAt).toEqual([
      ...Array.from({ length: 12 }, (_, index) => 5 * (index + 1)),
      ...Array.from({ length: 15 }, (_, index) => 60 + 15 * (index + 1)),
    ]);
    expect(troubles).toEqual([]);
    await pass(0.1);
    expect([polledAt.length, troubles]).toEqual([28, ["timed-out"]]);
    await pass(3600);
    expect(polledAt).toHaveLength(28);
  },
);

test("a stream that fails repeatedly starts no second run", async () => {
  const { say, polledAt, pass } = watch();
  for (let failures = 0; failures < 5; failures += 1) {
    say("error");
    await pass(3);
  }
  expect(polledAt).toEqual([5, 10, 15]);
});

test("polls never overlap, however long one takes", async () => {
  let running = 0;
  let most = 0;
  const { say, polledAt, pass } = watch(async () => {
    most = Math.max(most, (running += 1));
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    running -= 1;
    return false;
  });
  say("error");
  await pass(60);
  expect([most, polledAt]).toEqual([1, [5, 22, 39, 56]]);
});

test("polling ends with the first poll that finds the workspace online", async () => {
  let polls = 0;
  const { say, polledAt, troubles, pass } = watch(async () => (polls += 1) === 3);
  say("error");
  await pass(600);
  expect([polledAt, troubles]).toEqual([[5, 10, 15], []]);
});

test("a failed poll is reported, and polling ends", async () => {
  const { say, polledAt, troubles, pass } = watch(() => Promise.reject(new Error("no answer")));
  say("error");
  await pass(600);
  expect([polledAt, troubles]).toEqual([[5], ["failed"]]);
});

test("a stream that sends events again ends the polls and clears the problem", async () => {
  const { say, polledAt, troubles, accepted, pass } = watch();
  say("error");
  await pass(12);
  say("instance", buildInstance({ timezone: "Asia/Tokyo" }));
  await pass(600);
  expect([polledAt, troubles, accepted.length]).toEqual([[5, 10], [null], 1]);
});

test("a stream that fails after an event starts a new run", async () => {
  const { say, polledAt, pass } = watch();
  say("instance", buildInstance());
  await pass(60);
  say("error");
  await pass(11);
  say("instance", buildInstance());
  await pass(29);
  say("error");
  await pass(6);
  expect(polledAt).toEqual([65, 70, 105]);
});

test("a refused stream is opened again after a minute, with a poll each time, until it delivers", async () => {
  const { refuse, opened, say, accepted, polledAt, pass } = watch(async () => true);
  refuse();
  await pass(59);
  expect([opened(), polledAt]).toEqual([1, [5]]);
  await pass(1);
  expect(opened()).toBe(2);
  refuse();
  await pass(60);
  expect([opened(), polledAt]).toEqual([3, [5, 65]]);
  say("instance", buildInstance());
  await pass(600);
  expect([opened(), accepted.length, polledAt]).toEqual([3, 1, [5, 65]]);
});

test("a stream that was refused is not opened again after leaving the page", async () => {
  const { refuse, stop, opened, pass } = watch(async () => true);
  refuse();
  await pass(1);
  stop();
  await pass(600);
  expect(opened()).toBe(1);
});

test("a hidden page has no stream and polls nothing; on return it opens one, which begins with the workspace", async () => {
  const { show, isOpen, opened, say, polledAt, accepted, pass } = watch();
  say("instance", buildInstance());
  expect(isOpen()).toBe(true);
  show(false);
  await pass(3600);
  expect([isOpen(), opened(), polledAt]).toEqual([false, 1, []]);
  show(true);
  say("instance", buildInstance({ timezone: "Asia/Tokyo" }));
  await pass(600);
  expect([isOpen(), opened(), polledAt, accepted.length]).toEqual([true, 2, [], 2]);
});

test("leaving the page ends the polls", async () => {
  const { say, stop, polledAt, troubles, pass } = watch();
  say("error");
  await pass(6);
  stop();
  await pass(600);
  expect([polledAt, troubles]).toEqual([[5], []]);
});
