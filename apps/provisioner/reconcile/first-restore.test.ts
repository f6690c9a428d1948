/** A workspace that comes back from its last backup: it never starts empty instead, whatever happens before its files are in place. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createBackups } from "#apps/provisioner/backups/create-backups.ts";
import { firstRestore } from "#apps/ops/commands/first-restore.ts";
import type { OpsContext } from "#apps/ops/command.ts";
import { say } from "#contract/sentences/say.ts";
import { backups, restores, workspaces } from "#database/tables.ts";
import { BackupFailure } from "#domain/backups/backup-failure.ts";
import { holdLastBackup, restoreLastBackup } from "#domain/backups/last-backup.ts";
import { insertRestore } from "#domain/backups/restores/restore-store.ts";
import { renewWorkspace, requestDeletion } from "#domain/workspaces/desired/renew-workspace.ts";
import { readCustomerFacts } from "#domain/journeys/assist-customer/customer-facts.ts";
import { nextSteps } from "#domain/journeys/assist-customer/next-steps.ts";
import { setDesiredState } from "#domain/workspaces/desired/set-desired-state.ts";
import { countFleet } from "#domain/workspaces/observed/fleet-store.ts";
import { readJournal } from "#domain/workspaces/workspace-store.ts";
import { beginStory } from "#domain/workspaces/stories/begin-story.ts";
import { after, dayMs, minuteMs, systemClock } from "#platform/clock.ts";
import { settled } from "#testing/fleet/sleepers.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";

let fleet: TestFleet;
beforeAll(async () => void (fleet = await createTestFleet()));
afterAll(() => fleet?.close());

const things = JSON.stringify({ workflows: 3, credentials: 2, executions: 1 });
const contentsOf = (id: string) => fleet.world.get(id).storage.get("things/count.json");
const waiting = async () => (await countFleet(fleet.database.db, new Date())).firstRestoresWaiting;
const due = (id: string) => fleet.database.db.update(workspaces).set({ reconcileAt: new Date() }).where(eq(workspaces.id, id));
const restoresOf = (id: string) =>
  fleet.database.db.select().from(restores).where(eq(restores.workspaceId, id)).orderBy(restores.createdAt);

/** Fails the next restores with this code. */
let fails: BackupFailure["code"] | null = null;

function startLoop() {
  const { backups: real } = fleet.reconciler();
  return fleet.startLoop({
    backups: {
      ...real,
      async restore(workspace, backupId) {
        if (fails) throw new BackupFailure(fails, `it is ${fails}`);
        return real.restore(workspace, backupId);
      },
    },
  });
}

async function set(id: string, desired: "running" | "stopped" | "deleted"): Promise<void> {
  const { accountId } = await fleet.row(id);
  await fleet.database.db.transaction((tx) => setDesiredState(tx, accountId, desired, { event: "paid", message: say("paid") }, new Date()));
}

/** As a payment does. */
async function bringBack(id: string): Promise<string> {
  const { accountId, life } = await fleet.row(id);
  const now = new Date();
  return fleet.database.db.transaction(async (tx) => {
    const last = (await holdLastBackup(tx, { accountId, life }, now))!;
    await setDesiredState(tx, accountId, "running", { event: "paid", message: say("paid") }, now);
    await restoreLastBackup(tx, last, { actor: "Ada", days: 30, now });
    return last.id;
  });
}

/** One that was used and deleted, with its last backup. */
async function deleted(name: string): Promise<string> {
  const loop = startLoop();
  const id = await fleet.want(name);
  await fleet.until(id, settled);
  fleet.world.get(id).storage.set("things/count.json", things);
  await end(id, loop);
  return id;
}

async function end(id: string, loop: ReturnType<typeof startLoop>): Promise<void> {
  await set(id, "deleted");
  loop.wake();
  await fleet.until(id, ({ observedState, leaseOwner }) => observedState === "deleted" && leaseOwner === null);
  await loop.stop();
}

const ops = (login: string, options: Record<string, boolean> = {}) =>
  firstRestore.run({ db: fleet.database.db, clock: systemClock, operator: "grace", print: () => undefined } as unknown as OpsContext, {
    arguments: [login],
    options,
  });
const waits = ({ reasonCode, leaseOwner }: { reasonCode: string | null; leaseOwner: string | null }) =>
  reasonCode === "first-restore-failed" && leaseOwner === null;

test("a workspace that is stopped before its last backup was restored comes back with it once it runs again", async () => {
  const id = await deleted("stopped-first");
  const backupId = await bringBack(id);
  await set(id, "stopped");
  const loop = startLoop();
  await fleet.until(id, ({ observedState }) => observedState === "stopped");
  expect(await restoresOf(id)).toMatchObject([{ backupId, finishedAt: null }]);
  await set(id, "running");
  loop.wake();
  await fleet.until(id, settled);
  expect(contentsOf(id)).toBe(things);
  expect(await restoresOf(id)).toMatchObject([{ backupId, life: 2, state: "successful" }]);
  await loop.stop();
});

test("while the storage is down, a workspace waits for its last backup, says why and is counted; it starts once the backup is in place", async () => {
  const id = await deleted("waits");
  fails = "failed";
  const backupId = await bringBack(id);
  let loop = startLoop();
  // More tries than another restore has.
  for (let times = 1; times <= 5; times += 1) {
    const { ownerSetUpAt } = await fleet.until(id, (row) => row.failures >= times || row.ownerSetUpAt !== null);
    expect(ownerSetUpAt, `it started empty after try ${times}`).toBeNull();
    await due(id);
    loop.wake();
  }
  await fleet.until(id, waits);
  expect(await fleet.row(id)).toMatchObject({ desiredState: "running", ownerSetUpAt: null, gatewayOpen: false });
  expect(await restoresOf(id)).toMatchObject([
    { backupId, state: "running", finishedAt: null, reason: expect.stringContaining("could not be restored yet") },
  ]);
  await vi.waitFor(async () =>
    expect(await fleet.row(id)).toMatchObject({
      observedState: "offline",
      reasonCode: "first-restore-failed",
      reason: expect.stringContaining("does not start empty"),
    }),
  );
  expect(await waiting()).toBe(1);
  // After an hour of tries, they become rare. A pass that is under way would write its own count.
  await loop.stop();
  await fleet.database.db.update(workspaces).set({ failures: 20, reconcileAt: new Date() }).where(eq(workspaces.id, id));
  loop = startLoop();
  await fleet.until(id, ({ reconcileAt }) => reconcileAt !== null && reconcileAt.getTime() > Date.now() + 30 * 60_000);
  fails = null;
  await due(id);
  loop.wake();
  await fleet.until(id, settled);
  expect(contentsOf(id)).toBe(things);
  expect(await waiting()).toBe(0);
  await loop.stop();
});

test("with a damaged last backup it waits as well; its owner can delete the workspace and start an empty one", async () => {
  const id = await deleted("chooses");
  fails = "damaged";
  await bringBack(id);
  const loop = startLoop();
  await fleet.until(id, waits);
  expect(await restoresOf(id)).toMatchObject([{ finishedAt: null }]);
  const { accountId, desiredVersion, timezone, memoryMb } = await fleet.row(id);
  await fleet.database.db.transaction((tx) => requestDeletion(tx, accountId, new Date()));
  loop.wake();
  await fleet.until(id, ({ observedState, leaseOwner }) => observedState === "deleted" && leaseOwner === null);
  await fleet.database.db.transaction((tx) => renewWorkspace(tx, accountId, { desiredVersion, timezone, memoryMb }, new Date()));
  loop.wake();
  await fleet.until(id, settled);
  expect(contentsOf(id)).toBeUndefined();
  expect(await restoresOf(id)).toMatchObject([{ state: "failed" }]);
  fails = null;
  await loop.stop();
});

test("a workspace that ends before its restore was carried out has its backup kept for as long as after its first deletion", async () => {
  const id = await deleted("ends-again");
  const backupId = await bringBack(id);
  const kept = async () => (await fleet.database.db.select().from(backups).where(eq(backups.id, backupId)))[0]!.keptUntil!.getTime();
  await fleet.database.db
    .update(backups)
    .set({ keptUntil: after(new Date(), 2 * dayMs) })
    .where(eq(backups.id, backupId));
  await set(id, "deleted");
  const loop = startLoop();
  await fleet.until(id, ({ observedState, leaseOwner }) => observedState === "deleted" && leaseOwner === null);
  expect(await kept()).toBeGreaterThan(Date.now() + 29 * dayMs);
  expect(await bringBack(id)).toBe(backupId);
  loop.wake();
  await fleet.until(id, settled);
  expect(contentsOf(id)).toBe(things);
  await loop.stop();
});

test("files that are lost after they were put in place, and before the first start, are put there again, also after a stop", async () => {
  const id = await deleted("lost-again");
  await bringBack(id);
  const place = () => fleet.database.db.update(restores).set({ placedAt: new Date(), attempts: 1 }).where(eq(restores.workspaceId, id));
  await place();
  await set(id, "stopped");
  const loop = startLoop();
  await fleet.until(id, ({ observedState }) => observedState === "stopped");
  expect(await restoresOf(id)).toMatchObject([{ finishedAt: null }]);
  await set(id, "running");
  loop.wake();
  await fleet.until(id, settled);
  expect(contentsOf(id)).toBe(things);
  expect(await restoresOf(id)).toMatchObject([{ state: "successful" }]);
  await loop.stop();
});

test("what a failed try leaves in a workspace that was never used does not pass for its last backup", async () => {
  const id = await deleted("left-over");
  fails = "failed";
  const backupId = await bringBack(id);
  const loop = startLoop();
  await fleet.until(id, waits);
  fleet.world.get(id).storage.set("things/count.json", JSON.stringify({ workflows: 0, credentials: 0, executions: 0 }));
  const { failures } = await fleet.row(id);
  await due(id);
  loop.wake();
  await fleet.until(id, (row) => row.failures > failures && waits(row));
  await end(id, loop);
  expect(await bringBack(id)).toBe(backupId);
  fails = null;
});

test("while a workspace waits for its last backup, its owner can begin with another one, which it then waits for", async () => {
  const id = await deleted("another");
  const first = await bringBack(id);
  let loop = startLoop();
  await fleet.until(id, settled);
  fleet.world.get(id).storage.set("things/count.json", JSON.stringify({ workflows: 4, credentials: 2, executions: 1 }));
  await end(id, loop);
  fails = "damaged";
  expect(await bringBack(id)).not.toBe(first);
  loop = startLoop();
  await fleet.until(id, waits);
  await fleet.database.db.transaction(async (tx) => {
    await beginStory(tx, id, "restore", new Date());
    await insertRestore(tx, { workspaceId: id, backupId: first, actor: "Ada" }, new Date());
  });
  await fleet.until(id, waits);
  fails = null;
  await due(id);
  loop.wake();
  await fleet.until(id, settled);
  expect(contentsOf(id)).toBe(things);
  expect((await restoresOf(id)).slice(1)).toMatchObject([{ state: "failed" }, { backupId: first, state: "successful" }]);
  await loop.stop();
});

test("an operator retries a first restore, or gives it up: only then does the workspace start empty, and the backup stays", async () => {
  const id = await deleted("gives-up");
  await expect(ops("nobody")).rejects.toThrow("No account");
  await expect(ops("gives-up", { "begin-empty": true })).rejects.toThrow("No workspace of gives-up is waiting");
  fails = "damaged";
  const backupId = await bringBack(id);
  const loop = startLoop();
  await fleet.until(id, waits);
  const { accountId } = await fleet.row(id);
  const nextLines = nextSteps((await readCustomerFacts(fleet.database.db, accountId))!, new Date());
  expect(nextLines.filter((line) => line.includes("comes back from its last backup"))).toEqual([
    expect.stringMatching(
      /could not be restored yet.* Retry now: npm run ops -- first-restore gives-up\. .* first-restore gives-up --begin-empty$/,
    ),
  ]);
  expect(nextLines.join()).not.toContain("--restart");
  const before = (await restoresOf(id))[0]!.attempts;
  await ops("gives-up");
  loop.wake();
  await vi.waitFor(async () => expect((await restoresOf(id))[0]!.attempts).toBeGreaterThan(before), 10_000);
  await fleet.until(id, waits);
  fleet.world.get(id).storage.set("things/count.json", things);
  await ops("gives-up", { "begin-empty": true });
  loop.wake();
  await fleet.until(id, settled);
  expect(contentsOf(id)).toBeUndefined();
  expect(await restoresOf(id)).toMatchObject([{ state: "failed", reason: say("restoreGivenUp") }]);
  expect((await fleet.database.db.select().from(backups).where(eq(backups.id, backupId)))[0]).toMatchObject({ state: "successful" });
  const { rows } = await fleet.database.pool.query("select after from audit_log where action = 'workspace.first-restore-given-up'");
  expect(rows).toEqual([{ after: { workspaceId: id, backup: backupId, operator: "grace" } }]);
  await expect(ops("gives-up")).rejects.toThrow("is waiting for its last backup");
  fails = null;
  await loop.stop();
});

test("a workspace that comes back on a release that is no longer offered gets the newest that can open its backup, and its owner reads so", async () => {
  const id = await deleted("old-release");
  await bringBack(id);
  const { db } = fleet.database;
  const [kept] = await db.select({ version: backups.engineVersion }).from(backups).where(eq(backups.workspaceId, id));
  expect(kept!.version).toBe("2.0.0");
  const [release] = fleet.engine.releases;
  const releases = [
    { ...release!, version: "2.3.0", channel: "newest" as const },
    { ...release!, version: "2.2.0" },
    { ...release!, version: "1.9.0" },
  ];
  const engine = { ...fleet.engine, releases };
  const isOffered = (version: string) => releases.some((each) => each.version === version);
  const loop = fleet.startLoop({
    engine,
    backups: createBackups({ ...fleet.backupTools, engine }),
    installs: {
      request: (version) =>
        Promise.resolve(
          isOffered(version) ? { state: "installed" } : { state: "failed", reason: "unknown", retryAt: new Date(), isUnknown: true },
        ),
      stop: () => Promise.resolve(),
    },
  });
  // For the first minute it is left to workers that may know the release.
  await db
    .update(workspaces)
    .set({ updatedAt: after(new Date(), -2 * minuteMs), reconcileAt: new Date() })
    .where(eq(workspaces.id, id));
  loop.wake();
  await fleet.until(id, settled);
  expect(await fleet.row(id)).toMatchObject({ desiredVersion: "2.2.0", observedVersion: "2.2.0", reason: null });
  expect(contentsOf(id)).toBe(things);
  const [line] = await readJournal(db, id, { most: 1, events: ["version-replaced"] });
  expect(line!.message).toBe("Test engine 2.0.0 is no longer available, so the workspace starts with 2.2.0.");
  await loop.stop();
});
