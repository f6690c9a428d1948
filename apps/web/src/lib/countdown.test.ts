import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startCountdown } from "./countdown.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("it ends after its time, once, and not after it was stopped", () => {
  const end = vi.fn<() => void>();
  startCountdown(15_000, () => false, end);
  const stop = startCountdown(
    15_000,
    () => true,
    () => expect.fail("it was stopped"),
  );
  vi.advanceTimersByTime(14_999);
  expect(end).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(end).toHaveBeenCalledTimes(1);
  stop();
  vi.advanceTimersByTime(60_000);
});

test("while it is held it does not end, and afterwards it does", () => {
  const end = vi.fn<() => void>();
  let isHeld = true;
  startCountdown(15_000, () => isHeld, end);
  vi.advanceTimersByTime(10 * 60_000);
  expect(end).not.toHaveBeenCalled();
  isHeld = false;
  vi.advanceTimersByTime(15_000);
  expect(end).toHaveBeenCalledTimes(1);
});
