/** A queued start whose reason changed before its turn. */
import { expect, test, vi } from "vitest";
import { requestDeletion } from "#domain/workspaces/desired/renew-workspace.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";

/** As many as may start together on a busy host. */
const herd = 6;

test("a workspace that is deleted while it waits for its turn is not started, and one that is taken over is left alone", async () => {
  await using fleet = await createTestFleet();
  const { driver } = fleet.backupTools;
  const started: string[] = [];
  const ensure: typeof driver.ensure = async (spec) => {
    if (spec.run) started.push(spec.workspaceId);
    return driver.ensure(spec);
  };
  const { health } = fleet.engine;
  let isReady = false;
  fleet.engine.health = (address) => (isReady ? health(address) : Promise.resolve({ ready: false }));
  fleet.startLoop({ driver: { ...driver, ensure }, isHostBusy: () => true });
  for (let index = 0; index < herd; index++) await fleet.want(`before-${index}`);
  await vi.waitFor(() => expect(started).toHaveLength(herd), { timeout: 60_000 });
  const [deleted, takenOver] = [await fleet.want("deleted"), await fleet.want("taken-over")];
  for (const id of [deleted, takenOver]) await fleet.until(id, (row) => row.progressStep === "prepare" && row.runningMemoryMb !== null);
  await requestDeletion(fleet.database.db, (await fleet.row(deleted)).accountId, new Date());
  await fleet.database.pool.query(
    "update workspaces set lease_owner = gen_random_uuid(), lease_until = clock_timestamp() + interval '1 hour' where id = $1",
    [takenOver],
  );
  isReady = true;
  await fleet.until(deleted, (row) => row.observedState === "deleted");
  const last = await fleet.want("last");
  await fleet.until(last, (row) => row.observedState === "online");
  expect(started).not.toContain(deleted);
  expect(started).not.toContain(takenOver);
});
