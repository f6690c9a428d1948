import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { say } from "#contract/sentences/say.ts";
import { accounts, workspaces } from "#database/tables.ts";
import { systemClock } from "#platform/clock.ts";
import { useBackupScene } from "#testing/fleet/backup-scene.ts";
import { settled } from "#testing/fleet/sleepers.ts";
import { stamp } from "#domain/journeys/assist-customer/next-steps.ts";
import type { JournalEvent } from "#domain/workspaces/journal-events.ts";
import { nothingLeft } from "#domain/workspaces/hosts/host-names.ts";
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
  await expect(run(id, { memory: "2048", restart: true })).rejects.toThrow("one at a time");
});

test("starts a workspace whose missing files are back after a failed restore, and only such a one", async () => {
  const { id, things } = await scene.runWorkspace();
  await expect(run(id, { "files-are-back": true })).rejects.toThrow("It is not waiting for its files.");
  const { db } = scene.fleet.database;
  scene.fleet.world.end(id, { code: 0, signal: null });
  await db.update(workspaces).set({ arriving: nothingLeft, address: null, reconcileAt: new Date() }).where(eq(workspaces.id, id));
  await scene.fleet.until(id, ({ reasonCode }) => reasonCode === "files-missing");
  expect(await run(id, { "files-are-back": true })).toBe("It starts with the files that are there.");
  await scene.fleet.until(id, (row) => settled(row) && row.arriving === null);
  expect(things.get("things/flows.json")).toBe("as it was");
  expect((await auditOf(id)).at(-1)).toMatchObject({ action: "workspace.files-back", after: { operator: "ada", workspaceId: id } });
});
