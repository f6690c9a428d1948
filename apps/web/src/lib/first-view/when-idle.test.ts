import { expect, test } from "vitest";
import { whenIdle } from "./when-idle.ts";

test("prefetching waits at most 2 s for an idle moment, and may fail", () => {
  const scheduled: { run: () => void; timeout: number }[] = [];
  let fetches = 0;
  whenIdle(
    () => {
      fetches += 1;
      return Promise.reject(new Error("offline"));
    },
    (run, { timeout }) => scheduled.push({ run, timeout }),
  );
  expect([fetches, scheduled.map(({ timeout }) => timeout)]).toEqual([0, [2_000]]);
  scheduled[0]?.run();
  expect(fetches).toBe(1);
});
