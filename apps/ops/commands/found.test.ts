import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { accounts, backups, blanks, hosts, serviceState, subscriptions, workspaces } from "#database/tables.ts";
import { readCatalogue } from "#domain/plans/catalogue.ts";
import { putPlans } from "#domain/plans/plan-store.ts";
import { insertRestore } from "#domain/backups/restores/restore-store.ts";
import { mendClockSetBack } from "#domain/service-clock/mend-clock-set-back.ts";
import { insertUpdate } from "#domain/updates/update-store.ts";
import { after, dayMs, systemClock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { addTrialAccount } from "#testing/accounts/add-trial-account.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { addBlank } from "#domain/workspaces/blanks/blank-store.ts";
import { claimWorkspace } from "#domain/workspaces/observed/claim-workspaces.ts";
import { nothingArrives } from "#domain/workspaces/hosts/host-names.ts";
import { listFound, noteRestored, settleFound, type HostContents } from "#domain/workspaces/hosts/found-store.ts";
import { listElsewhere } from "#domain/workspaces/hosts/host-store.ts";
import { joinHost } from "#domain/workspaces/hosts/join-host.ts";
import { claimGone, listGone } from "#domain/workspaces/hosts/left-store.ts";
import type { CommandInput, OpsContext } from "../command.ts";
import { found } from "./found.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await putPlans(database.db, readCatalogue(), new Date());
});
afterAll(() => database?.close());
beforeEach(async () => {
  await database.db.delete(serviceState);
  await database.db.delete(hosts);
});

const rowOf = async (id: string) => (await database.db.select().from(workspaces).where(eq(workspaces.id, id)))[0]!;

/** A workspace of the host "main" that was used and is settled, changed by `columns`. */
async function addWorkspace(columns: Partial<typeof workspaces.$inferInsert> = {}) {
  const accountId = await addTrialAccount(database.db, new Date());
  const settled = { host: "main", observedState: "online", observedVersion: "2.40.7", ownerSetUpAt: new Date() } as const;
  await database.db
    .update(workspaces)
    .set({ ...settled, ...columns })
    .where(eq(workspaces.accountId, accountId));
  return (await database.db.select().from(workspaces).where(eq(workspaces.accountId, accountId)))[0]!;
}

const join = (contents: Partial<HostContents> = {}, name = "main") =>
  joinHost(database.db, { name, address: null, freeMb: 1, running: [], numbers: new Map(), ...contents });

async function run(options: CommandInput["options"] = {}, reason: string | undefined = "ticket 7", db = database.db): Promise<string> {
  const lines: string[] = [];
  const context = { db, clock: systemClock, operator: "grace", reason, print: (line: string) => lines.push(line) };
  await found.run(context as unknown as OpsContext, { arguments: [], options });
  return lines.join("\n");
}

const addBackup = async ({ id, accountId }: { id: string; accountId: string }) => {
  const kind = { kind: "manual", state: "successful", engine: "n8n", engineVersion: "2.40.7" } as const;
  const [row] = await database.db
    .insert(backups)
    .values({ id: newId(), accountId, workspaceId: id, ...kind, createdAt: new Date(), keptUntil: after(new Date(), dayMs) })
    .returning();
  return row!.id;
};

test.each([
  ["deleted", { desiredState: "deleted", observedState: "deleted" }],
  ["deleted", { desiredState: "deleted" }],
  ["arriving", { arriving: nothingArrives }],
  ["blank", { blank: "a hash", ownerSetUpAt: null }],
  ["elsewhere", { host: "two" }],
] as const)("after a restore, a workspace whose row is %s is kept: %j", async (reason, columns) => {
  const { id } = await addWorkspace(columns);
  await noteRestored(database.db, new Date());
  expect(await join({ stored: [id], running: [id] })).toMatchObject({ kept: 1 });
  expect(await listFound(database.db)).toMatchObject([
    { id, reason, host: "main", isRunning: true, account: { name: expect.any(String) } },
  ]);
  // Nothing takes it: no pass, no sweep of deleted ones, no end of what is elsewhere, and no repair of leases.
  await mendClockSetBack(database.db, new Date());
  for (const host of ["main", "two"]) expect(await claimWorkspace(database.db, id, newId(), host)).toBe(false);
  if (columns === undefined || "desiredState" in columns) {
    await listGone(database.db, [id]);
    expect(await claimGone(database.db, id, newId())).toBe(false);
  }
  expect(await listElsewhere(database.db, [id], "main")).toEqual([]);
  // A second start of the worker changes nothing.
  expect(await join({ stored: [id], running: [id] })).toMatchObject({ kept: 1 });
});

test("an open restore or update is kept too; a settled workspace, and anything without a restore of the database, is not", async () => {
  const [restoring, updating, settled] = [await addWorkspace(), await addWorkspace(), await addWorkspace()];
  await insertRestore(database.db, { workspaceId: restoring.id, backupId: await addBackup(restoring), actor: "Ada" }, new Date());
  await insertUpdate(database.db, { workspaceId: updating.id, fromVersion: "1", toVersion: "2", askedBy: "owner" }, new Date());
  const gone = await addWorkspace({ desiredState: "deleted", observedState: "deleted" });
  const stored = [restoring.id, updating.id, settled.id];
  expect(await join({ stored: [...stored, gone.id], running: stored })).toMatchObject({ kept: 0 });
  await noteRestored(database.db, new Date());
  // The host has nothing of the deleted one.
  await join({ stored, running: stored });
  expect((await listFound(database.db)).map(({ id, reason }) => [id, reason]).toSorted()).toEqual(
    [
      [restoring.id, "changing"],
      [updating.id, "changing"],
    ].toSorted(),
  );
  expect(await claimWorkspace(database.db, settled.id, newId(), "main")).toBe(true);
});

test("a host that cannot tell what it stores keeps a deleted workspace only if that runs or was not gone yet, and none of another host", async () => {
  const gone = { host: "cluster", desiredState: "deleted", observedState: "deleted" } as const;
  const leaving = { host: "cluster", desiredState: "deleted" } as const;
  const [, runs, mine, other] = [await addWorkspace(gone), await addWorkspace(gone), await addWorkspace(leaving), await addWorkspace()];
  await database.db.update(workspaces).set({ desiredState: "deleted" }).where(eq(workspaces.id, other.id));
  const ids = async () => (await listFound(database.db)).map(({ id }) => id).toSorted();
  await noteRestored(database.db, new Date());
  await join({ running: [runs.id] }, "cluster");
  expect(await ids()).toEqual([runs.id, mine.id].toSorted());
  await database.db.delete(serviceState);
  await noteRestored(database.db, new Date());
  await join({ running: [] }, "cluster");
  expect(await ids()).toEqual([mine.id]);
});

test("a host that cannot tell what it stores keeps what was under way only if that runs there", async () => {
  const changed = [{ arriving: nothingArrives }, { blank: "a hash", ownerSetUpAt: null }, {}] as const;
  const running: string[] = [];
  for (const columns of changed)
    for (const runs of [true, false]) {
      const row = await addWorkspace({ host: "docker", ...columns });
      if (!("arriving" in columns || "blank" in columns))
        await insertRestore(database.db, { workspaceId: row.id, backupId: await addBackup(row), actor: "Ada" }, new Date());
      if (runs) running.push(row.id);
    }
  await noteRestored(database.db, new Date());
  expect(await join({ running }, "docker")).toMatchObject({ kept: 3 });
  const listed = await listFound(database.db);
  expect(listed.map(({ id }) => id).toSorted()).toEqual(running.toSorted());
  expect(listed.map(({ reason }) => reason).toSorted()).toEqual(["arriving", "blank", "changing"]);
});

test("a restore or update that began after the restore of the database is no reason to keep anything", async () => {
  const [restoring, updating, before] = [await addWorkspace(), await addWorkspace(), await addWorkspace()];
  const at = new Date();
  await insertRestore(database.db, { workspaceId: before.id, backupId: await addBackup(before), actor: "Ada" }, at);
  await noteRestored(database.db, at);
  const later = after(at, 1);
  await insertRestore(database.db, { workspaceId: restoring.id, backupId: await addBackup(restoring), actor: "Ada" }, later);
  await insertUpdate(database.db, { workspaceId: updating.id, fromVersion: "1", toVersion: "2", askedBy: "owner" }, later);
  const stored = [restoring.id, updating.id, before.id];
  expect(await join({ stored, running: stored })).toMatchObject({ kept: 1 });
  expect(await listFound(database.db)).toMatchObject([{ id: before.id, reason: "changing" }]);
});

test("what was ready for launches in the dump is given to no customer, and is listed without an account", async () => {
  const shape = { engine: "n8n", version: "2.40.7", memoryMb: 512, secrets: "-" } as const;
  const blank = (await addBlank(database.db, shape, { most: 9, worker: newId(), now: new Date() }))!;
  await noteRestored(database.db, new Date());
  expect(await database.db.select().from(blanks)).toEqual([]);
  await join({ stored: [blank.id], running: [blank.id] });
  expect(await run()).toContain(`${blank.id}  main  runs  no account: no workspace of this database`);
  await expect(run({ "keep-host": blank.id })).rejects.toThrow("No account of this database has it");
  expect(await run({ done: blank.id })).toContain("off the list");
  expect(await run()).toBe("Nothing waits for a decision.");
});

test("numbers move past the host's, never back, and a workspace that never started gives a taken one up", async () => {
  const [known, fresh] = [await addWorkspace(), await addWorkspace({ observedVersion: null, address: null, ownerSetUpAt: null })];
  const lost = newId();
  const next = async () =>
    Number((await database.pool.query<{ n: string }>("select nextval(pg_get_serial_sequence('workspaces', 'number')) as n")).rows[0]!.n);
  const highest = (await next()) + 40;
  const numbers = new Map([
    [known.id, known.number],
    [lost, fresh.number],
    [newId(), highest],
  ]);
  await join({ stored: [...numbers.keys()], numbers });
  expect((await rowOf(fresh.id)).number).toBeGreaterThan(highest);
  expect((await rowOf(known.id)).number).toBe(known.number);
  const after = await next();
  expect(after).toBeGreaterThan((await rowOf(fresh.id)).number);
  await join({ numbers: new Map([[lost, 1]]) });
  expect(await next()).toBe(after + 1);
});

test("a person decides: for the row, for the host, or, without an account, that it is dealt with; only with a reason", async () => {
  const gone = await addWorkspace({ desiredState: "deleted", observedState: "deleted", life: 3 });
  const moved = await addWorkspace({ host: "two" });
  await noteRestored(database.db, new Date());
  const stored = [gone.id, moved.id];
  await join({ stored, running: stored });
  await expect(run({ "keep-host": gone.id }, "")).rejects.toThrow("Say why");
  await expect(run({ done: gone.id })).rejects.toThrow("choose --keep-host or --keep-row");
  await expect(run({ "keep-host": newId() })).rejects.toThrow("No workspace with this id waits");
  await expect(run({ "keep-host": gone.id, "keep-row": gone.id })).rejects.toThrow("one at a time");
  expect(await run({ "keep-host": gone.id })).toBe("Its worker continues with it.");
  expect(await rowOf(gone.id)).toMatchObject({
    desiredState: "running",
    observedState: "starting",
    life: 4,
    host: "main",
    leaseOwner: null,
  });
  expect(await run({ "keep-row": moved.id })).toBe("Its worker continues with it.");
  expect(await rowOf(moved.id)).toMatchObject({ host: "two", leaseOwner: null });
  expect(await listElsewhere(database.db, [moved.id], "main")).toEqual([moved.id]);
  const { rows } = await database.pool.query(
    "select account_id, after from audit_log where action = 'workspace.found-settled' order by id desc limit 1",
  );
  expect(rows).toEqual([
    { account_id: moved.accountId, after: { workspaceId: moved.id, right: "row", operator: "grace", reason: "ticket 7" } },
  ]);
});

test.each([
  ["suspended", () => ({ suspendedAt: new Date() }), "Lift the suspension first"],
  ["closed", () => ({ closedAt: new Date(), eraseAt: after(new Date(), dayMs) }), "Reopen it first"],
  ["due to be erased", () => ({ closedAt: new Date(), eraseAt: after(new Date(), -dayMs) }), "is being erased: choose --keep-row"],
  [
    "being erased",
    () => ({ closedAt: new Date(), eraseAt: after(new Date(), dayMs), erasingSince: new Date() }),
    "is being erased: choose --keep-row",
  ],
] as const)("the workspace of an account that is %s is not started with what its host has", async (_what, columns, refusal) => {
  const gone = await addWorkspace({ desiredState: "deleted", resumesAs: "running" });
  await noteRestored(database.db, new Date());
  await join({ stored: [gone.id], running: [gone.id] });
  await database.db.update(accounts).set(columns()).where(eq(accounts.id, gone.accountId));
  const before = await rowOf(gone.id);
  await expect(run({ "keep-host": gone.id })).rejects.toThrow(refusal);
  expect(await rowOf(gone.id)).toEqual(before);
  expect(await listFound(database.db)).toMatchObject([{ id: gone.id }]);
  await run({ "keep-row": gone.id });
  expect(await rowOf(gone.id)).toMatchObject({ desiredState: "deleted", leaseOwner: null, resumesAs: "running" });
});

test("the host is right about a deleted workspace only if something allows its account one", async () => {
  const gone = await addWorkspace({ desiredState: "deleted", observedState: "deleted" });
  const moved = await addWorkspace({ host: "two" });
  for (const { accountId } of [gone, moved])
    await database.db
      .update(subscriptions)
      .set({ periodEndsAt: after(new Date(), -dayMs) })
      .where(eq(subscriptions.accountId, accountId));
  await noteRestored(database.db, new Date());
  await join({ stored: [gone.id, moved.id], running: [gone.id, moved.id] });
  await expect(run({ "keep-host": gone.id })).rejects.toThrow("Nothing allows");
  expect(await rowOf(gone.id)).toMatchObject({ desiredState: "deleted" });
  await run({ "keep-host": moved.id });
  await database.db
    .update(subscriptions)
    .set({ periodEndsAt: after(new Date(), dayMs) })
    .where(eq(subscriptions.accountId, gone.accountId));
  await run({ "keep-host": gone.id });
  expect(await rowOf(gone.id)).toMatchObject({ desiredState: "running", resumesAs: null });
});

test("a decision that another operator has made at the same moment is not made twice", async () => {
  const moved = await addWorkspace({ host: "two" });
  await noteRestored(database.db, new Date());
  await join({ stored: [moved.id], running: [moved.id] });
  const [listed] = await listFound(database.db);
  const audited = async () => (await database.pool.query("select from audit_log where action = 'workspace.found-settled'")).rowCount;
  const before = await audited();
  // The other's transaction ends between the list and this one's.
  const transaction = async (work: Parameters<Database["transaction"]>[0]) => {
    await database.db.transaction((tx) => settleFound(tx, listed!, "row", new Date()));
    return database.db.transaction(work);
  };
  const late = Object.assign(Object.create(database.db) as Database, { transaction });
  await expect(run({ "keep-host": moved.id }, "ticket 7", late)).rejects.toThrow("Nothing was changed. Another operator has just decided");
  expect(await rowOf(moved.id)).toMatchObject({ host: "two" });
  expect(await audited()).toBe(before);
});

test("a database restored by another tool is noted, unless a worker runs", async () => {
  await join();
  await expect(run({ "restored-otherwise": true })).rejects.toThrow("Stop the service first");
  await database.db.update(hosts).set({ seenAt: after(new Date(), -dayMs) });
  expect(await run({ "restored-otherwise": true })).toContain("Noted.");
  expect(await join({ stored: [newId()] })).toMatchObject({ kept: 1 });
});
