import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { whenIdle } from "./when-idle.ts";

const there = () => Promise.resolve(true);

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout"] }));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("prefetching starts after 2 s, waits at most 2 s for an idle moment, and may fail", async () => {
  const asked: { run: () => void; timeout: number }[] = [];
  vi.stubGlobal("requestIdleCallback", (run: () => void, { timeout }: { timeout: number }) => asked.push({ run, timeout }));
  let fetches = 0;
  whenIdle(
    () => {
      fetches += 1;
      return Promise.reject(new Error("offline"));
    },
    undefined,
    there,
  );
  vi.advanceTimersByTime(1_999);
  expect(asked).toEqual([]);
  vi.advanceTimersByTime(1);
  expect([fetches, asked.map(({ timeout }) => timeout)]).toEqual([0, [2_000]]);
  asked[0]?.run();
  await Promise.resolve();
  expect(fetches).toBe(1);
});

test("a browser that does not say when it is idle waits the whole time", async () => {
  vi.stubGlobal("requestIdleCallback", undefined);
  let fetches = 0;
  whenIdle(() => Promise.resolve((fetches += 1)), undefined, there);
  vi.advanceTimersByTime(3_999);
  expect(fetches).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(fetches).toBe(1);
});

test("without the service nothing is prefetched, because a failure would stay until the page is loaded again", async () => {
  vi.stubGlobal("requestIdleCallback", undefined);
  whenIdle(
    () => expect.unreachable(),
    undefined,
    () => Promise.resolve(false),
  );
  await vi.advanceTimersByTimeAsync(10_000);
});
