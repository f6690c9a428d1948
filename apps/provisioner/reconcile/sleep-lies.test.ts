/** Workspaces that lie about sleep, or keep themselves busy for nothing: they harm no other workspace, and cost no more than allowed. */
import { request } from "node:http";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { EngineRest } from "#apps/provisioner/engines/engine.ts";
import { workspaces } from "#database/tables.ts";
import { after, dayMs, minuteMs, secondMs } from "#platform/clock.ts";
import { asleep, awake, launched, looked } from "#testing/fleet/sleepers.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";

test.each([
  ["its next execution is a year ago", { sleepable: true, due: after(new Date(), -365 * dayMs) }],
  ["its next execution is always in a minute", { sleepable: true, due: after(new Date(), minuteMs) }],
  ["it never may", { sleepable: false, due: new Date() }],
])("one that says %s stays awake, and is looked at no sooner for it", async (_what, said) => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await launched(fleet, "mallory");
  fleet.engine.rests.set(id, said);
  await fleet.leaveAlone(id);
  const row = await fleet.until(id, looked);
  expect(row.asleepSince).toBeNull();
  expect(row.reconcileAt!.getTime() - Date.now()).toBeGreaterThan(30 * secondMs);
});

test("one that gets itself woken again and again sleeps five minutes each time", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await launched(fleet, "mallory");
  const due = after(new Date(), 5 * minuteMs + 40 * secondMs);
  fleet.engine.rests.set(id, { sleepable: true, due });
  await fleet.leaveAlone(id);
  let last = new Date(0);
  for (let turn = 0; turn < 3; turn += 1) {
    const row = await fleet.until(id, (now) => asleep(now) && now.asleepSince! > last);
    expect(row.sleepUntil!.getTime() - row.asleepSince!.getTime()).toBeGreaterThanOrEqual(5 * minuteMs);
    expect(row.reconcileAt!.getTime() - row.asleepSince!.getTime()).toBeGreaterThanOrEqual(5 * minuteMs);
    last = row.asleepSince!;
    await fleet.database.db.update(workspaces).set({ sleepUntil: new Date(), reconcileAt: new Date() }).where(eq(workspaces.id, id));
    await fleet.until(id, awake);
    await fleet.leaveAlone(id);
  }
});

test("one that never answers the question about sleep delays no other workspace's sleep, and no requests", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const [mallory, bob] = [await launched(fleet, "mallory"), await launched(fleet, "bob")];
  const { ask } = fleet.engine.sleep!;
  const silence = Promise.withResolvers<EngineRest>();
  fleet.engine.sleep!.ask = (address, id) => (id === mallory ? silence.promise : ask(address, id));
  await fleet.leaveAlone(mallory);
  await fleet.leaveAlone(bob);
  await fleet.until(bob, asleep);
  expect((await fleet.call("mallory")).status).toBe(200);
  expect((await fleet.call("bob")).status).toBe(200);
  silence.resolve({ sleepable: true, due: null });
});

test("one whose visitors send their requests byte by byte is the only one that stays awake", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const [mallory, bob] = [await launched(fleet, "mallory"), await launched(fleet, "bob")];
  const headers = { host: "mallory.localhost", "content-length": "1000" };
  const dripping = Array.from({ length: 20 }, () => {
    const req = request({ host: "127.0.0.1", port: fleet.port, path: "/webhook", method: "POST", headers, agent: false });
    req.on("error", () => undefined);
    req.write("x");
    return req;
  });
  await fleet.until(mallory, (row) => row.usedAt !== null);
  await fleet.leaveAlone(bob);
  await fleet.database.db
    .update(workspaces)
    .set({ startedAt: after(new Date(), -dayMs), reconcileAt: new Date() })
    .where(eq(workspaces.id, mallory));
  await fleet.until(bob, asleep);
  expect(await fleet.until(mallory, looked)).toMatchObject({ asleepSince: null });
  expect((await fleet.row(bob)).wakeAskedAt).toBeNull();
  dripping.forEach((req) => req.destroy());
});
