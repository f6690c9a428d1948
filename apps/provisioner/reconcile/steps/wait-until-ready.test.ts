import { expect, test } from "vitest";
import { createMemoryDriver } from "#apps/provisioner/drivers/memory/create-memory-driver.ts";
import { systemClock } from "#platform/clock.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";

/** Soon after the third of the passes, which are a second apart: the one after it is this much later than `lateMs` may be. */
const startDelayMs = 2_200;
/** A slow machine carries out in this time what is due; the next pass alone would be later. */
const lateAtMost = 750;
const online = (row: { observedState: string }): boolean => row.observedState === "online";

/** `early` is how often it was asked before it answered, `lateMs` how long after that the first time was when it did. */
async function launch(fleet: TestFleet, changes: Parameters<TestFleet["startLoop"]>[0], onStart?: (id: string) => void) {
  const asked: { at: number; ready: boolean }[] = [];
  const { health } = fleet.engine;
  fleet.engine.health = async (address) => {
    const answer = await health(address);
    asked.push({ at: Date.now(), ready: answer.ready });
    return answer;
  };
  fleet.startLoop(changes);
  const id = await fleet.want("acme");
  await fleet.until(id, (row) => row.address !== null);
  const readyAt = fleet.world.get(id).run!.readyAt.getTime();
  onStart?.(id);
  await fleet.until(id, online);
  return { readyAt, early: asked.filter(({ ready }) => !ready).length, lateMs: asked.find(({ ready }) => ready)!.at - readyAt };
}

test("a starting workspace is asked once a second, and immediately when it says that it is ready", async () => {
  await using fleet = await createTestFleet({ startDelayMs });
  const { early, lateMs } = await launch(fleet, {});
  expect(early).toBeLessThanOrEqual(4);
  expect(lateMs).toBeLessThan(lateAtMost);
});

test("one that says so too early is asked all the time, and gets no owner before it answers", async () => {
  await using fleet = await createTestFleet({ startDelayMs });
  let setUpAt = 0;
  fleet.engine.setUpOwner = async () => void (setUpAt = Date.now());
  const { readyAt, early, lateMs } = await launch(fleet, {}, (id) => fleet.world.sayReady(id));
  expect(early).toBeGreaterThan(8);
  expect(lateMs).toBeLessThan(lateAtMost);
  expect(setUpAt).toBeGreaterThanOrEqual(readyAt);
});

test("one whose word is lost comes online all the same", async () => {
  await using fleet = await createTestFleet({ startDelayMs });
  const driver = createMemoryDriver({ world: fleet.world, clock: systemClock, listen: true, startDelayMs, saysReady: false });
  const { early } = await launch(fleet, { driver });
  expect(early).toBeLessThanOrEqual(5);
});
