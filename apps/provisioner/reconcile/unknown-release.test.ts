/** Releases that this program does not know: they left the repository, or only a newer worker beside this one has them. */
import { expect, test } from "vitest";
import { eq } from "drizzle-orm";
import { workspaces } from "#database/tables.ts";
import { listFailedVersions } from "#domain/updates/update-store.ts";
import { requestRestart } from "#domain/workspaces/workspace-store.ts";
import { askFor, launched, settled, updateOf } from "#testing/fleet/update-scene.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { after, minuteMs } from "#platform/clock.ts";
import { EngineInstallFailure } from "../engines/engine.ts";
import type { EngineInstalls } from "../engine-installs.ts";

/** `requested` contains what could not be installed. */
const unknownTo = (fleet: TestFleet, requested: string[] = []): EngineInstalls => ({
  request: (version) => {
    if (fleet.engine.installed.has(version)) return Promise.resolve({ state: "installed" });
    requested.push(version);
    return Promise.resolve({ state: "failed", reason: "unknown", retryAt: after(new Date(), minuteMs), isUnknown: true });
  },
  stop: () => Promise.resolve(),
});

/** 2.0.0 leaves this host and the repository. */
function forget(fleet: TestFleet, version = "2.0.0"): void {
  fleet.engine.installed.delete(version);
  fleet.engine.installFails = new EngineInstallFailure("unknown", `${version} is not a release this repository has qualified`);
}

const look = (fleet: TestFleet, id: string) =>
  fleet.database.db.update(workspaces).set({ reconcileAt: new Date() }).where(eq(workspaces.id, id));
const looked = (row: { reconcileAt: Date | null; leaseOwner: string | null }) =>
  row.leaseOwner === null && (row.reconcileAt === null || row.reconcileAt > new Date());

test("a workspace whose release left the repository keeps running, and its gateway stays open", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  forget(fleet);
  const { startedAt } = await fleet.row(id);
  for (let passes = 0; passes < 3; passes++) {
    await look(fleet, id);
    await fleet.until(id, looked);
  }
  expect(await fleet.row(id)).toMatchObject({ observedState: "online", gatewayOpen: true, failures: 0, startedAt });
  expect(await fleet.visit("acme")).toBe(true);
  expect(await fleet.journal(id)).toEqual(["requested", "started", "online"]);
});

test("a restart of such a workspace waits without stopping it, says so once, and follows when the release is back", async () => {
  let aheadMs = 0;
  await using fleet = await createTestFleet({ clock: { now: () => after(new Date(), aheadMs) } });
  const id = await launched(fleet);
  forget(fleet);
  const { accountId } = await fleet.row(id);
  await requestRestart(fleet.database.db, accountId, new Date());
  // For the first minute it is left to other workers.
  aheadMs = 2 * minuteMs;
  await fleet.until(id, (row) => row.reasonCode === "install-failed" && row.leaseOwner === null);
  await look(fleet, id);
  await fleet.until(id, looked);
  expect(await fleet.row(id)).toMatchObject({ observedState: "online", gatewayOpen: true, generation: 2, observedGeneration: 1 });
  expect(await fleet.visit("acme")).toBe(true);
  expect((await fleet.journal(id)).filter((event) => event === "install-failed")).toHaveLength(1);
  fleet.engine.installed.add("2.0.0");
  await look(fleet, id);
  expect(await fleet.until(id, (row) => row.observedGeneration === 2 && row.observedState === "online")).toMatchObject({
    reason: null,
    reasonCode: null,
  });
});

test("a restart that waits for a release is looked at again when the next try is due, not every ten seconds", async () => {
  await using fleet = await createTestFleet();
  let isMissing = false;
  const loop = fleet.startLoop({
    installs: {
      request: () =>
        Promise.resolve(
          isMissing
            ? { state: "failed", reason: "not found", retryAt: after(new Date(), 5 * minuteMs), mayBeThere: true }
            : { state: "installed" },
        ),
      stop: () => Promise.resolve(),
    },
  });
  const id = await fleet.want("acme");
  await fleet.until(id, settled("2.0.0"));
  isMissing = true;
  const { accountId } = await fleet.row(id);
  await requestRestart(fleet.database.db, accountId, new Date());
  loop.wake();
  const waits = await fleet.until(id, (row) => row.reasonCode === "install-failed" && row.leaseOwner === null && looked(row));
  expect(waits).toMatchObject({ observedState: "online", gatewayOpen: true });
  // Its usual looks, a minute apart, may come first.
  expect(waits.reconcileAt!.getTime()).toBeGreaterThan(Date.now() + 20_000);
});

test("a workspace on such a release can be updated to another one", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  forget(fleet);
  await askFor(fleet, id, "2.0.0", "2.1.0");
  await fleet.until(id, settled("2.1.0"));
});

test("of two workers, the one that knows the release makes the update, and the other counts nothing", async () => {
  await using fleet = await createTestFleet();
  const requested: string[] = [];
  const older = fleet.startLoop({ installs: unknownTo(fleet, requested) });
  const id = await fleet.want("acme");
  await fleet.until(id, settled("2.0.0"));
  fleet.world.get(id).storage.set("things/count.json", '{"workflows":3,"credentials":2,"executions":1}');
  await askFor(fleet, id, "2.0.0", "2.1.0");
  older.wake();
  await fleet.until(id, (row) => requested.includes("2.1.0") && row.leaseOwner === null);
  expect(await fleet.row(id)).toMatchObject({ observedState: "online", failures: 0, desiredVersion: "2.1.0" });
  expect(await updateOf(fleet, id)).toMatchObject({ state: "running" });
  const newer: EngineInstalls = { request: () => Promise.resolve({ state: "installed" }), stop: () => Promise.resolve() };
  fleet.startLoop({ installs: newer });
  await fleet.until(id, (row) => settled("2.1.0")(row) && row.leaseOwner === null);
  expect(await updateOf(fleet, id)).toMatchObject({ state: "successful" });
  expect(await fleet.journal(id)).not.toContain("update-failed");
});

test("a release that no worker knows is given up after ten minutes, and is not barred for good", async () => {
  await using fleet = await createTestFleet();
  let aheadMs = 0;
  const clock = { now: () => after(new Date(), aheadMs) };
  fleet.startLoop({ installs: unknownTo(fleet), clock });
  const id = await fleet.want("acme");
  await fleet.until(id, settled("2.0.0"));
  await askFor(fleet, id, "2.0.0", "2.1.0");
  aheadMs = 5 * minuteMs;
  await look(fleet, id);
  await fleet.until(id, looked);
  expect(await updateOf(fleet, id)).toMatchObject({ state: "running" });
  expect(await fleet.visit("acme")).toBe(true);
  aheadMs = 11 * minuteMs;
  await fleet.until(id, (row) => settled("2.0.0")(row) && row.desiredVersion === "2.0.0");
  expect(await fleet.visit("acme")).toBe(true);
  expect(await updateOf(fleet, id)).toMatchObject({ state: "failed" });
  expect((await listFailedVersions(fleet.database.db, [id])).size).toBe(0);
});
