import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { afterPaint } from "./first-paint.ts";

let frames: Map<number, () => void>;
beforeEach(() => {
  vi.useFakeTimers();
  frames = new Map();
  let last = 0;
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => (frames.set((last += 1), run), last));
  vi.stubGlobal("cancelAnimationFrame", (frame: number) => void frames.delete(frame));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Paints once: calls whoever waits for this frame. */
function paint(): void {
  const waiting = [...frames.values()];
  frames.clear();
  for (const run of waiting) run();
}

test("it starts after the paint, once", () => {
  const start = vi.fn<() => void>();
  afterPaint(start);
  paint();
  expect(start).not.toHaveBeenCalled();
  paint();
  expect(start).toHaveBeenCalledTimes(1);
  paint();
  vi.advanceTimersByTime(10_000);
  expect(start).toHaveBeenCalledTimes(1);
});

test("a tab in the background, which paints nothing, starts half a second later", () => {
  const start = vi.fn<() => void>();
  afterPaint(start);
  vi.advanceTimersByTime(499);
  expect(start).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(start).toHaveBeenCalledTimes(1);
  paint();
  paint();
  expect(start).toHaveBeenCalledTimes(1);
});

test.each([0, 1])("cancelled after %i frames, it never starts", (before) => {
  const start = vi.fn<() => void>();
  const cancel = afterPaint(start);
  for (let frame = 0; frame < before; frame += 1) paint();
  cancel();
  paint();
  paint();
  vi.advanceTimersByTime(10_000);
  expect(start).not.toHaveBeenCalled();
});
