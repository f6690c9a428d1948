import { expect, test } from "vitest";
import { after, hourMs, minuteMs } from "#platform/clock.ts";
import { nextLook } from "./next-look.ts";

const now = new Date("2027-03-01T12:00:00Z");
const ago = (ms: number) => after(now, -ms);
/** Number 0 has no share of the spread. */
const workspace = (quietMs: number) => ({ number: 0, activeAt: ago(quietMs), updatedAt: ago(30 * hourMs) });
const running = { startedAt: ago(30 * hourMs), failures: 0 };
const waitMs = (...args: Parameters<typeof nextLook>) => nextLook(...args).getTime() - args[2].getTime();

test("a healthy workspace is checked again after as long as it has been quiet: a minute at least, six hours at most", () => {
  expect(waitMs(workspace(0), running, now)).toBe(minuteMs);
  expect(waitMs(workspace(20 * minuteMs), running, now)).toBe(20 * minuteMs);
  expect(waitMs(workspace(20 * hourMs), running, now)).toBe(6 * hourMs);
});

test("a start, a change of the desired state, and a recent failure count as not quiet; so does a clock that was set back", () => {
  const quiet = workspace(20 * hourMs);
  expect(waitMs(quiet, { ...running, startedAt: ago(2 * minuteMs) }, now)).toBe(2 * minuteMs);
  expect(waitMs({ ...quiet, updatedAt: ago(3 * minuteMs) }, running, now)).toBe(3 * minuteMs);
  expect(waitMs(quiet, { ...running, failures: 1 }, now)).toBe(minuteMs);
  expect(waitMs({ ...quiet, activeAt: after(now, hourMs) }, running, now)).toBe(minuteMs);
});

test("checks of workspaces that were started together are spread over a quarter of the wait", () => {
  const waits = Array.from({ length: 1_000 }, (_, number) => waitMs({ ...workspace(20 * hourMs), number }, running, now));
  const hundredths = new Set(waits.map((ms) => Math.floor((ms - 4.5 * hourMs) / (0.015 * hourMs))));
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(4.5 * hourMs);
  expect(Math.max(...waits)).toBe(6 * hourMs);
  expect(hundredths.size).toBeGreaterThanOrEqual(100);
});
