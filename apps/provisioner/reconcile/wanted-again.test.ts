/** A workspace that is wanted again while it is being deleted: removed parts are set up again, the rest stays. */
import { expect, test, vi } from "vitest";
import { say } from "#contract/sentences/say.ts";
import { listInvitations, saveInvitations } from "#domain/invitations/invitation-store.ts";
import { setDesiredState } from "#domain/workspaces/desired/set-desired-state.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { createBackups, type Backups } from "../backups/create-backups.ts";
import type { Reconciler } from "./step.ts";

const online = (row: { observedState: string; observedGeneration: number; generation: number; leaseOwner: string | null }) =>
  row.observedState === "online" && row.observedGeneration === row.generation && row.leaseOwner === null;

async function launched(fleet: TestFleet, changes: Partial<Reconciler>): Promise<string> {
  fleet.startLoop(changes);
  const id = await fleet.want("acme");
  await fleet.until(id, online);
  fleet.world.get(id).storage.set("things/count.json", '{"workflows":3,"credentials":2,"executions":1}');
  return id;
}

const lines = {
  running: { event: "paid", message: say("paid") },
  deleted: { event: "expired", message: say("subscriptionExpired") },
} as const;

async function want(fleet: TestFleet, id: string, state: "running" | "deleted"): Promise<void> {
  const { accountId } = await fleet.row(id);
  await fleet.database.db.transaction((tx) => setDesiredState(tx, accountId, state, lines[state], new Date()));
}

async function invite(fleet: TestFleet, id: string, email: string): Promise<void> {
  await saveInvitations(fleet.database.db, (await fleet.row(id)).accountId, [email], new Date());
}

/** The addresses that the owner's page shows, and the plan's limit counts. */
const invited = async (fleet: TestFleet, id: string): Promise<string[]> =>
  (await listInvitations(fleet.database.db, (await fleet.row(id)).accountId)).map(({ email }) => email);

test("if it is paid again during the removal, it gets its owner before the gateway opens", async () => {
  await using fleet = await createTestFleet();
  const removing = Promise.withResolvers<void>();
  let isRemoving = false;
  const { driver } = fleet.backupTools;
  const remove = async (id: string): Promise<void> => {
    isRemoving = true;
    await removing.promise;
    await driver.remove(id);
  };
  const id = await launched(fleet, { driver: { ...driver, remove } });
  await want(fleet, id, "deleted");
  await vi.waitFor(() => expect(isRemoving).toBe(true), { timeout: 20_000 });
  await want(fleet, id, "running");
  removing.resolve();
  await vi.waitFor(async () => expect(await fleet.journal(id)).toContain("deleted"), { timeout: 20_000 });
  await fleet.until(id, online);
  expect(fleet.engine.owners.get(id)).toBe(2);
  expect(fleet.world.get(id).storage.has("things/count.json")).toBe(false);
  expect((await fleet.row(id)).renewedAt).not.toBeNull();
});

test("if its worker is killed after the removal and it is then paid again, it gets its owner too", async () => {
  await using fleet = await createTestFleet();
  let isRemoved = false;
  const { driver } = fleet.backupTools;
  // The worker never returns from this call.
  const remove = async (id: string): Promise<void> => {
    if (isRemoved) return driver.remove(id);
    await driver.remove(id);
    await fleet.database.pool.query(
      "update workspaces set lease_owner = gen_random_uuid(), lease_until = clock_timestamp() + interval '1 second' where id = $1",
      [id],
    );
    isRemoved = true;
  };
  const id = await launched(fleet, { driver: { ...driver, remove } });
  await want(fleet, id, "deleted");
  await vi.waitFor(() => expect(isRemoved).toBe(true), { timeout: 20_000 });
  await want(fleet, id, "running");
  await fleet.until(id, online);
  expect(fleet.engine.owners.get(id)).toBe(2);
});

/** Backups that are begun, and made only after `finish`. */
function holdBackups({ backupTools }: TestFleet): { backups: Backups; isMade(): boolean; finish(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const backups = createBackups(backupTools);
  let isMade = false;
  const make: Backups["make"] = async (...args) => {
    isMade = true;
    await promise;
    return backups.make(...args);
  };
  return { backups: { ...backups, make }, isMade: () => isMade, finish: resolve };
}

test("if it is paid again during its last backup, it keeps its data", async () => {
  await using fleet = await createTestFleet();
  const copy = holdBackups(fleet);
  const id = await launched(fleet, { backups: copy.backups });
  await invite(fleet, id, "bob@example.com");
  await want(fleet, id, "deleted");
  await vi.waitFor(() => expect(copy.isMade()).toBe(true), { timeout: 20_000 });
  await want(fleet, id, "running");
  copy.finish();
  await fleet.until(id, online);
  expect(await invited(fleet, id)).toEqual(["bob@example.com"]);
  expect(fleet.world.get(id).storage.has("things/count.json")).toBe(true);
  expect(fleet.engine.owners.get(id)).toBe(1);
  expect(await fleet.journal(id)).toEqual(["requested", "started", "online", "expired", "paid", "started", "online"]);
  expect((await fleet.row(id)).failures).toBe(0);
});

test("a removal by the service ends the invitations of that life, but not one made for the next", async () => {
  await using fleet = await createTestFleet();
  const copy = holdBackups(fleet);
  const id = await launched(fleet, { backups: copy.backups });
  await invite(fleet, id, "bob@example.com");
  await invite(fleet, id, "eve@example.com");
  await want(fleet, id, "deleted");
  await vi.waitFor(() => expect(copy.isMade()).toBe(true), { timeout: 20_000 });
  expect(await invited(fleet, id)).toEqual(["bob@example.com", "eve@example.com"]);
  await invite(fleet, id, "kim@example.com");
  copy.finish();
  await fleet.until(id, ({ observedState }) => observedState === "deleted");
  expect(await invited(fleet, id)).toEqual(["kim@example.com"]);
});
