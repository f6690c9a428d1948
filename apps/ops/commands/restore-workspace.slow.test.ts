/** Every backup that an account still has is restored by one command: into what runs, or in place of what was deleted. */
import { eq } from "drizzle-orm";
import { beforeAll, expect, test, vi } from "vitest";
import { say } from "#contract/sentences/say.ts";
import { accounts, auditLog, backups, hosts, restores, subscriptions, workspaces } from "#database/tables.ts";
import { startTrial } from "#domain/billing/subscription/start-trial.ts";
import { readCatalogue } from "#domain/plans/catalogue.ts";
import { putPlans } from "#domain/plans/plan-store.ts";
import { joinHost } from "#domain/workspaces/hosts/join-host.ts";
import { setDesiredState } from "#domain/workspaces/desired/set-desired-state.ts";
import { insertRestore } from "#domain/backups/restores/restore-store.ts";
import { after, dayMs, systemClock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { useBackupScene } from "#testing/fleet/backup-scene.ts";
import { settled } from "#testing/fleet/sleepers.ts";
import type { CommandInput, OpsContext } from "../command.ts";
import { restoreWorkspace } from "./restore-workspace.ts";
import { restoreWorkspaces } from "./restore-workspaces.ts";

const scene = useBackupScene();
beforeAll(() => putPlans(scene.fleet.database.db, readCatalogue(), new Date()));

async function accountOf(id: string) {
  const { accountId } = await scene.fleet.row(id);
  const [account] = await scene.fleet.database.db.select().from(accounts).where(eq(accounts.id, accountId));
  return account!;
}

/** Runs the command for this workspace's account, and returns what it printed. */
async function run(id: string, options: CommandInput["options"] = {}, reason: string | undefined = "ticket 7"): Promise<string> {
  const { name } = await accountOf(id);
  const lines: string[] = [];
  const context = {
    db: scene.fleet.database.db,
    clock: systemClock,
    config: { lastBackupDays: 30 },
    operator: "grace",
    reason,
    print: (line: string) => lines.push(line),
  };
  await restoreWorkspace.run(context as unknown as OpsContext, { arguments: [name], options });
  return lines.join("\n");
}

const confirmed = async (id: string, backup: string) => run(id, { backup, confirm: (await accountOf(id)).name });
const contentsOf = (id: string) => scene.fleet.world.get(id).storage.get("things/flows.json");
const restored = (id: string, contents: string) =>
  vi.waitFor(
    async () => {
      expect(settled(await scene.fleet.row(id)) && contentsOf(id)).toBe(contents);
      expect((await restoresOf(id)).at(-1)).toMatchObject({ state: "successful" });
    },
    { timeout: 60_000, interval: 50 },
  );
const restoresOf = (id: string) =>
  scene.fleet.database.db.select().from(restores).where(eq(restores.workspaceId, id)).orderBy(restores.createdAt);

/** A backup made now, of these contents. */
async function backUp(id: string, contents: string): Promise<string> {
  scene.fleet.world.get(id).storage.set("things/flows.json", contents);
  const { id: backupId } = (await scene.request(id))!;
  await scene.untilBackup(backupId, "successful");
  return backupId;
}

async function deleteIt(id: string): Promise<void> {
  const { db } = scene.fleet.database;
  const { accountId } = await scene.fleet.row(id);
  await db.transaction((tx) => setDesiredState(tx, accountId, "deleted", { event: "paid", message: say("paid") }, new Date()));
  await scene.fleet.until(id, (row) => row.observedState === "deleted" && row.leaseOwner === null);
}

/** Every table that a restore could change. */
const state = async (id: string) =>
  JSON.stringify([await scene.fleet.row(id), await restoresOf(id), await scene.fleet.journal(id), (await auditOf(id)).length]);
const auditOf = async (id: string) => {
  const { id: accountId } = await accountOf(id);
  return scene.fleet.database.db.select().from(auditLog).where(eq(auditLog.accountId, accountId));
};

test("a living workspace: listed, shown, and replaced only with the typed name and a reason; its contents are backed up first", async () => {
  const { id } = await scene.runWorkspace();
  const backupId = await backUp(id, "as it was");
  scene.fleet.world.get(id).storage.set("things/flows.json", "changed since");
  const before = await state(id);
  expect(await run(id)).toContain(backupId);
  expect(await run(id, { backup: "newest" })).toMatch(
    new RegExp(
      `^This replaces all .*by the manual backup of .*\\nNothing was changed\\. To do it: --backup ${backupId} --confirm backed-up-`,
    ),
  );
  // Another backup may have been made since it was shown.
  await expect(confirmed(id, "newest")).rejects.toThrow("Name the backup by its id: --backup ");
  await expect(run(id, { backup: backupId, confirm: "another" })).rejects.toThrow("type the account's name: --confirm backed-up-");
  await expect(run(id, { backup: backupId, confirm: (await accountOf(id)).name }, "")).rejects.toThrow("Say why");
  await expect(run(id, { confirm: (await accountOf(id)).name })).rejects.toThrow("Say which one");
  await expect(run(id, { backup: "yesterday" })).rejects.toThrow("--backup is the id of a backup");
  expect(await state(id)).toBe(before);

  expect(await confirmed(id, backupId)).toContain("Now being replaced");
  await restored(id, "as it was");
  expect((await restoresOf(id))[0]).toMatchObject({ life: 1, safetyBackupId: expect.any(String) });
  expect(await auditOf(id)).toContainEqual(
    expect.objectContaining({ action: "backup.restored", after: { backup: backupId, operator: "grace", reason: "ticket 7" } }),
  );
  // What the restore replaced is newer, and not what is wanted.
  expect(await run(id, { backup: "newest" })).toContain(`--backup ${backupId} `);
  await scene.fleet.database.db.update(backups).set({ state: "removed" }).where(eq(backups.id, backupId));
  await expect(run(id, { backup: "newest" })).rejects.toThrow("only backups of what a restore replaced");
});

test("another account's backup, and one that is gone, are refused", async () => {
  const [{ id }, other] = [await scene.runWorkspace(), await scene.runWorkspace()];
  const foreign = await backUp(other.id, "of another");
  await expect(confirmed(id, foreign)).rejects.toThrow("has no such backup");
  const mine = await backUp(id, "mine");
  await scene.fleet.database.db.update(backups).set({ state: "removed" }).where(eq(backups.id, mine));
  await expect(confirmed(id, mine)).rejects.toThrow("has no such backup");
  expect(await run(id)).toContain("has no backup");
});

test("a deleted workspace comes back with a backup of any of its lives, once something allows it one", async () => {
  const { db } = scene.fleet.database;
  const { id } = await scene.runWorkspace();
  const first = await backUp(id, "of the first life");
  await deleteIt(id);
  await expect(confirmed(id, first)).rejects.toThrow("Give it a plan first");
  const { accountId } = await scene.fleet.row(id);
  await db.transaction((tx) => startTrial(tx, accountId, new Date()));
  const before = await state(id);
  expect(await run(id, { backup: first })).toContain("This makes a new workspace");
  expect(await state(id)).toBe(before);
  await db.update(accounts).set({ suspendedAt: new Date() }).where(eq(accounts.id, accountId));
  await expect(confirmed(id, first)).rejects.toThrow("Lift the suspension first");
  await db.update(accounts).set({ suspendedAt: null }).where(eq(accounts.id, accountId));

  expect(await confirmed(id, first)).toContain("Now being made: a new workspace");
  await restored(id, "of the first life");
  expect(await scene.fleet.row(id)).toMatchObject({ life: 2, desiredState: "running" });
  expect((await restoresOf(id)).at(-1)).toMatchObject({ life: 2, backupId: first });
  // It is kept for as long as after the deletion.
  expect((await scene.backupOf(first))!.keptUntil!.getTime()).toBeGreaterThan(after(new Date(), 29 * dayMs).getTime());

  // The second life, with a backup of each: the earlier one replaces what runs.
  await backUp(id, "of the second life");
  expect(await run(id)).toMatch(new RegExp(`${first}.*of an earlier, deleted workspace`));
  scene.fleet.world.get(id).storage.set("things/flows.json", "changed since");
  await confirmed(id, first);
  await restored(id, "of the first life");

  // Of the third life, into which the second one's comes back.
  const second = await backUp(id, "of the second life, later");
  await deleteIt(id);
  await confirmed(id, second);
  await restored(id, "of the second life, later");
  expect(await scene.fleet.row(id)).toMatchObject({ life: 3 });
});

test("while the old workspace is being deleted, and without a plan that still runs, nothing comes back", async () => {
  const { db } = scene.fleet.database;
  const { id } = await scene.runWorkspace();
  const backupId = await backUp(id, "as it was");
  const { accountId } = await scene.fleet.row(id);
  await db.transaction((tx) => startTrial(tx, accountId, new Date()));
  await db.update(workspaces).set({ desiredState: "deleted", reconcileAt: null }).where(eq(workspaces.id, id));
  await expect(confirmed(id, backupId)).rejects.toThrow("is still being deleted");
  await db.update(workspaces).set({ observedState: "deleted" }).where(eq(workspaces.id, id));
  await db
    .update(subscriptions)
    .set({ periodEndsAt: after(new Date(), -dayMs) })
    .where(eq(subscriptions.accountId, accountId));
  await expect(confirmed(id, backupId)).rejects.toThrow("Give it a plan first");
});

test("a restore and an update can't be written without the life they are for", async () => {
  const { db, pool } = scene.fleet.database;
  const { id } = await scene.runWorkspace();
  const backupId = await backUp(id, "as it was");
  const insert = (columns: string, values: string) =>
    pool.query(`insert into ${columns} select gen_random_uuid(), '${id}', ${values} now()`);
  await expect(insert("restores (id, workspace_id, backup_id, actor, created_at)", `'${backupId}', 'Support',`)).rejects.toThrow(
    'null value in column "life"',
  );
  await expect(
    insert("workspace_updates (id, workspace_id, from_version, to_version, asked_by, started_at)", "'1', '2', 'owner',"),
  ).rejects.toThrow('null value in column "life"');
  await db.update(workspaces).set({ life: 7 }).where(eq(workspaces.id, id));
  expect(await insertRestore(db, { workspaceId: id, backupId, actor: "Support" }, new Date())).toMatchObject({ life: 7 });
});

test("after the loss of a server, each workspace that has lost its files is restored at once, and no other", async () => {
  const { db } = scene.fleet.database;
  const { id } = await scene.runWorkspace();
  const bare = await scene.runWorkspace();
  const well = await scene.runWorkspace();
  for (const each of [id, well.id]) await backUp(each, "as it was");
  const lines: string[] = [];
  const all = async (options: CommandInput["options"] = {}, reason = "the server burned", as = db) => {
    lines.length = 0;
    const context = { db: as, clock: systemClock, config: { lastBackupDays: 30 }, operator: "grace", reason };
    const print = (line: string) => lines.push(line);
    await restoreWorkspaces.run({ ...context, print } as unknown as OpsContext, { arguments: [], options });
    return lines.join("\n");
  };
  // A host that lives has its files, unless its worker says otherwise.
  await joinHost(db, { name: "main", address: null, freeMb: 1 });
  await db.update(workspaces).set({ host: "main" });
  expect(await all()).toContain("No workspace that has lost its files has a backup.");
  for (const lost of [id, bare.id]) {
    scene.fleet.world.end(lost, { code: 0, signal: null });
    scene.fleet.world.workspaces.delete(lost);
    await db.update(workspaces).set({ reconcileAt: new Date() }).where(eq(workspaces.id, lost));
    await scene.fleet.until(lost, ({ reasonCode }) => reasonCode === "files-missing");
  }
  const listed = await all();
  expect(listed).toMatch(new RegExp(`^${(await accountOf(id)).name}: its files are missing on main; from its backup of`, "m"));
  expect(listed).toMatch(new RegExp(`^${(await accountOf(bare.id)).name}: its files are missing on main; it has no backup.`, "m"));
  expect(listed).toContain("To restore 1, add: --confirm 1");
  expect(listed).not.toContain((await accountOf(well.id)).name);
  await expect(all({ confirm: "2" })).rejects.toThrow("It is about 1 workspace now");
  await expect(all({ confirm: "1" }, "")).rejects.toThrow("Say why");
  expect(await restoresOf(id)).toEqual([]);
  expect(await all({ confirm: "1" })).toContain("1 of 1 workspace is being restored");
  await restored(id, "as it was");
  expect(await restoresOf(well.id)).toEqual([]);

  // A service that is only stopped looks the same as a lost server, so the host has to be named.
  await db.update(hosts).set({ seenAt: new Date("2026-03-01T10:00:00Z") });
  const stopped = await all();
  expect(stopped).not.toContain((await accountOf(well.id)).name);
  expect(stopped).toMatch(/Host main is silent since 2026-03-01 10:00 UTC, with \d+ workspaces\. If its server is lost, add: --host main/);
  await expect(all({ host: "other" })).rejects.toThrow("Unknown host: other. Known hosts: main.");
  const named = await all({ host: "main" });
  expect(named).toMatch(
    new RegExp(`^${(await accountOf(well.id)).name}: host main is silent since 2026-03-01 10:00 UTC; from its backup`, "m"),
  );

  // It comes back between the list and the restores: for each of them, its silence is read again.
  const ready = / --confirm (\d+) /.exec(named)![1]!;
  const joined = () => joinHost(db, { name: "main", address: null, freeMb: 1 });
  const late = Object.assign(Object.create(db) as Database, {
    transaction: async (work: Parameters<Database["transaction"]>[0]) => {
      await joined();
      return db.transaction(work);
    },
  });
  const result = await all({ host: "main", confirm: ready }, "ticket 7", late);
  expect(result).toContain(`${(await accountOf(well.id)).name}: NOT restored: it is not lost any more`);
  expect(await restoresOf(well.id)).toEqual([]);
});
