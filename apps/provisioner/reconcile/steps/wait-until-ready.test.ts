import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createMemoryDriver } from "#apps/provisioner/drivers/memory/create-memory-driver.ts";
import { hourMs, systemClock } from "#platform/clock.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";

/** Soon after the third of the passes, which are a second apart. */
const startDelayMs = 2_200;
const online = (row: { observedState: string }): boolean => row.observedState === "online";

afterEach(() => void vi.restoreAllMocks());

/** A fleet whose workers' clock can be stopped: then no pass begins because time has passed, however slow the machine is. */
async function createHeldFleet() {
  let heldAt: Date | undefined;
  const fleet = await createTestFleet({ clock: { now: () => heldAt ?? new Date() } });
  onTestFinished(() => fleet.close());
  const holdTime = (): void => {
    heldAt = new Date();
    const at = performance.now();
    vi.spyOn(performance, "now").mockReturnValue(at);
  };
  return { fleet, holdTime };
}

/** Counts how often the workspace was asked before it answered. */
function countEarly(fleet: TestFleet): () => number {
  let early = 0;
  const { health } = fleet.engine;
  fleet.engine.health = async (address) => {
    const answer = await health(address);
    if (!answer.ready) early += 1;
    return answer;
  };
  return () => early;
}

/** One that has started, reports nothing and never answers: only the test ends the wait for it. */
async function startHeld() {
  const { fleet, holdTime } = await createHeldFleet();
  const early = countEarly(fleet);
  const driver = createMemoryDriver({ world: fleet.world, clock: systemClock, listen: true, startDelayMs: hourMs, saysReady: false });
  fleet.startLoop({ driver, readyTimeoutMs: hourMs });
  const id = await fleet.want("acme");
  await fleet.until(id, (row) => row.address !== null);
  holdTime();
  await fleet.until(id, (row) => row.progressStep === "wait-until-ready");
  const answerFromNow = () => void (fleet.world.get(id).run!.readyAt = new Date());
  return { fleet, id, early, answerFromNow };
}

test("a starting workspace that has not reported yet is checked once a second", async () => {
  await using fleet = await createTestFleet({ startDelayMs });
  const early = countEarly(fleet);
  fleet.startLoop();
  await fleet.until(await fleet.want("acme"), online);
  expect(early()).toBeLessThanOrEqual(4);
});

test("one that reports that it is ready is checked because of that, without any time passing", async () => {
  const { fleet, id, answerFromNow } = await startHeld();
  answerFromNow();
  fleet.world.sayReady(id);
  await fleet.until(id, online);
});

test("one that reports too early is checked all the time, and gets no owner before it answers", async () => {
  const { fleet, id, early, answerFromNow } = await startHeld();
  const owners: string[] = [];
  fleet.engine.setUpOwner = async () => void owners.push("set up");
  fleet.world.sayReady(id);
  await vi.waitFor(() => expect(early()).toBeGreaterThan(8), { timeout: 20_000 });
  expect(owners).toEqual([]);
  answerFromNow();
  await fleet.until(id, online);
  expect(owners).toEqual(["set up"]);
});

test("one whose report is lost still comes online", async () => {
  await using fleet = await createTestFleet({ startDelayMs });
  const driver = createMemoryDriver({ world: fleet.world, clock: systemClock, listen: true, startDelayMs, saysReady: false });
  const early = countEarly(fleet);
  fleet.startLoop({ driver });
  await fleet.until(await fleet.want("acme"), online);
  expect(early()).toBeLessThanOrEqual(5);
});
