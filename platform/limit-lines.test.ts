import { expect, test, vi } from "vitest";
import { limitLines } from "./limit-lines.ts";

test("each key has its lines, and what was left out is counted when the minute is over", async () => {
  vi.useFakeTimers();
  try {
    const leftOut: [string, number][] = [];
    const mayLog = limitLines({ perMinute: 3, onLeftOut: (key, lines) => leftOut.push([key, lines]) });
    const written = () => Array.from({ length: 1_000 }, () => mayLog("loud")).filter(Boolean).length;
    expect(written()).toBe(3);
    expect(mayLog("quiet")).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(leftOut).toEqual([["loud", 997]]);
    expect(written()).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});

test("a flood of different keys is bounded too: those beyond ten thousand share one", () => {
  vi.useFakeTimers();
  try {
    let said = 0;
    const mayLog = limitLines({ perMinute: 2, onLeftOut: () => (said += 1) });
    let written = 0;
    for (let key = 0; key < 30_000; key += 1) for (let line = 0; line < 5; line += 1) if (mayLog(`key ${key}`)) written += 1;
    expect(written).toBe(2 * 10_000 + 2);
    vi.advanceTimersByTime(60_000);
    expect(said).toBe(101);
  } finally {
    vi.useRealTimers();
  }
});
