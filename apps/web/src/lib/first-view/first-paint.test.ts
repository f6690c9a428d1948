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

/** Draws this many frames, and runs the callbacks of each. */
function draw(count: number): void {
  for (let drawn = 0; drawn < count; drawn += 1) {
    const waiting = [...frames.values()];
    frames.clear();
    for (const run of waiting) run();
  }
}

test("it starts once the page is on the screen, two frames after the paint, and only once", () => {
  const start = vi.fn<() => void>();
  afterPaint(start);
  draw(3);
  expect(start).not.toHaveBeenCalled();
  draw(1);
  expect(start).toHaveBeenCalledTimes(1);
  draw(1);
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
  draw(4);
  expect(start).toHaveBeenCalledTimes(1);
});

test.each([0, 1, 3])("cancelled after %i frames, it never starts", (before) => {
  const start = vi.fn<() => void>();
  const cancel = afterPaint(start);
  draw(before);
  cancel();
  draw(4);
  vi.advanceTimersByTime(10_000);
  expect(start).not.toHaveBeenCalled();
});
