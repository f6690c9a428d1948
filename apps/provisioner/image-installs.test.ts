import { eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { readPresence } from "#domain/workspaces/present-releases.ts";
import { backups, workspaces } from "#database/tables.ts";
import { after, hourMs, minuteMs } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { askFor, settled, subjects, updateOf } from "#testing/fleet/update-scene.ts";
import { DriverFailure } from "./drivers/driver.ts";
import { createImageInstalls } from "./image-installs.ts";

/** A fleet whose releases are images in a registry; `registry` says why it does not have one, or what else went wrong. */
function installsOf(fleet: TestFleet, registry: Map<string, Error>) {
  let aheadMs = 0;
  const proved: string[] = [];
  const { releases, runSpec } = fleet.engine;
  const engine: typeof fleet.engine = {
    ...fleet.engine,
    releases: ["2.1.0", "2.0.0"].map((version) => ({ ...releases[0]!, version })),
    runSpec: (workspace, version) => ({ ...runSpec(workspace, version), image: `n8n:${version}` }),
  };
  const installs = createImageInstalls({
    db: fleet.database.db,
    engine,
    driver: {
      proveImage: async (image) => {
        proved.push(image);
        const trouble = registry.get(image);
        if (trouble) throw trouble;
      },
    },
    clock: { now: () => after(new Date(), aheadMs) },
    log: createLog("silent"),
  });
  onTestFinished(() => installs.stop());
  return { installs, engine, proved, pass: (ms: number) => (aheadMs += ms) };
}

const missing = new DriverFailure("no_image", "the image r.example/n8n:2.1.0 cannot be pulled: not found");
const untilState = (installs: ReturnType<typeof createImageInstalls>, version: string, state: object) =>
  vi.waitFor(async () => expect(await installs.request(version)).toMatchObject(state), { timeout: 20_000, interval: 10 });

test("every known release is proved without being asked for, a missing one is named and asked for again, with pauses", async () => {
  await using fleet = await createTestFleet();
  const registry = new Map([["n8n:2.1.0", missing]]);
  const { installs, proved, pass } = installsOf(fleet, registry);
  await vi.waitFor(() => expect(proved.toSorted()).toEqual(["n8n:2.0.0", "n8n:2.1.0"]), 20_000);
  await untilState(installs, "2.0.0", { state: "installed" });
  await untilState(installs, "2.1.0", { state: "failed", reason: missing.message, mayBeThere: true });
  const presence = () => readPresence(fleet.database.db, "n8n", new Date());
  await vi.waitFor(async () => expect(Object.fromEntries(await presence())).toEqual({ "2.0.0": null, "2.1.0": missing.message }), 20_000);
  for (let asked = 0; asked < 20; asked += 1) await installs.request("2.1.0");
  expect(proved).toHaveLength(2);
  registry.clear();
  pass(minuteMs);
  await untilState(installs, "2.1.0", { state: "installed" });
  await vi.waitFor(async () => expect((await presence()).get("2.1.0")).toBeNull(), 20_000);
  expect(await installs.request("9.9.9")).toMatchObject({ state: "failed", isUnknown: true });
});

test("a proof is repeated after an hour: an image that has gone is missing, and a cluster that does not answer changes nothing", async () => {
  await using fleet = await createTestFleet();
  const registry = new Map<string, Error>();
  const { installs, proved, pass } = installsOf(fleet, registry);
  await untilState(installs, "2.1.0", { state: "installed" });
  await untilState(installs, "2.0.0", { state: "installed" });
  registry.set("n8n:2.1.0", missing).set("n8n:2.0.0", new Error("the cluster is full"));
  pass(hourMs);
  await untilState(installs, "2.1.0", { state: "failed" });
  await installs.request("2.0.0");
  await vi.waitFor(() => expect(proved).toHaveLength(4), 20_000);
  expect(await installs.request("2.0.0")).toEqual({ state: "installed" });
});

test("an owner's update to a version whose image is missing is refused: nothing is backed up or stopped, and it may be tried again", async () => {
  await using fleet = await createTestFleet();
  const registry = new Map([["n8n:2.1.0", missing]]);
  const { installs, engine } = installsOf(fleet, registry);
  fleet.startLoop({ installs, engine });
  const id = await fleet.want("acme");
  await fleet.until(id, settled("2.0.0"));
  const { instance } = fleet.world.get(id).run!;
  await askFor(fleet, id, "2.0.0", "2.1.0");
  await vi.waitFor(async () => expect((await updateOf(fleet, id)).state).toBe("failed"), { timeout: 20_000 });
  await fleet.until(id, (row) => settled("2.0.0")(row) && row.desiredVersion === "2.0.0");
  expect(await fleet.row(id)).toMatchObject({ observedState: "online", gatewayOpen: true });
  expect(fleet.world.get(id).run).toMatchObject({ instance, spec: { image: "n8n:2.0.0" } });
  expect(await fleet.database.db.select().from(backups)).toEqual([]);
  expect(await updateOf(fleet, id)).toMatchObject({ reason: "The new version could not be loaded onto a server.", backupId: null });
  expect(await fleet.journal(id)).not.toContain("update-started");
  expect(await subjects(fleet)).toEqual(["The update to Test engine 2.1.0 was undone"]);
});

test("a workspace that was stopped starts without waiting for a proof, and a new one waits for it", async () => {
  await using fleet = await createTestFleet();
  const { installs, engine } = installsOf(fleet, new Map());
  const first = fleet.startLoop({ installs, engine });
  const id = await fleet.want("acme");
  await fleet.until(id, (row) => settled("2.0.0")(row) && row.leaseOwner === null);
  await first.stop();
  fleet.world.crash(id);
  let prove: () => void = () => undefined;
  const proof = new Promise<void>((resolve) => (prove = resolve));
  const late = createImageInstalls({
    db: fleet.database.db,
    engine,
    driver: { proveImage: () => proof },
    clock: { now: () => new Date() },
    log: createLog("silent"),
  });
  onTestFinished(() => late.stop());
  fleet.startLoop({ installs: late, engine });
  await fleet.database.db.update(workspaces).set({ reconcileAt: new Date() }).where(eq(workspaces.id, id));
  const other = await fleet.want("other");
  await fleet.until(id, (row) => settled("2.0.0")(row) && fleet.world.get(id).run !== undefined);
  expect((await fleet.row(other)).observedVersion).toBeNull();
  prove();
  await fleet.until(other, settled("2.0.0"));
});
