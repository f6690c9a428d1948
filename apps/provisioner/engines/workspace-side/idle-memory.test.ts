import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { collectWhenIdle } from "./idle-memory.mts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A process whose memory and processor time a test sets; a collection brings it to 100 MB. */
function pretendProcess() {
  const state = { heapMb: 400, cpuMs: 0, isBusy: false, collections: 0, frozenMs: 0 };
  const end = collectWhenIdle({
    lookEveryMs: 1_000,
    isBusy: () => state.isBusy,
    measure: () => ({ heapMb: state.heapMb, cpuMs: state.cpuMs, atMs: Date.now() + state.frozenMs }),
    collect: () => {
      state.collections += 1;
      state.heapMb = 100;
    },
  });
  return { state, end };
}

test("garbage is collected once after the start, and again when the process has grown", () => {
  const { state, end } = pretendProcess();
  vi.advanceTimersByTime(5_000);
  expect(state.collections).toBe(1);
  state.heapMb = 130;
  vi.advanceTimersByTime(5_000);
  expect(state.collections).toBe(1);
  state.heapMb = 150;
  vi.advanceTimersByTime(5_000);
  expect(state.collections).toBe(2);
  end();
});

test("a process that grows again at every look is collected every two minutes, not every twenty seconds", () => {
  const { state, end } = pretendProcess();
  for (let second = 0; second < 60; second += 1) {
    state.heapMb += 50;
    vi.advanceTimersByTime(1_000);
  }
  expect(state.collections).toBe(10);
  end();
});

test("nothing is collected while an execution runs or the process works", () => {
  const { state, end } = pretendProcess();
  state.isBusy = true;
  vi.advanceTimersByTime(5_000);
  state.isBusy = false;
  for (let second = 0; second < 5; second += 1) {
    state.cpuMs += 60;
    vi.advanceTimersByTime(1_000);
  }
  expect(state.collections).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect(state.collections).toBe(1);
  end();
});

test("in a process that was frozen, no collection delays the request that woke it", () => {
  const { state, end } = pretendProcess();
  state.frozenMs = 60_000;
  vi.advanceTimersByTime(1_000);
  expect(state.collections).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect(state.collections).toBe(1);
  end();
});

test("the real process collects garbage, and code in it has no way to do so", () => {
  const end = collectWhenIdle({ isBusy: () => false, lookEveryMs: 1_000 });
  vi.advanceTimersByTime(3_000);
  end();
  expect(globalThis.gc).toBeUndefined();
});
