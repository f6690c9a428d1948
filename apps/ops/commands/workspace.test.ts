import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { say } from "#contract/sentences/say.ts";
import { accounts, workspaces } from "#database/tables.ts";
import { systemClock } from "#platform/clock.ts";
import { useBackupScene } from "#testing/fleet/backup-scene.ts";
import { settled } from "#testing/fleet/sleepers.ts";
import { stamp } from "#domain/journeys/assist-customer/next-steps.ts";
import type { JournalEvent } from "#domain/workspaces/journal-events.ts";
import { writeJournal } from "#domain/workspaces/workspace-store.ts";
import type { CommandInput, OpsContext } from "../command.ts";
import { workspace } from "./workspace.ts";

const scene = useBackupScene();

/** Runs the command for this workspace's account, and returns what it printed. */
async function run(id: string, options: CommandInput["options"] = {}): Promise<string> {
  const { db } = scene.fleet.database;
  const [account] = await db
    .select({ name: accounts.name })
    .from(accounts)
    .innerJoin(workspaces, eq(workspaces.accountId, accounts.id))
    .where(eq(workspaces.id, id));
  const lines: string[] = [];
  const context = {
    db,
    clock: systemClock,
    config: { publicUrl: "https://example.com" },
    operator: "ada",
    reason: "ticket 7",
    print: (line: string) => lines.push(line),
  };
  await workspace.run(context as unknown as OpsContext, { arguments: [account!.name], options });
  return lines.join("\n");
}

const auditOf = async (id: string) =>
  (
    await scene.fleet.database.pool.query<{ action: string; after: object; user_id: string | null }>(
      "select action, after, user_id from audit_log where account_id = (select account_id from workspaces where id = $1) order by id",
      [id],
    )
  ).rows;

test("shows the state with its reason and the command that helps, and restarts despite a pause, on record", async () => {
  const { id } = await scene.runWorkspace();
  expect(await run(id)).toContain("online");
  const { db } = scene.fleet.database;
  const later = new Date(Date.now() + 3_600_000);
  await db
    .update(workspaces)
    .set({ observedState: "offline", reason: "It used too much memory.", reasonCode: "out-of-memory", failures: 4, reconcileAt: later })
    .where(eq(workspaces.id, id));
  const shown = await run(id);
  expect(shown).toContain("offline");
  expect(shown).toContain("The workspace is offline: It used too much memory. It failed 4 times in a row.");
  expect(shown).toMatch(/npm run ops -- workspace backed-up-\d+ --restart/);
  expect(await run(id, { restart: true })).toBe("It is being restarted.");
  await scene.fleet.until(id, (row) => settled(row) && row.generation === 2);
  expect(await run(id)).toContain("restart-requested  Restarted by support");
  expect(await auditOf(id)).toEqual([{ action: "workspace.restarted", user_id: null, after: { operator: "ada", reason: "ticket 7" } }]);
});

test("says since when a workspace has been starting, however often it was tried since", async () => {
  const { id } = await scene.runWorkspace();
  const { db } = scene.fleet.database;
  const now = Date.now();
  const at = (minutesAgo: number) => new Date(now - minutesAgo * 60_000);
  const line = (event: JournalEvent, minutesAgo: number) =>
    writeJournal(db, id, { event, message: say("restartRequested") }, at(minutesAgo));
  await line("died", 300);
  await line("online", 290);
  await line("quota-nearly-reached", 200);
  await line("restart-requested", 60);
  await line("start-failed", 30);
  await db
    .update(workspaces)
    .set({ observedState: "starting", reconcileAt: new Date(Date.now() + 3_600_000), updatedAt: at(1) })
    .where(eq(workspaces.id, id));
  expect(await run(id)).toContain(`The workspace has been starting since ${stamp(at(60))}`);
});

test("gives memory at once, and says when there is nothing to do", async () => {
  const { id } = await scene.runWorkspace();
  await expect(run(id, { memory: "100" })).rejects.toThrow("--memory must be a number of MB from 256 to 65536.");
  expect(await run(id, { memory: "1024" })).toContain("It is being restarted with 1024 MB.");
  expect(await scene.fleet.until(id, (row) => settled(row) && row.generation === 2)).toMatchObject({ runningMemoryMb: 1024 });
  expect(await run(id, { memory: "1024" })).toBe("It has 1024 MB already.");
  // Another change while a restart of the last seconds is under way.
  await scene.fleet.database.db
    .update(workspaces)
    .set({ generation: 3, restartAskedAt: new Date(), reconcileAt: new Date(Date.now() + 60_000) })
    .where(eq(workspaces.id, id));
  expect(await run(id, { memory: "2048" })).toContain("It gets 2048 MB at its next start");
});

test("restores a backup after a yes, refuses another account's, and does one thing at a time", async () => {
  const [{ id, things }, other] = [await scene.runWorkspace(), await scene.runWorkspace()];
  const backup = (await scene.request(id))!;
  const foreign = (await scene.request(other.id))!;
  await scene.untilBackup(backup.id, "successful");
  await scene.untilBackup(foreign.id, "successful");
  things.set("things/flows.json", "changed since");
  await expect(run(id, { restore: backup.id })).rejects.toThrow("by the manual backup of");
  await expect(run(id, { restore: backup.id, restart: true })).rejects.toThrow("one at a time");
  await expect(run(id, { restore: foreign.id, yes: true })).rejects.toThrow("backup");
  await expect(run(id, { restore: "newest", yes: true })).rejects.toThrow("--restore is the id of a backup");
  expect(things.get("things/flows.json")).toBe("changed since");
  expect(await run(id, { restore: backup.id, yes: true })).toContain("The backup is being restored.");
  await scene.fleet.until(id, (row) => settled(row) && scene.fleet.world.get(id).storage.get("things/flows.json") === "as it was");
  expect(await auditOf(id)).toContainEqual({
    action: "backup.restored",
    user_id: null,
    after: { backup: backup.id, operator: "ada", reason: "ticket 7" },
  });
});
