import { expect, test } from "vitest";
import { pollDelayMs, runPolls } from "./polling-schedule.ts";

const { signal } = new AbortController();

test("12 polls every 5 s, then 16 every 15 s, then none", () => {
  const delays = Array.from({ length: 28 }, (_, done) => pollDelayMs(done));
  expect(delays).toEqual([...Array.from({ length: 12 }, () => 5_000), ...Array.from({ length: 16 }, () => 15_000)]);
  expect(pollDelayMs(28)).toBeNull();
  expect(pollDelayMs(1_000)).toBeNull();
});

test("polling ends with the first poll that finds the workspace settled", async () => {
  let polls = 0;
  const outcome = await runPolls({ poll: async () => ++polls === 3, wait: async () => {}, signal });
  expect([outcome, polls]).toEqual(["settled", 3]);
});

test("28 polls without success time out", async () => {
  const waits: number[] = [];
  let polls = 0;
  const poll = async () => (polls++, false);
  expect(await runPolls({ poll, wait: async (delayMs) => void waits.push(delayMs), signal })).toBe("timed-out");
  expect(polls).toBe(28);
  expect(waits.reduce((sum, delayMs) => sum + delayMs)).toBe(300_000);
});

test("a failed poll ends the run", async () => {
  expect(await runPolls({ poll: () => Promise.reject(new Error("no answer")), wait: async () => {}, signal })).toBe("failed");
});

test("a run stopped while waiting makes no more requests", async () => {
  const stop = new AbortController();
  const wait = async () => stop.abort();
  expect(await runPolls({ poll: () => expect.unreachable(), wait, signal: stop.signal })).toBe("stopped");
});

test("one poll runs at a time", async () => {
  let running = 0;
  const poll = async () => {
    expect(++running).toBe(1);
    await Promise.resolve();
    running--;
    return false;
  };
  await runPolls({ poll, wait: async () => {}, signal });
});
