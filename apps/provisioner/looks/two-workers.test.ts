/** Two workers of one service: each question is answered, and each sample taken, by one of them. */
import { expect, onTestFinished, test } from "vitest";
import { askLook, claimLooks, readLook } from "#domain/workspaces/observed/look-store.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";
import { waitFor } from "#testing/wait-for.ts";
import type { Driver } from "../drivers/driver.ts";
import type { Engine } from "../engines/engine.ts";
import { startLooks } from "./answer-looks.ts";
import { startMemorySampling } from "./sample-memory.ts";

const patience = { timeout: 20_000, interval: 20 };
const shared = { clock: systemClock, log: createLog("silent") };

test("a question is answered by one worker, by another one if that was killed, and again when it is repeated", async () => {
  await using fleet = await createTestFleet();
  const { db, pool } = fleet.database;
  const id = await fleet.want("one");
  let reads = 0;
  const driver = {
    observe: async () => ({ state: "running" }) as never,
    logs: async () => {
      reads += 1;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return `read ${reads}`;
    },
  } as unknown as Driver;
  const worker = () => startLooks({ ...shared, db, driver, engine: {} as Engine });
  await askLook(db, id, "logs", new Date());
  const workers = [worker(), worker(), worker()];
  onTestFinished(() => Promise.all(workers.map((each) => each.stop())).then(() => undefined));
  const answered = () => waitFor(async () => expect((await readLook(db, id, "logs"))?.askedAt).toBeNull(), patience);
  await answered();
  expect(reads).toBe(1);

  // In one transaction, as the workers look for questions all the time.
  const askAndTake = () =>
    db.transaction(async (tx) => {
      await askLook(tx, id, "logs", new Date());
      return claimLooks(tx, { most: 10, seconds: 15 });
    });
  // Killed after it took the question.
  expect(await askAndTake()).toHaveLength(1);
  workers.forEach((each) => each.wake());
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(reads).toBe(1);
  await pool.query("update workspace_looks set lease_until = clock_timestamp() - interval '1 second'");
  workers.forEach((each) => each.wake());
  await answered();
  expect(reads).toBe(2);

  // A new question does not wait for the lease of the one before.
  await askAndTake();
  await askLook(db, id, "logs", new Date());
  workers.forEach((each) => each.wake());
  await answered();
  expect(reads).toBe(3);
});

test("a worker that stops does not wait until a sleeping workspace is awake", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  const id = await fleet.want("one");
  const driver = { observe: async () => ({ state: "running" }) } as unknown as Driver;
  const waking = Promise.withResolvers<void>();
  const wake = () => {
    waking.resolve();
    return new Promise<never>(() => {});
  };
  const worker = startLooks({ ...shared, db, driver, engine: {} as Engine, wake });
  await askLook(db, id, "members", new Date());
  worker.wake();
  await waking.promise;
  await worker.stop();
});

test("memory is measured by one worker, and by the other once that has stopped", async () => {
  await using fleet = await createTestFleet();
  const taken = [0, 0];
  const samplings = taken.map((_none, index) => {
    const usage = async () => {
      taken[index]! += 1;
      return new Map();
    };
    return startMemorySampling({ ...shared, db: fleet.database.db, driver: { usage } as unknown as Driver }, 30);
  });
  onTestFinished(() => Promise.all(samplings.map((each) => each.stop())).then(() => undefined));
  await waitFor(() => expect(Math.max(...taken)).toBeGreaterThan(4), patience);
  expect(Math.min(...taken)).toBe(0);
  const first = taken.indexOf(Math.max(...taken));
  await samplings[first]!.stop();
  await waitFor(() => expect(taken[1 - first]).toBeGreaterThan(1), patience);
});
