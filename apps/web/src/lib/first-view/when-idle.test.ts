import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { whenIdle } from "./when-idle.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout"] }));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("prefetching starts after 2 s, waits at most 2 s for an idle moment, and may fail", () => {
  const asked: { run: () => void; timeout: number }[] = [];
  vi.stubGlobal("requestIdleCallback", (run: () => void, { timeout }: { timeout: number }) => asked.push({ run, timeout }));
  let fetches = 0;
  whenIdle(() => {
    fetches += 1;
    return Promise.reject(new Error("offline"));
  });
  vi.advanceTimersByTime(1_999);
  expect(asked).toEqual([]);
  vi.advanceTimersByTime(1);
  expect([fetches, asked.map(({ timeout }) => timeout)]).toEqual([0, [2_000]]);
  asked[0]?.run();
  expect(fetches).toBe(1);
});

test("a browser that does not say when it is idle waits the whole time", () => {
  vi.stubGlobal("requestIdleCallback", undefined);
  let fetches = 0;
  whenIdle(() => Promise.resolve((fetches += 1)));
  vi.advanceTimersByTime(3_999);
  expect(fetches).toBe(0);
  vi.advanceTimersByTime(1);
  expect(fetches).toBe(1);
});
