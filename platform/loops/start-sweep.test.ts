import { expect, test, vi } from "vitest";
import { createTestClock } from "#testing/test-clock.ts";
import type { Database } from "../database.ts";
import { createLog } from "../log.ts";
import { startSweep } from "./start-sweep.ts";

test("a failed sweep does not stop the others, and all end with the program", async () => {
  const swept: string[] = [];
  const sweeps = {
    broken: () => Promise.reject(new Error("no such table")),
    other: () => Promise.resolve(void swept.push("other")),
  };
  const sweep = startSweep(sweeps, { db: {} as Database, clock: createTestClock(), log: createLog("silent") });
  await vi.waitFor(() => expect(swept).toEqual(["other"]), { timeout: 15_000 });
  await sweep.stop();
});
