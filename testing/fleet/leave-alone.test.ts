import { expect, test } from "vitest";
import { asleep, launched, looked } from "./sleepers.ts";
import { createTestFleet } from "./test-fleet.ts";

test("a workspace that is left alone keeps sleeping, even if it fell asleep during a request that requested its wake after its worker ended", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const first = fleet.startLoop();
  const id = await launched(fleet);
  // Recorded by the gateway, which records no other use for a minute.
  expect((await fleet.call("acme")).status).toBe(200);
  const { ask } = fleet.engine.sleep!;
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  fleet.engine.sleep!.ask = async (...args) => {
    asked.resolve();
    await answered.promise;
    return ask(...args);
  };
  await fleet.leaveAlone(id);
  await asked.promise;
  fleet.world.get(id).unresponsive = true;
  void fleet.call("acme").catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const stopping = first.stop();
  answered.resolve();
  await stopping;
  await fleet.until(id, (row) => asleep(row) && row.wakeAskedAt !== null);
  fleet.world.get(id).unresponsive = false;
  await fleet.leaveAlone(id);
  fleet.startLoop();
  expect((await fleet.until(id, looked)).asleepSince).not.toBeNull();
  expect((await fleet.call("acme")).status).toBe(200);
});
