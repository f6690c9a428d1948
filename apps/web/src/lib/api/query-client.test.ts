import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cached, queryClient } from "./query-client.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("an answer under the cache flag is kept for 5 minutes, others for 5 s", async () => {
  let calls = 0;
  const askAt = async (seconds: number, flag: object) => {
    vi.setSystemTime(seconds * 1000);
    return queryClient.fetchQuery({ queryKey: ["asked", flag], queryFn: () => (calls += 1), ...flag });
  };
  expect([await askAt(0, cached), await askAt(299, cached), await askAt(301, cached)]).toEqual([1, 1, 2]);
  expect([await askAt(400, {}), await askAt(404, {}), await askAt(406, {})]).toEqual([3, 3, 4]);
});
